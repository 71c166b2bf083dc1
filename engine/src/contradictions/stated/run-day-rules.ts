import type { CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { dayOf } from '../../facts/day-of.js';
import { recordWords } from '../../facts/stated/record-words.js';
import type { Evidence } from '../../findings/finding.js';
import { anyOf } from '../../words/read-words.js';
import { reports, specifications } from './execution-rules.js';
import { DATE } from './record-order-rules.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** So many other runs of a table keep to the days of a document before one that does not is told. Our own. */
const FEWEST_RUNS = 3;

interface Day {
  readonly day: string;
  /** Words beside it say that something was issued. */
  readonly isIssue: boolean;
  readonly written: string;
  readonly evidence: Evidence;
}

/** Days that a document gives outside of its tables of runs: versions, release, reviews, the period of the tests. */
function daysOf(
  { corpus }: StatedContext,
  document: CorpusDocument,
  runs: ReadonlySet<string>,
): readonly Day[] {
  const { read } = document;
  const isIssue = anyOf(recordWords().issued);
  return read.passages.flatMap((passage): Day[] => {
    if (runs.has(passage.id) || passage.role === 'header_footer' || passage.role === 'toc') return [];
    return [...passage.text.matchAll(new RegExp(DATE, 'gu'))].flatMap(({ 0: written, index }): Day[] => {
      const day = dayOf(written, document, corpus);
      if (day === undefined) return [];
      const start = passage.start + index;
      const evidence = quote(
        read.document,
        passage,
        { start, end: start + written.length },
        {
          role: 'counter',
          note: document.name,
        },
      );
      return [{ day, isIssue: isIssue.test(passage.text), written, evidence }];
    });
  });
}

/** One test ran before every day that its specification gives, or after every day of its report, and all others did not. */
export function runOutOfDays(context: StatedContext): readonly StatedContradiction[] {
  const tables = reports(context);
  const runs = new Set(tables.flat().map(({ passage }) => passage.id));
  const known = new Map<CorpusDocument, readonly Day[]>();
  const days = (document: CorpusDocument) => {
    const own = known.get(document) ?? daysOf(context, document, runs);
    known.set(document, own);
    return own;
  };
  return firstOfEach(
    tables.flatMap((rows) => {
      const dated = rows.flatMap((row) => {
        const value = row.values.get('date');
        const day = value && dayOf(value.text, row.document, context.corpus);
        return value && day !== undefined ? [{ row, value, day }] : [];
      });
      if (dated.length <= FEWEST_RUNS) return [];
      const ordered = [...dated].sort((a, b) => a.day.localeCompare(b.day));
      const [first, second, last, butLast] = [ordered[0]!, ordered[1]!, ordered.at(-1)!, ordered.at(-2)!];
      const report = first.row.document;
      const specified = specifications(context, first.row.key)[0]?.document;
      const told = (rule: string, run: typeof first, edge: Day, document: CorpusDocument) => ({
        rule,
        item: `${run.row.key} ${report.id}`,
        asil: levelOf(run.row),
        confidence: 'medium' as const,
        words: {
          test: run.row.id,
          day: run.value.text,
          document: document.name,
          edge: edge.written,
          count: dated.length - 1,
        },
        affected: [run.row.id],
        evidence: [...shown(run.row, run.value, `${run.row.id}: ${run.value.title}`), edge.evidence],
      });
      const found: StatedContradiction[] = [];
      for (const document of new Set([report, ...(specified ? [specified] : [])])) {
        const issues = days(document).filter(({ isIssue }) => isIssue);
        const earliest = edgeOf(issues, (a, b) => a < b);
        if (earliest && first.day < earliest.day && second.day >= earliest.day)
          found.push(told('run-before-issue', first, earliest, document));
      }
      const latest = edgeOf(days(report), (a, b) => a > b);
      if (latest && last.day > latest.day && butLast.day <= latest.day)
        found.push(told('run-after-report', last, latest, report));
      return found;
    }),
  );
}

function edgeOf(days: readonly Day[], isFurther: (a: string, b: string) => boolean): Day | undefined {
  return days.reduce<Day | undefined>(
    (edge, one) => (!edge || isFurther(one.day, edge.day) ? one : edge),
    undefined,
  );
}
