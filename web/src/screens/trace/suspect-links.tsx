import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useTellKeys } from '../../app/key-sheet.tsx';
import { useKeys } from '../../app/keys.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { number } from '../../words/moments.ts';
import { AssumedLinks } from './assumed-links.tsx';
import { useDecideLinks } from './decide-links.ts';
import { LinkReview } from './link-review.tsx';
import { TraceTabs } from './tabs.tsx';
import { useWords } from './use-words.ts';

/** Links one end of which changed since they were confirmed, one by one, until somebody looked; and those that nothing states. */
export default function SuspectLinksPage() {
  const say = useWords();
  const workspace = useWorkspaceId();
  const links = useQuery({
    queryKey: ['trace', workspace, 'suspect'],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: { query: { workspace_id: workspace, suspect: true, limit: 100 } },
          signal,
        }),
      ),
  });
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('links')}</h1>
      </div>
      <TraceTabs />
      <Loaded query={links}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title={say('no_suspect')}>
              <p>{say('no_suspect_text')}</p>
            </Empty>
          ) : (
            <Cards items={items} total={total} workspace={workspace} />
          )
        }
      </Loaded>
      <AssumedLinks />
    </div>
  );
}

/** One card at a time: what was said when the link was confirmed, what is said now, and what a person says to it. */
function Cards({
  items,
  total,
  workspace,
}: {
  readonly items: readonly Api['TraceLink'][];
  readonly total: number;
  readonly workspace: string;
}) {
  const say = useWords();
  const mayChange = useMay(workspace)('trace-links.write');
  const [later, setLater] = useState<readonly string[]>([]);
  const waiting = items.filter(({ id }) => !later.includes(id));
  // What was put off comes again after the others.
  const link = waiting[0] ?? items.find(({ id }) => id === later[0]) ?? items[0]!;
  const place = Math.max(0, items.indexOf(link)) + 1;
  const { decide, confirmMany, isBusy } = useDecideLinks(workspace);
  const answer = (isRight: boolean) => (): void => {
    if (mayChange && !isBusy) decide({ id: link.id, isRight });
  };
  const putOff = (): void =>
    setLater((before) => [...(waiting.length > 0 ? before : before.slice(1)), link.id]);
  useKeys({ y: answer(true), n: answer(false), s: putOff });
  useTellKeys(
    say('links'),
    useMemo(
      () => [
        ['y', say('still_right')],
        ['n', say('not_right')],
        ['s', say('later')],
      ],
      [say],
    ),
  );
  return (
    <section aria-label={say('suspect')}>
      <p className="row">
        <span className="quiet">{say.count('suspect_count', total)}</span>
        {mayChange && (
          <Button disabled={isBusy} onClick={() => confirmMany({ link_ids: items.map(({ id }) => id) })}>
            {say('confirm_all')}
          </Button>
        )}
      </p>
      <p className="small" role="status">
        {say('one_of', { place: number(place, say.language), of: number(items.length, say.language) })}
      </p>
      <LinkReview key={link.id} link={link} workspace={workspace}>
        <p className="card-foot">
          {mayChange && (
            <>
              <Button disabled={isBusy} onClick={answer(true)} title={'y'}>
                {say('still_right')}
              </Button>
              <Button disabled={isBusy} onClick={answer(false)} title={'n'}>
                {say('not_right')}
              </Button>
            </>
          )}
          {items.length > 1 && (
            <Button onClick={putOff} title={'s'}>
              {say('later')}
            </Button>
          )}
        </p>
      </LinkReview>
    </section>
  );
}
