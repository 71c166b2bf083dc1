import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { useWorkspaceId } from '../../app/workspace.ts';
import { More } from '../../parts/more.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Loaded } from '../../parts/states.tsx';
import { percent } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** What a run said of documents and items then; criteria have a page that shows any run. */
export function Results({ run }: { readonly run: Api['Analysis'] }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const results = useInfiniteQuery({
    queryKey: ['runs', workspace, run.id, 'results', say.language],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      take(
        api.GET('/analysis/analyses/{id}/results', {
          params: {
            path: { id: run.id },
            query: { limit: run.type === 'completeness' ? 10 : 50, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const title = say(run.type === 'completeness' ? 'results_documents' : 'results_items');
  return (
    <Panel title={title}>
      <Loaded query={results} lines={4}>
        {({ pages }) => (
          <>
            <ul className="records" aria-label={title}>
              {pages
                .flatMap(({ items }) => items)
                .map((one) =>
                  'templates' in one ? (
                    <li key={one.work_product_id}>
                      <DocumentResult of={one} workspace={workspace} />
                    </li>
                  ) : 'item_id' in one ? (
                    <li key={one.item_id}>
                      <ItemResult of={one} />
                    </li>
                  ) : null,
                )}
            </ul>
            <More of={results} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function DocumentResult({
  of,
  workspace,
}: {
  readonly of: Api['DocumentCompleteness'];
  readonly workspace: string;
}) {
  const say = useWords();
  return (
    <div className="record-main">
      <div className="record-name">
        <Link href={`/w/${workspace}/documents/${of.work_product_id}?v=${of.version}`}>
          <bdi>{of.name}</bdi>
        </Link>
        {of.score.value !== null && <span className="tag">{percent(of.score.value, say.language)}</span>}
      </div>
      {of.set_aside !== null && <p className="small">{of.set_aside}</p>}
      {of.templates.map((template) => (
        <details key={`${template.template_id} ${template.part}`}>
          <summary>
            <bdi>{template.name}</bdi>{' '}
            <span className="small">
              {Object.entries(template.score.states)
                .filter(([, count]) => count > 0)
                .map(([state, count]) => `${say.named('section', state)} ${count}`)
                .join(' · ')}
            </span>
          </summary>
          <ul>
            {template.sections
              .filter(({ applies }) => applies !== 'no')
              .map((section) => (
                <li key={section.key}>
                  <bdi>{section.title}</bdi>: {say.named('section', section.state)}
                  {section.reason !== '' && (
                    <div className="small">
                      <bdi>{section.reason}</bdi>
                    </div>
                  )}
                </li>
              ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

function ItemResult({ of }: { readonly of: Api['ChecklistVerdict'] }) {
  const say = useWords();
  return (
    <div className="record-main">
      <div className="record-name">
        <bdi>{of.item_id}</bdi> <span className="tag">{say.named('answer', of.verdict)}</span>
        {of.needs_confirmation && <span className="tag">{say('to_confirm')}</span>}
      </div>
      <div className="small">
        <bdi>{of.reason}</bdi>
      </div>
      {of.evidence.map(({ quote, work_product_id, range }) => (
        <blockquote key={`${work_product_id} ${range?.start} ${quote}`}>
          <bdi>{quote}</bdi>
        </blockquote>
      ))}
    </div>
  );
}
