import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { ChangedWords } from '../../parts/changed-words.tsx';
import { Loaded } from '../../parts/states.tsx';
import { dateAndTime } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

type End = Api['TraceLinkReview']['source'];
type Content = NonNullable<End['before']>;

/** A link with what both ends said when it was confirmed, and what they say now. */
export function LinkReview({
  link,
  workspace,
  children,
}: {
  readonly link: Api['TraceLink'];
  readonly workspace: string;
  readonly children: ReactNode;
}) {
  const say = useWords();
  const review = useQuery({
    queryKey: ['trace', workspace, 'review', link.id, link.updated_at, link.confirmed_at, link.suspect],
    queryFn: ({ signal }) =>
      take(api.GET('/traceability/links/{id}/review', { params: { path: { id: link.id } }, signal })),
  });
  return (
    <article className="card review" aria-label={say('suspect')}>
      <h2 className="review-link">
        <bdi className="mono">{link.source_id}</bdi> <span>{say.named('link', link.link_type)}</span>{' '}
        <bdi className="mono">{link.target_id}</bdi>
      </h2>
      {link.confirmed_at && (
        <p className="small">{say('confirmed_on', { date: dateAndTime(link.confirmed_at, say.language) })}</p>
      )}
      {link.quote && (
        <p className="quote">
          <bdi>{link.quote}</bdi>
        </p>
      )}
      <Loaded query={review} lines={6}>
        {({ source, target }) => (
          <>
            <ReviewedEnd of={source} end="source" workspace={workspace} />
            <ReviewedEnd of={target} end="target" workspace={workspace} />
          </>
        )}
      </Loaded>
      {children}
    </article>
  );
}

function ReviewedEnd({
  of,
  end,
  workspace,
}: {
  readonly of: End;
  readonly end: 'source' | 'target';
  readonly workspace: string;
}) {
  const say = useWords();
  const isSame = of.before !== null && of.now !== null && of.changed.length === 0;
  return (
    <section className="review-end" data-same={isSame || undefined}>
      <h3>
        {say(`review_${end}`)}{' '}
        {of.now ? (
          <Link className="mono" href={`/w/${workspace}/trace/artifacts/${of.now.id}`}>
            <bdi>{of.artifact_id}</bdi>
          </Link>
        ) : (
          <bdi className="mono">{of.artifact_id}</bdi>
        )}
        {isSame && <span className="tag">{say('unchanged')}</span>}
      </h3>
      {isSame ? (
        <p>
          <bdi>{of.now?.text || of.now?.name}</bdi>
        </p>
      ) : (
        <div className="review-sides">
          <Side title={say('then')} content={of.before} of={of} side="delete" absent={say('then_unknown')} />
          <Side title={say('now')} content={of.now} of={of} side="insert" absent={say('not_defined')} />
        </div>
      )}
    </section>
  );
}

function Side({
  title,
  content,
  of,
  side,
  absent,
}: {
  readonly title: string;
  readonly content: Content | null;
  readonly of: End;
  readonly side: 'delete' | 'insert';
  /** What is said where nothing is known. */
  readonly absent: string;
}) {
  const say = useWords();
  return (
    <div className="review-side" data-side={side}>
      <h4>
        {title}
        {content?.version != null && (
          <span className="small"> {say('of_version', { version: content.version })}</span>
        )}
      </h4>
      {content ? (
        <>
          <p className="review-text">
            {of.words ? <ChangedWords words={of.words} side={side} /> : <bdi>{content.text}</bdi>}
          </p>
          <dl className="review-facts">
            {of.changed
              .filter((name) => name !== 'text')
              .map((name) => (
                <div key={name}>
                  <dt>{say(`attribute_${name}`)}</dt>
                  <dd>
                    <bdi>{factIn(content, name, say)}</bdi>
                  </dd>
                </div>
              ))}
          </dl>
        </>
      ) : (
        <p className="quiet">{absent}</p>
      )}
    </div>
  );
}

function factIn(
  content: Content,
  name: Exclude<End['changed'][number], 'text'>,
  say: ReturnType<typeof useWords>,
): string {
  const value = content[name];
  if (value === null) return '–';
  if (name === 'type') return say.named('type', content.type);
  if (name === 'result') return say.named('result', content.result ?? '');
  if (name === 'ratings' && content.ratings) {
    const { severity, exposure, controllability } = content.ratings;
    return `S${severity} E${exposure} C${controllability}`;
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}
