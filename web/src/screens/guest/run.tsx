import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Api, api, take } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { placeInWords } from '../../parts/place.ts';
import { Loaded } from '../../parts/states.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { dateAndTime, number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';

/** A run with its findings, each with what shows it. */
export function Run({ access, id }: { readonly access: Api['GuestAccess']; readonly id: string }) {
  const say = useWords();
  const common = useCommonWords();
  const run = useQuery({
    queryKey: ['run', id, 'guest', say.language],
    queryFn: ({ signal }) =>
      take(
        api.GET('/analysis/analyses/{id}', { params: { path: { id }, query: { include: 'gaps' } }, signal }),
      ),
  });
  return (
    <Loaded query={run}>
      {(analysis) => (
        <section aria-label={common.named('analysis', analysis.type)}>
          <h2>{common.named('analysis', analysis.type)}</h2>
          <p className="hint">
            {analysis.finished_at && <>{dateAndTime(analysis.finished_at, say.language)} · </>}
            {analysis.score !== null && (
              <>{say('score', { score: number(Math.round(analysis.score), say.language) })} · </>
            )}
            {say.count('findings', analysis.gaps_total)}
          </p>
          <ol className="guest-findings">
            {analysis.gaps.map((gap) => (
              <li key={gap.id}>
                <details className="panel">
                  <summary>
                    <StateGlyph of={gap.severity} label={common(`severity_${gap.severity}`)} />{' '}
                    <bdi>{gap.title}</bdi>
                  </summary>
                  <div className="panel-body">
                    <p>
                      <bdi>{gap.observed}</bdi>
                    </p>
                    {gap.recommendation && (
                      <p className="hint">
                        <bdi>{gap.recommendation}</bdi>
                      </p>
                    )}
                    {gap.evidence.map((one) => (
                      <Shown
                        key={`${one.work_product_id} ${one.range?.start} ${one.quote}`}
                        of={one}
                        href={`/me/guest/${access.id}?run=${id}&document=${one.work_product_id}&v=${one.version}${one.range ? `&at=${one.range.start}-${one.range.end}` : ''}`}
                      />
                    ))}
                    {gap.evidence.length === 0 && <p className="hint">{say('no_places')}</p>}
                  </div>
                </details>
              </li>
            ))}
          </ol>
          {analysis.gaps_total > analysis.gaps.length && (
            <p className="hint">{say('first_findings', { shown: analysis.gaps.length })}</p>
          )}
        </section>
      )}
    </Loaded>
  );
}

function Shown({ of, href }: { readonly of: Api['Evidence']; readonly href: string }) {
  const say = useWords();
  const common = useCommonWords();
  return (
    <figure className="quote" data-role={of.role}>
      <blockquote>
        <bdi>{of.quote}</bdi>
      </blockquote>
      <figcaption className="small">
        {common.named('role', of.role)} ·{' '}
        <Link href={href}>{placeInWords(of.location, common) || say('place')}</Link>
      </figcaption>
    </figure>
  );
}
