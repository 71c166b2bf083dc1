import { dayOf } from '../../facts/day-of.js';
import { isSamePerson, personNamesIn } from '../../facts/person-names.js';
import { recordWords } from '../../facts/stated/record-words.js';
import type { StatedItem, StatedValue } from '../../facts/stated/stated-item.js';
import { anyOf } from '../../words/read-words.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** So many rows of a table keep an order before one that does not is told. */
const FEWEST_ROWS = 3;
/** Longer cells speak about more than a day. */
const LONGEST = 60;

interface Dated {
  readonly row: StatedItem;
  readonly value: StatedValue;
  readonly day: string;
}

/** Cells of each column of dates by row; a person may stand before the day. */
function datesOf(
  { corpus }: StatedContext,
  rows: readonly StatedItem[],
): ReadonlyMap<string, readonly Dated[]> {
  const columns = new Map<string, Dated[]>();
  const { notYet } = recordWords();
  for (const row of rows) {
    for (const value of row.cells) {
      const isShort = value.text.length <= LONGEST && value.title !== '';
      const written = isShort && !anyOf(notYet).test(value.title) ? DATE.exec(value.text)?.[0] : undefined;
      const day = written === undefined ? undefined : dayOf(written, row.document, corpus);
      if (day !== undefined)
        columns.set(value.title, [...(columns.get(value.title) ?? []), { row, value, day }]);
    }
  }
  return columns;
}
export const DATE =
  /(?<![\p{L}\p{N}.])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}\.?\s\p{L}{3,9}\.?\s\d{4}|\p{L}{3,9}\.?\s\d{1,2},?\s\d{4})(?![\p{L}\p{N}])/u;

/** In one row of a table two days stand in another order than in all other rows: reviewed after it was released. */
export function daysOutOfOrder(context: StatedContext): readonly StatedContradiction[] {
  const isPlanned = anyOf(recordWords().plannedTitles);
  return firstOfEach(
    tablesOfItems(context.facts.items).flatMap((rows) => {
      if (rows.length < FEWEST_ROWS) return [];
      const columns = [...datesOf(context, rows)].filter(([title]) => !isPlanned.test(title));
      return columns.flatMap(([title, first], at) =>
        columns.slice(at + 1).flatMap(([other, second]): StatedContradiction[] => {
          const pairs = first.flatMap((one) => {
            const two = second.find(({ row }) => row === one.row);
            return two ? [{ one, two }] : [];
          });
          const before = pairs.filter(({ one, two }) => one.day < two.day);
          const after = pairs.filter(({ one, two }) => one.day > two.day);
          const [alone] = after.length === 1 ? after : before.length === 1 ? before : [];
          const ordered = (after.length === 1 ? before : after).length;
          if (!alone || ordered < FEWEST_ROWS || ordered < (pairs.length - 1) * MOST_ROWS) return [];
          return [
            {
              rule: 'days-out-of-order',
              item: `${alone.one.row.key} ${alone.one.row.document.id}`,
              confidence: 'medium',
              words: {
                item: alone.one.row.id,
                first: title,
                one: alone.one.value.text,
                second: other,
                two: alone.two.value.text,
                count: ordered,
              },
              affected: [alone.one.row.id],
              evidence: [
                ...shown(alone.one.row, alone.one.value, `${alone.one.row.id}: ${title}`),
                ...shown(alone.two.row, alone.two.value, `${alone.two.row.id}: ${other}`),
                ...shown(alone.one.row, alone.one.row.cells[0], alone.one.row.id),
              ],
            },
          ];
        }),
      );
    }),
  );
}
/** Share of the other rows that keep the order; in the rest both are of one day. Our own. */
const MOST_ROWS = 0.6;

/** In one row of a table, the person who reviewed is the one who wrote. */
export function reviewerIsAuthor({ facts }: StatedContext): readonly StatedContradiction[] {
  const [isAuthor, isReviewer] = [anyOf(recordWords().authorTitles), anyOf(recordWords().reviewerTitles)];
  return firstOfEach(
    facts.items.flatMap((row): StatedContradiction[] => {
      if (isCoverRow(row)) return [];
      const named = (is: RegExp, not: RegExp) =>
        row.cells.filter(({ title, text }) => is.test(title) && !not.test(title) && text.length <= LONGEST);
      const [author] = named(isAuthor, isReviewer);
      const [writer = author && LONE_NAME.exec(author.text.trim())?.[0]] = author
        ? personNamesIn(author.text)
        : [];
      const same =
        writer === undefined
          ? undefined
          : named(isReviewer, isAuthor).find(({ text }) => {
              const names = personNamesIn(text);
              return names.length === 0
                ? text.trim() === writer
                : names.length === 1 && isSamePerson(names[0]!, writer);
            });
      if (!author || !same) return [];
      return [toldAsAuthor(row, { author, reviewer: same, writer: writer! })];
    }),
  );
}

/** A family name alone, where titles say that persons stand there. */
const LONE_NAME = /^\p{Lu}[\p{L}’'-]{2,}$/u;

function toldAsAuthor(
  row: StatedItem,
  {
    author,
    reviewer,
    writer,
  }: { readonly author: StatedValue; readonly reviewer: StatedValue; readonly writer: string },
): StatedContradiction {
  return {
    rule: 'confirmed-by-author',
    item: `${writer} ${row.id} ${row.document.id}`,
    confidence: 'high',
    words: { person: writer, what: reviewer.title || row.id, documents: `"${row.id}"` },
    affected: [row.id],
    evidence: [
      ...shown(row, reviewer, `${row.id}: ${reviewer.title}`),
      ...shown(row, author, `${row.id}: ${author.title}`),
    ],
  };
}

/** One row below its titles, at the start: what `coverOutOfOrder` looks at. */
const isCoverRow = ({ document, table, passage }: StatedItem): boolean =>
  table !== undefined && passage.blockIndex < FRONT && document.read.tables[table]?.rows.length === 1;

/** What the cover of a document says about who did what and when: by fields below each other, or by one row of titles. */
function coverOf(
  items: readonly StatedItem[],
): readonly { readonly row: StatedItem; readonly label: string; readonly value: StatedValue }[] {
  return items.flatMap((row) => {
    if (row.table === undefined) return [];
    const { rows } = row.document.read.tables[row.table] ?? { rows: [] };
    // One row below its titles.
    if (rows.length === 1) return row.cells.map((value) => ({ row, label: value.title, value }));
    const [label, value, ...more] = row.cells;
    return label && value && more.length === 0 && label.text.length <= LONGEST
      ? [{ row, label: label.text, value }]
      : [];
  });
}
/** A cover stands at the start. */
const FRONT = 14;

/** By its own cover a document was reviewed after it was released, or by the one who wrote it. */
export function coverOutOfOrder(context: StatedContext): readonly StatedContradiction[] {
  const { corpus, facts } = context;
  const [isReview, isRelease, isAuthor] = [
    recordWords().reviewerTitles,
    recordWords().releaseTitles,
    recordWords().authorTitles,
  ].map((one) => anyOf(one)) as [RegExp, RegExp, RegExp];
  const byDocument = new Map<StatedItem['document'], StatedItem[]>();
  for (const item of facts.items) {
    if (item.passage.blockIndex >= FRONT) continue;
    byDocument.set(item.document, [...(byDocument.get(item.document) ?? []), item]);
  }
  return [...byDocument].flatMap(([document, items]): StatedContradiction[] => {
    const fields = coverOf(items);
    const find = (is: RegExp) => fields.find(({ label, value }) => is.test(label) && DATE.test(value.text));
    const [review, release] = [find(isReview), find(isRelease)];
    const found: StatedContradiction[] = [];
    const days = [review, release].map(
      (one) => one && dayOf(DATE.exec(one.value.text)![0], document, corpus),
    );
    if (review && release && review !== release && days[0] && days[1] && days[0] > days[1])
      found.push({
        rule: 'reviewed-after-release',
        item: document.id,
        confidence: 'high',
        words: {
          document: document.name,
          review: days[0],
          release: days[1],
          first: review.label,
          second: release.label,
        },
        affected: [],
        evidence: [
          ...shown(review.row, review.value, review.label),
          ...shown(release.row, release.value, release.label),
        ],
      });
    const author = fields.find(
      ({ label, value }) => isAuthor.test(label) && personNamesIn(value.text).length === 1,
    );
    const [writer] = author ? personNamesIn(author.value.text) : [];
    const reviewer = fields.find(
      ({ label, value }) => isReview.test(label) && personNamesIn(value.text).length === 1,
    );
    const [other] = reviewer ? personNamesIn(reviewer.value.text) : [];
    if (author && reviewer && author !== reviewer && writer && other && isSamePerson(writer, other))
      found.push({
        rule: 'confirmed-by-author',
        item: `${writer} cover ${document.id}`,
        confidence: 'high',
        words: { person: writer, what: reviewer.label, documents: `"${document.name}"` },
        affected: [],
        evidence: [
          ...shown(reviewer.row, reviewer.value, reviewer.label),
          ...shown(author.row, author.value, author.label),
        ],
      });
    return found;
  });
}
