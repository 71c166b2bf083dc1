import { Link } from 'wouter';
import type { Api } from '../../api/client.ts';
import { StateGlyph } from '../../look/glyphs.tsx';
import { useCommonWords } from '../../parts/use-words.ts';
import { number } from '../../words/moments.ts';
import { useWords } from './use-words.ts';
import './decide.css';

type Page = Api['FirstPage'];
type Entry = Api['FindingEntry'];

/** One thing to decide: what it is, the place that shows it, what to do, and who saw it. */
export function EntryLine({
  entry,
  page,
  workspace,
}: {
  readonly entry: Entry;
  readonly page: Page;
  readonly workspace: string;
}) {
  const say = useWords();
  const common = useCommonWords();
  const names = page.analyses.filter(({ id }) => entry.analysis_ids.includes(id)).map(({ name }) => name);
  const others = entry.details_total - entry.details.length;
  return (
    <li className="entry">
      <StateGlyph of={entry.severity} label={common(`severity_${entry.severity}`)} />
      <div className="entry-body">
        <h3>
          {entry.gap_id ? (
            <Link href={`/w/${workspace}/gaps/${entry.gap_id}`}>
              <bdi>{entry.title}</bdi>
            </Link>
          ) : (
            <bdi>{entry.title}</bdi>
          )}
        </h3>
        {entry.evidence ? (
          <p className="entry-quote">
            <q>{entry.evidence.quote}</q> <cite>{entry.evidence.source}</cite>
          </p>
        ) : (
          <p className="entry-quote">
            <bdi>{entry.observed}</bdi>
          </p>
        )}
        <p>
          <bdi>{entry.recommendation}</bdi>
        </p>
        {entry.gaps_total > 1 && (
          <details>
            <summary>{say('holds', { count: number(entry.gaps_total, say.language) })}</summary>
            {entry.details.length > 0 && (
              <ul className="entry-details">
                {entry.details.map((detail) => (
                  <li key={detail}>
                    <bdi>{detail}</bdi>
                  </li>
                ))}
                {others > 0 && <li>{say('more', { count: number(others, say.language) })}</li>}
              </ul>
            )}
            <p className="entry-gaps">
              {entry.gap_ids.map((id, at) => (
                <Link key={id} className="button" href={`/w/${workspace}/gaps/${id}`}>
                  {say('gap', { number: number(at + 1, say.language) })}
                </Link>
              ))}
            </p>
          </details>
        )}
        <p className="entry-seen">{say('seen_by', { analyses: names.join(', ') })}</p>
      </div>
    </li>
  );
}
