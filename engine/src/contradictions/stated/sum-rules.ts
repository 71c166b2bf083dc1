import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import { cellText } from '../../corpus/passages/tables.js';
import type { Cell } from '../../documents/document.js';
import { quantitiesIn, timeIn } from '../../facts/quantities.js';
import { stateWords } from '../../facts/stated/state-words.js';
import type { StatedKind } from '../../facts/stated/stated-columns.js';
import type { StatedItem } from '../../facts/stated/stated-item.js';
import { tablesOfItems } from './set-rules.js';
import { firstOfEach, levelOf, type StatedContext, type StatedContradiction, shown } from './stated-rule.js';

/** The handling time of a row is not what its detection and reaction take together, or exceeds its interval. */
export function handlingTimeWrong({ facts }: StatedContext): readonly StatedContradiction[] {
  return firstOfEach(
    facts.items.flatMap((item): StatedContradiction[] => {
      const time = (kind: 'handling' | 'detection' | 'reaction' | 'interval') => {
        const value = item.values.get(kind);
        return value && timeIn(totalOf(value.text), value.title);
      };
      const [handling, detection, reaction, interval] = [
        time('handling'),
        time('detection'),
        time('reaction'),
        time('interval'),
      ];
      if (!handling) return [];
      const sum = detection && reaction && detection.value + reaction.value;
      // A row may give a third part in a column of its own, such as the time for reporting.
      const named = new Set(
        (['handling', 'detection', 'reaction', 'interval'] as const).map(
          (kind) => item.values.get(kind)?.title,
        ),
      );
      const more = item.cells.flatMap(({ text, title }) =>
        named.has(title) ? [] : (timeIn(text, title)?.value ?? []),
      );
      const isSum = (total: number) => Math.abs(total - handling.value) <= 1e-6;
      // "400 ms + 100 ms", "180 ms guard and 120 ms steering": a cell adds up what a part consists of.
      const whole = sumOf(item, 'detection') + sumOf(item, 'reaction');
      const others = more.reduce((total, part) => total + part, 0);
      // "Switching off 10 ms | Mechanics 140 ms | Reaction 150 ms": one column is the total of two others.
      const isNested =
        detection !== undefined &&
        reaction !== undefined &&
        more.some(
          (total) =>
            isSum(detection.value + total) &&
            more.some((part) => Math.abs(reaction.value + part - total) <= 1e-6),
        );
      const isWrong =
        sum !== undefined && !isNested && [sum, whole].every((part) => !isSum(part) && !isSum(part + others));
      const isLong = interval !== undefined && handling.value > interval.value;
      if (!isWrong && !isLong) return [];
      const kinds = isWrong
        ? (['handling', 'detection', 'reaction'] as const)
        : (['handling', 'interval'] as const);
      return [
        {
          rule: isWrong ? 'handling-time-wrong' : 'handling-time-too-long',
          item: `${item.key} ${item.document.id}`,
          asil: levelOf(item),
          confidence: 'high',
          words: {
            item: item.id,
            handling: handling.written,
            ...(isWrong
              ? {
                  detection: detection!.written,
                  reaction: reaction!.written,
                  sum: `${Number(sum!.toFixed(3))} ms`,
                }
              : { interval: interval!.written }),
          },
          affected: [item.id],
          evidence: kinds.flatMap((kind) =>
            shown(item, item.values.get(kind), `${item.id}: ${item.values.get(kind)!.title}`),
          ),
        },
      ];
    }),
  );
}

/** "40 ms filter + 60 ms samples = 100 ms": what a cell adds up to. */
const totalOf = (text: string): string => (text.includes('+') ? text.split('=').at(-1)! : text);

const ADDED = /^[^\d.;]{0,40}(?:\+|(?<!\p{L})(?:and|und)(?!\p{L}))\s*$/u;

/** All times of a cell whose times are added up, in milliseconds. */
function sumOf(item: StatedItem, kind: StatedKind): number {
  const text = totalOf(item.values.get(kind)?.text ?? '');
  const times = quantitiesIn(text).filter((one) => one.kind === 'time');
  const isAdded = times.every(
    ({ start }, at) => at === 0 || ADDED.test(text.slice(times[at - 1]!.end, start)),
  );
  return (isAdded ? times : times.slice(0, 1)).reduce((total, { value }) => total + value, 0);
}

/** A row says that what it is about is not complied with, where other rows say that they are. */
export function notComplied({ facts }: StatedContext): readonly StatedContradiction[] {
  const { compliance } = stateWords();
  const [yes, no] = [compliance.yes, compliance.no].map(
    (words) => new RegExp(`^(?:${words})(?!\\p{L})`, 'iu'),
  );
  return tablesOfItems(facts.items).flatMap((rows): StatedContradiction[] => {
    const said = (row: (typeof rows)[number]) => row.values.get('compliance')?.text.trim() ?? '';
    const open = rows.filter((row) => no!.test(said(row)));
    const met = rows.filter((row) => yes!.test(said(row)));
    if (open.length === 0 || met.length === 0) return [];
    const first = open[0]!;
    const ids = open.map(({ id }) => id);
    return [
      {
        rule: 'not-complied',
        item: `${first.document.id} ${ids.join(',')}`,
        asil: levelOf(first),
        confidence: 'high',
        words: { items: ids, title: first.values.get('compliance')!.title, met: met.length },
        affected: ids,
        evidence: open.slice(0, 4).flatMap((row) => shown(row, row.values.get('compliance'), row.id)),
      },
    ];
  });
}

const NUMBER = /^\s*[<≤~≈]?\s*(-?\d+(?:[.,]\d+)?)\s*([\p{L}%µ°/]{0,12})\s*$/u;

interface Entry {
  readonly cell: Cell;
  readonly value: number;
  readonly unit: string;
  readonly decimals: number;
}

/** A row of totals states something else than the numbers above it add up to. */
export function totalWrong({ corpus }: StatedContext): readonly StatedContradiction[] {
  const total = new RegExp(`^(?:${stateWords().total})\\P{L}*$`, 'iu');
  return usableDocuments(corpus).flatMap(({ id, name, read }) =>
    read.tables.flatMap((table) => {
      const at = table.rows.findIndex(
        (row) => total.test(cellText(row, 0).trim()) || total.test(cellText(row, 1).trim()),
      );
      const row = table.rows[at];
      // A total of one number is none, and what stands below a total belongs to something else.
      if (!row || at < 2 || at !== table.rows.length - 1) return [];
      const passage = read.passages[row.block]!;
      if (passage.role !== 'body') return [];
      return table.columns.flatMap((title, column): StatedContradiction[] => {
        const stated = entryOf(row.cells.get(column));
        const parts = table.rows.slice(0, at).map((one) => one.cells.get(column));
        const entries = parts.map(entryOf);
        if (!stated || entries.some((one, position) => !one && (parts[position]?.text.trim() ?? '') !== ''))
          return [];
        const numbers = entries.flatMap((one) => one ?? []);
        if (numbers.length < 2 || numbers.some(({ unit }) => unit !== stated.unit)) return [];
        const sum = numbers.reduce((all, { value }) => all + value, 0);
        const precision = Math.max(...numbers.map(({ decimals }) => decimals));
        // Numbers with fractions may be rounded by half of their last digit.
        const rounding =
          precision === 0 ? 0 : numbers.length * 0.5 * 10 ** -precision + 0.5 * 10 ** -stated.decimals;
        if (Math.abs(sum - stated.value) <= rounding + 1e-9) return [];
        const written = `${Number(sum.toFixed(6))}${stated.unit ? ` ${stated.unit}` : ''}`;
        return [
          {
            rule: 'total-wrong',
            item: `${id} ${table.id} ${column}`,
            confidence: 'medium',
            words: {
              title: title ?? '',
              stated: stated.cell.text.trim(),
              sum: written,
              numbers: numbers.length,
              document: name,
            },
            affected: [],
            evidence: [
              quote(read.document, passage, stated.cell, { role: 'counter', note: title ?? '' }),
              ...numbers.slice(0, 3).map(({ cell }) => {
                const own = table.rows.find((one) => one.cells.get(column) === cell)!;
                return quote(read.document, read.passages[own.block]!, cell, {
                  role: 'counter',
                  note: title ?? '',
                });
              }),
            ],
          },
        ];
      });
    }),
  );
}

function entryOf(cell: Cell | undefined): Entry | undefined {
  const match = cell && NUMBER.exec(cell.text);
  if (!cell || !match) return undefined;
  const written = match[1]!.replace(',', '.');
  return { cell, value: Number(written), unit: match[2]!, decimals: written.split('.')[1]?.length ?? 0 };
}
