import { dayOf } from '../../facts/day-of.js';
import { recordWords } from '../../facts/stated/record-words.js';
import type { StatedKind } from '../../facts/stated/stated-columns.js';
import { bareVersion, statedDocuments } from '../../facts/stated/stated-documents.js';
import { idsIn, type StatedItem } from '../../facts/stated/stated-item.js';
import { readResult } from '../../facts/test-result.js';
import { anyOf } from '../../words/read-words.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** What a specification of a test states. */
const OF_SPECIFICATIONS: readonly StatedKind[] = [
  'expected',
  'stimulus',
  'verifies',
  'precondition',
  'criterion',
];

/** Tables of results: rows of tests with their outcome. */
export function reports({ facts }: StatedContext): readonly (readonly StatedItem[])[] {
  return tablesOfItems(facts.items).filter((rows) => {
    const outcomes = rows.filter((row) => {
      const result = row.values.get('result');
      return result && (readResult(result.text) ?? 'unknown') !== 'unknown';
    });
    const isOfTests = rows.some(
      (row) => row.type === 'test' || row.values.has('measured') || row.values.has('expected'),
    );
    return isOfTests && outcomes.length * 2 > rows.length;
  });
}

/** Where a test is specified: what states more of it than an outcome. */
export const specifications = ({ facts }: StatedContext, key: string): readonly StatedItem[] =>
  (facts.byKey.get(key) ?? []).filter(
    ({ values, how }) =>
      !values.has('measured') &&
      (OF_SPECIFICATIONS.some((kind) => values.has(kind)) ||
        (how === 'record' && values.has('text') && !values.has('asil')) ||
        (how === 'table' && values.has('text') && !values.has('result') && !values.has('asil'))),
  );

/** A test failed, was not repeated with success, and no entry of a problem or a change names it. */
export function failedWithoutFollowUp(context: StatedContext): readonly StatedContradiction[] {
  const followed = anyOf(recordWords().followUp);
  const tables = reports(context);
  const reported = new Set(tables.flat());
  return firstOfEach(
    tables.flat().flatMap((row): StatedContradiction[] => {
      const result = row.values.get('result');
      if (!result || readResult(result.text) !== 'fail' || !/\d/u.test(row.id)) return [];
      const own = idsIn(row.id)[0]?.id ?? row.id;
      const isAgain = (one: StatedItem) =>
        one !== row && one.id.startsWith(own) && !/^\d/u.test(one.id.slice(own.length));
      const again = [...reported].some(
        (one) => isAgain(one) && readResult(one.values.get('result')?.text ?? '') !== 'fail',
      );
      const taken = new Set([...OF_RESULTS.map((kind) => row.values.get(kind)?.start)]);
      const remarks = row.cells.filter((cell) => !taken.has(cell.start));
      const isRemarked = remarks.some(
        ({ text }) => followed.test(text) || idsIn(text).some(({ id }) => id !== own && !verifies(row, id)),
      );
      const names = new RegExp(
        `(?<![\\p{L}\\p{N}_-])${own.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{N}.-]*\\p{N})`,
        'u',
      );
      const isTicketed = context.facts.items.some(
        (one) =>
          one.how === 'table' &&
          !reported.has(one) &&
          one.key !== row.key &&
          TICKETED.some((kind) => one.values.has(kind)) &&
          !one.values.has('asil') &&
          one.cells.some(({ text }) => names.test(text)),
      );
      if (again || isRemarked || isTicketed) return [];
      return [
        {
          rule: 'failed-without-follow-up',
          item: `${row.key} ${row.document.id}`,
          asil: levelOf(row),
          confidence: 'high',
          words: { test: row.id, result: result.text, document: row.document.name },
          affected: [row.id],
          evidence: [
            ...shown(row, result, `${row.id}: ${result.title}`),
            ...shown(row, row.values.get('measured'), row.id),
            ...shown(row, row.values.get('id'), row.id),
          ],
        },
      ];
    }),
  );
}

/** What a row of results states without a remark. */
const OF_RESULTS: readonly StatedKind[] = ['id', 'result', 'date', 'measured', 'expected', 'person'];

/** What entries of problems and changes state. */
const TICKETED: readonly StatedKind[] = ['decision', 'date', 'status', 'text'];

const verifies = (row: StatedItem, id: string): boolean =>
  (['verifies', 'parent'] as const).some((kind) => row.values.get(kind)?.text.includes(id) ?? false);

const FIRST_VERSION = /^(?:0(?:\.\d+)*|1(?:\.0)*|A)$/iu;

/** A test was executed before the first version of the document that specifies it. */
export function executedBeforeSpecified(context: StatedContext): readonly StatedContradiction[] {
  const documents = new Map(
    statedDocuments(context.corpus, context.facts).map((one) => [one.document, one] as const),
  );
  return firstOfEach(
    reports(context)
      .flat()
      .flatMap((row): StatedContradiction[] => {
        const date = row.values.get('date');
        const day = date && dayOf(date.text, row.document, context.corpus);
        if (!date || day === undefined) return [];
        const [specification] = specifications(context, row.key);
        const source = specification && documents.get(specification.document);
        const [first, ...later] = [...(source?.dateOf ?? [])].sort(([, a], [, b]) => a.localeCompare(b));
        if (!specification || !source || !first || first[1] <= day) return [];
        // One version that is not the first may follow others that nobody lists; a report may hold its tests from the start.
        const isOwn = specification.document === row.document;
        if (later.length === 0 && (isOwn || !FIRST_VERSION.test(bareVersion(first[0])))) return [];
        return [
          {
            rule: 'executed-before-specified',
            item: `${row.key} ${row.document.id}`,
            asil: levelOf(row),
            confidence: 'high',
            words: {
              test: row.id,
              day: date.text,
              document: source.document.name,
              version: first[0],
              first: first[1],
            },
            affected: [row.id],
            evidence: [
              ...shown(row, date, `${row.id}: ${date.title}`),
              ...(source.date?.field.evidence ?? []).map((one) => ({ ...one, role: 'counter' as const })),
            ],
          },
        ];
      }),
  );
}

/** A report is older than one of the tests whose results it holds. */
export function reportBeforeTests(context: StatedContext): readonly StatedContradiction[] {
  const documents = new Map(
    statedDocuments(context.corpus, context.facts).map((one) => [one.document, one] as const),
  );
  return firstOfEach(
    reports(context).flatMap((rows) => {
      const source = documents.get(rows[0]!.document);
      const written = source?.date;
      if (!source || !written) return [];
      // A specification with a column for results is dated by what it specifies.
      if (rows.some(({ values }) => OF_SPECIFICATIONS.some((kind) => values.has(kind)))) return [];
      return rows.flatMap((row): StatedContradiction[] => {
        const date = row.values.get('date');
        const day = date && dayOf(date.text, row.document, context.corpus);
        if (!date || day === undefined || day <= written.iso) return [];
        return [
          {
            rule: 'report-before-tests',
            item: source.document.id,
            asil: levelOf(row),
            confidence: 'high',
            words: {
              document: source.document.name,
              written: written.field.value!,
              test: row.id,
              executed: date.text,
            },
            affected: [row.id],
            evidence: [
              ...written.field.evidence.map((one) => ({ ...one, role: 'counter' as const })),
              ...shown(row, date, `${row.id}: ${date.title}`),
            ],
          },
        ];
      });
    }),
  );
}

/** So many tests of a report are specified in the documents, before one that is not tells something. */
const FEWEST_SPECIFIED = 3;
const SHARE_SPECIFIED = 0.7;

/** A report has the result of a test that nothing specifies, while its other tests are specified. */
export function testNotSpecified(context: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    reports(context).flatMap((rows) => {
      const tests = rows.filter((row) => row.hasId);
      const known = tests.filter((row) =>
        specifications(context, row.key).some((one) => !rows.includes(one)),
      );
      if (known.length < FEWEST_SPECIFIED || known.length < tests.length * SHARE_SPECIFIED) return [];
      return tests.flatMap((row): StatedContradiction[] => {
        if (known.includes(row) || OF_SPECIFICATIONS.some((kind) => row.values.has(kind))) return [];
        const naming = context.facts.items.filter(
          (one) =>
            !rows.includes(one) &&
            one.hasId &&
            one.key !== row.key &&
            [...one.cells, ...one.values.values()].some(
              ({ text }) => text.length <= LONGEST_LIST && idsIn(text).some(({ key }) => key === row.key),
            ),
        );
        const named = [...new Set(naming.map(({ id }) => id))];
        const result = row.values.get('result')!;
        return [
          {
            rule: 'test-not-specified',
            item: `${row.key} ${row.document.id}`,
            asil: naming.map(levelOf).find((level) => level !== undefined),
            confidence: 'medium',
            words: {
              test: row.id,
              document: row.document.name,
              specified: known.length,
              named: named.length === 0 ? '–' : named.slice(0, 5).join(', '),
            },
            affected: [row.id, ...named],
            evidence: [
              ...shown(row, row.values.get('id') ?? result, row.id),
              ...naming.slice(0, 2).flatMap((one) => {
                const place = [...one.cells, ...one.values.values()].find(({ text }) =>
                  idsIn(text).some(({ key }) => key === row.key),
                );
                return shown(one, place, one.id);
              }),
            ],
          },
        ];
      });
    }),
  );
}

/** Longer cells tell about tests, they do not name the ones of their row. */
const LONGEST_LIST = 80;
