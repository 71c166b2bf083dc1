import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { dayOf } from '../../facts/day-of.js';
import { recordWords } from '../../facts/stated/record-words.js';
import { bareVersion } from '../../facts/stated/stated-documents.js';
import type { Evidence } from '../../findings/finding.js';
import { patternOf } from '../../words/read-words.js';
import { DATE } from './record-order-rules.js';
import { firstOfEach, type StatedContext, type StatedContradiction } from './stated-rule.js';

/** The head of a document: its first blocks. */
const HEAD = 16;
/** So many rows of a table name versions that were there on their day, before one that was not is told. Our own. */
const FEWEST_ROWS = 2;

interface Head {
  readonly document: CorpusDocument;
  readonly version: string;
  readonly day: string;
  readonly evidence: Evidence;
}

/** The version that a document has by its head, and the day of it: in the same line, or in the next one that is called a date. */
function headOf({ corpus }: StatedContext, document: CorpusDocument): Head | undefined {
  const { headVersion, headDate } = recordWords();
  const head = document.read.passages.slice(0, HEAD);
  for (const [at, passage] of head.entries()) {
    const found = patternOf(headVersion).exec(passage.text);
    if (!found) continue;
    const behind = found.index + found[0].length;
    const dates = [
      { passage, from: behind },
      ...head
        .slice(at + 1)
        .flatMap((next) => (patternOf(headDate).test(next.text) ? [{ passage: next, from: 0 }] : [])),
    ];
    for (const { passage: where, from } of dates) {
      const date = DATE.exec(where.text.slice(from));
      const day = date ? dayOf(date[0], document, corpus) : undefined;
      if (!date || day === undefined) continue;
      const start = where.start + from + date.index;
      const evidence = quote(
        document.read.document,
        where,
        { start, end: start + date[0].length },
        {
          role: 'counter',
          note: document.name,
        },
      );
      return { document, version: bareVersion(found.groups!.version!), day, evidence };
    }
    return undefined;
  }
  return undefined;
}

/** Parts of a file's name that no other file has ("FB-50", "WB2", "FSK"), and the whole of it. */
function namesOf(documents: readonly CorpusDocument[]): ReadonlyMap<CorpusDocument, readonly string[]> {
  const parts = documents.map((document) => {
    const whole = document.name.replaceAll(/^.*\/|\.[^.]+$/gu, '');
    return { document, parts: new Set([whole, ...whole.split(/[_\s]+/u)].filter((part) => part.length > 1)) };
  });
  const uses = new Map<string, number>();
  for (const one of parts) for (const part of one.parts) uses.set(part, (uses.get(part) ?? 0) + 1);
  return new Map(
    parts.map((one) => [
      one.document,
      [...one.parts].filter((part) => uses.get(part) === 1 && /[\p{Lu}\d-]/u.test(part)),
    ]),
  );
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}-]+/gu) ?? [];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * In a table of reviews one row is dated before the version that it names had its date, where the others are dated after theirs.
 * ISO 26262-2:2018, 6.4.9 (what is confirmed is the work product at hand).
 */
export function reviewedBeforeItsVersion(context: StatedContext): readonly StatedContradiction[] {
  const documents = usableDocuments(context.corpus);
  const names = namesOf(documents);
  const heads = documents.flatMap((document) => {
    const head = headOf(context, document);
    const own = names.get(document)!.map(escaped);
    // "WB2 r4", "FB-50 issue C", "functional-safety-concept 1.1".
    const named =
      head && own.length > 0
        ? new RegExp(
            `(?<![\\p{L}\\p{N}_-])(?:${own.join('|')})(?![\\p{L}\\p{N}_-])[^\\t\\n;]{0,40}?[\\s\\t](?:\\p{L}+\\.?\\s)?v?${escaped(head.version)}(?![\\p{L}\\p{N}.]*[\\p{L}\\p{N}])`,
            'u',
          )
        : undefined;
    return head && named ? [{ ...head, named }] : [];
  });
  if (heads.length === 0) return [];
  const byWord = new Map<string, Set<(typeof heads)[number]>>();
  for (const head of heads)
    for (const name of names.get(head.document)!)
      for (const word of wordsOf(name)) byWord.set(word, (byWord.get(word) ?? new Set()).add(head));
  return firstOfEach(
    documents.flatMap((document) => {
      const tables = new Map<number, Passage[]>();
      for (const passage of document.read.passages) {
        const table = document.read.tableOf[passage.blockIndex];
        if (table === undefined || table < 0 || passage.header || passage.role === 'history') continue;
        const rows = tables.get(table);
        if (rows) rows.push(passage);
        else tables.set(table, [passage]);
      }
      return [...tables.values()].flatMap((rows) => {
        const compared = rows.flatMap((row) => {
          const dates = [...row.text.matchAll(new RegExp(DATE, 'gu'))];
          const [date] = dates;
          const day = date && dates.length === 1 ? dayOf(date[0], document, context.corpus) : undefined;
          if (day === undefined) return [];
          // Whose names share no word with the row need not be looked for.
          const likely = new Set(wordsOf(row.text).flatMap((word) => [...(byWord.get(word) ?? [])]));
          const head = heads.find(
            (one) => likely.has(one) && one.document !== document && one.named.test(row.text),
          );
          return head ? [{ row, date: date!, day, head }] : [];
        });
        const early = compared.filter(({ day, head }) => day < head.day);
        const [one] = early;
        if (!one || early.length > 1 || compared.length - 1 < FEWEST_ROWS) return [];
        const item = one.row.text.split('\t')[0]!.trim() || document.name;
        const start = one.row.start + one.date.index;
        return [
          {
            rule: 'reviewed-before-written',
            item: `${item} ${one.head.document.name}`,
            confidence: 'medium' as const,
            words: {
              item,
              document: one.head.document.name,
              version: one.head.version,
              day: one.date[0],
              written: one.head.evidence.quote,
            },
            affected: [],
            evidence: [
              quote(
                document.read.document,
                one.row,
                { start, end: start + one.date[0].length },
                {
                  role: 'counter' as const,
                  note: item,
                },
              ),
              one.head.evidence,
            ],
          },
        ];
      });
    }),
  );
}
