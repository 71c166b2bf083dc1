import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Api, api, take } from '../../api/client.ts';
import { useMay } from '../../app/workspace.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { number } from '../../words/moments.ts';
import { AddLink } from './add-link.tsx';
import { ArtifactLink } from './artifact-link.tsx';
import { useDecideLinks } from './decide-links.ts';
import { type ArtifactType, DUTIES, type Duty } from './types.ts';
import { useWords } from './use-words.ts';

type Link = Api['TraceLink'];

/** Links of an artifact that are listed; the rest is counted. */
const MOST = 100;
/** What stands above what it links to, read "source, type, target". */
const UP = new Set<Link['link_type']>(['derives_from', 'satisfies']);

/** An artifact whose links are looked at. */
export interface Linked {
  /** As the documents write it. */
  readonly id: string;
  readonly type: ArtifactType;
}

/** The links of an artifact, upward and downward: each to be confirmed, rejected or removed, and new ones to be made. */
export function LinksOf({
  workspace,
  of,
  onClose,
}: {
  readonly workspace: string;
  readonly of: Linked;
  readonly onClose: () => void;
}) {
  const say = useWords();
  const may = useMay(workspace)('trace-links.write');
  const [adding, setAdding] = useState<Duty>();
  const links = useQuery({
    queryKey: ['trace', workspace, 'links-of', of.id],
    queryFn: ({ signal }) =>
      take(
        api.GET('/traceability/links', {
          params: {
            query: {
              workspace_id: workspace,
              artifact_id: of.id,
              rejected: false,
              refs: true,
              sort: 'created_at',
              limit: MOST,
            },
          },
          signal,
        }),
      ),
  });
  const isUp = (link: Link): boolean => (link.source_id === of.id) === UP.has(link.link_type);
  if (adding) {
    return (
      <AddLink
        workspace={workspace}
        of={{ id: of.id, type: of.type, duty: adding }}
        onClose={() => setAdding(undefined)}
      />
    );
  }
  const { data } = links;
  return (
    <Dialog title={say('links_of', { id: of.id })} onClose={onClose}>
      {data ? (
        <>
          {(['upward', 'downward'] as const).map((side) => (
            <section key={side} className="stack" aria-label={say(side)}>
              <h3>{say(side)}</h3>
              <LinkList
                workspace={workspace}
                of={of.id}
                links={data.items.filter((link) => isUp(link) === (side === 'upward'))}
                names={data.refs?.artifacts ?? {}}
              />
              {may && (
                <p className="row">
                  {DUTIES.filter(
                    (duty) => (duty === 'upstream') === (side === 'upward') && canOwe(of, duty),
                  ).map((duty) => (
                    <Button key={duty} onClick={() => setAdding(duty)}>
                      {say(`add_${duty}`)}
                    </Button>
                  ))}
                </p>
              )}
            </section>
          ))}
          {data.total > data.items.length && (
            <p className="small">
              {say.count('listed', data.items.length, { total: number(data.total, say.language) })}
            </p>
          )}
        </>
      ) : links.error ? (
        <Failure error={links.error} onAgain={() => void links.refetch()} />
      ) : (
        <Skeleton lines={5} />
      )}
    </Dialog>
  );
}

/** Goals and requirements can have everything, what is at the end of a leg no more than what stands below it there. */
const canOwe = ({ type }: Linked, duty: Duty): boolean => {
  if (duty === 'upstream') return type !== 'hazardous_event';
  if (duty === 'evidence') return type === 'test';
  return type !== 'test' && type !== 'evidence';
};

function LinkList({
  workspace,
  of,
  links,
  names,
}: {
  readonly workspace: string;
  readonly of: string;
  readonly links: readonly Link[];
  readonly names: NonNullable<Api['TraceLinkList']['refs']>['artifacts'];
}) {
  const say = useWords();
  const may = useMay(workspace)('trace-links.write');
  const { decide, isBusy } = useDecideLinks(workspace);
  if (links.length === 0) return <p className="quiet">{say('no_links')}</p>;
  return (
    <ul className="stack">
      {links.map((link) => {
        const other = link.source_id === of ? link.target_id : link.source_id;
        const said = say('link_said', {
          source: link.source_id,
          type: say.named('link', link.link_type),
          target: link.target_id,
        });
        return (
          <li key={link.id} className="proposal">
            <span>
              <ArtifactLink workspace={workspace} id={names[other]?.id ?? null} artifactId={other} />{' '}
              <bdi>{names[other]?.name}</bdi>
              <br />
              <span className="small">
                <bdi>{said}</bdi>
              </span>{' '}
              {link.dangling && <span className="tag">{say('not_defined')}</span>}
              {link.suspect && <span className="tag">{say('is_suspect')}</span>}
              {link.assumed && <span className="tag">{say('is_assumed')}</span>}
              {link.confirmed_at && !link.suspect && <span className="tag">{say('is_confirmed')}</span>}
            </span>
            {may && (
              <span className="row">
                {!link.dangling && (link.suspect || link.confirmed_at === null) && (
                  <Button
                    disabled={isBusy}
                    aria-label={`${say(link.suspect ? 'still_right' : 'is_right')}: ${said}`}
                    onClick={() => decide({ id: link.id, isRight: true })}
                  >
                    {say(link.suspect ? 'still_right' : 'is_right')}
                  </Button>
                )}
                <Button
                  disabled={isBusy}
                  aria-label={`${say(link.origin === 'manual' ? 'remove' : 'not_right')}: ${said}`}
                  onClick={() => decide({ id: link.id, isRight: false })}
                >
                  {say(link.origin === 'manual' ? 'remove' : 'not_right')}
                </Button>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
