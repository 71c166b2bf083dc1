import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceEvents, type WorkspaceEvent } from '../../api/stream.ts';
import { isOver } from '../../app/runs.ts';
import { useCommonWords } from '../../parts/use-words.ts';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** Says what a run is of: its standard, its checklist by the title that people know, or its type. */
export function useSubjectOf(workspace: string): (run: Api['Analysis'], type: string) => string {
  const say = useWords();
  const { data: checklists } = useQuery({
    queryKey: ['checklists', workspace, 'all'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/compliance/checklists', {
          params: { query: { workspace_id: workspace, limit: 100 } },
          signal,
        }),
      ),
  });
  return (run, type) => {
    if (run.standard_name) return `${type}: ${run.standard_name}`;
    const { checklist } = run.options as { readonly checklist?: { readonly id: string } };
    if (!checklist) return type;
    const title = checklists?.items.find(({ id }) => id === checklist.id)?.title;
    return `${type}: ${(say.language === 'de' && title?.de) || title?.en || checklist.id}`;
  };
}

/** How many gaps a run found; undefined until it has a result. */
export const gapsOf = ({ summary }: Api['Analysis']): number | undefined => {
  const gaps = summary?.gaps;
  return typeof gaps === 'number' ? gaps : undefined;
};

/** The state of a run; while it is under way how far it is, as it happens. */
export function RunProgress({ run }: { readonly run: Api['Analysis'] }) {
  const say = useWords();
  const common = useCommonWords();
  const [live, setLive] = useState<Readonly<Record<string, unknown>>>();
  useWorkspaceEvents(
    useCallback(
      ({ kind, data }: WorkspaceEvent) => {
        if (kind === 'progress' && data.analysis_id === run.id) setLive(data);
      },
      [run.id],
    ),
  );
  if (isOver(run.status)) return <span className="tag">{common.named('run', run.status)}</span>;
  const share = Number(live?.percent ?? run.progress.percent);
  const message = String(live?.message ?? run.progress.message);
  return (
    <div className="stack run-progress">
      <span className="bar" aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </span>
      <span className="small">
        {say('live', {
          percent: percent(share, say.language),
          message: message || common.named('run', run.status),
        })}
      </span>
    </div>
  );
}
