import { useCallback, useState } from 'react';
import type { Api } from '../../api/client.ts';
import { useWorkspaceEvents, type WorkspaceEvent } from '../../api/stream.ts';
import { Icon } from '../../look/glyphs.tsx';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type Stage = NonNullable<Api['Report']['stage']>;

/** How far a report is that is under way, as it happens. */
export function Rendering({ of }: { readonly of: Api['Report'] }) {
  const say = useWords();
  const [live, setLive] = useState<Pick<Api['Report'], 'stage' | 'percent'>>();
  useWorkspaceEvents(
    useCallback(
      ({ kind, data }: WorkspaceEvent) => {
        if (kind !== 'report_progress' || data.report_id !== of.id) return;
        setLive({ stage: data.stage as Stage, percent: Number(data.percent) });
      },
      [of.id],
    ),
  );
  if (of.status === 'queued') {
    return (
      <span className="tag" role="status">
        <Icon name="clock" /> {say('queued')}
      </span>
    );
  }
  const { stage, percent: share } = live && live.percent >= of.percent ? live : of;
  const step = say(stage === null ? 'rendering' : `stage_${stage}`);
  return (
    <div className="record-facts">
      <span className="bar report-bar" role="progressbar" aria-label={step} aria-valuenow={share}>
        <span style={{ width: `${share}%` }} />
      </span>
      <span>{say('live', { percent: percent(share, say.language), step })}</span>
    </div>
  );
}
