import type { Ref } from 'react';
import { Link } from 'wouter';
import type { Asked } from '../../findings/change-dialog.tsx';
import { EvidencePlaces } from '../../findings/evidence.tsx';
import { GapActions } from '../../findings/gap-actions.tsx';
import { GapComments, GapDecisions, GapHead, GapStatement } from '../../findings/gap-statement.tsx';
import { useGap } from '../../findings/use-gap.ts';
import { Icon } from '../../look/glyphs.tsx';
import { Button } from '../../parts/button.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useWords } from './use-words.ts';

/** The chosen gap beside the list: the claim, and the document at the place that proves it. */
export function Peek({
  workspace,
  id,
  comment,
  onAsk,
  onClose,
}: {
  readonly workspace: string;
  readonly id: string;
  readonly comment: Ref<HTMLTextAreaElement>;
  readonly onAsk: (asked: Asked) => void;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const gap = useGap(workspace, id);
  return (
    <aside className="peek" aria-label={gap.data?.title ?? say('gaps')}>
      <div className="peek-bar">
        <Link href={`/w/${workspace}/gaps/${id}`}>{say('full')}</Link>
        <Button kind="quiet" iconOnly aria-label={say('close_peek')} onClick={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <Loaded query={gap}>
        {(data) => (
          <div className="peek-body" key={data.id}>
            <GapHead gap={data} level={2} />
            <GapActions gap={data} onAsk={onAsk} />
            <Hint name={data.evidence.length > 0 ? 'place' : 'status'} />
            {data.evidence.length > 0 && <Hint name="status" after="place" />}
            <GapDecisions gap={data} />
            <EvidencePlaces workspace={workspace} gap={data} />
            <GapStatement gap={data} />
            <GapComments gap={data} field={comment} />
          </div>
        )}
      </Loaded>
    </aside>
  );
}
