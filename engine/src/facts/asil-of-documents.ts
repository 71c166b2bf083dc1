import { type Asil, type AsilLevel, asilRank, asilsInText, parseAsil, severityAsil } from '../asil/asil.js';
import { type Corpus, usableDocuments } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { labelsOfCells } from '../corpus/passages/record-tables.js';
import type { Evidence } from '../findings/finding.js';
import { patternOf } from '../words/read-words.js';
import { checkWords } from './check-words.js';

/** ASILs that the documents state, the highest with its place. */
export interface StatedAsils {
  readonly highest?: AsilLevel;
  readonly evidence: readonly Evidence[];
  /** A decomposed ASIL such as B(D) is stated somewhere. */
  readonly decomposed?: Evidence;
}

const ASIL_TITLE = /^(?:.*(?<!\p{L}))?A?SIL(?!\p{L})/iu;

/** "Four projects up to ASIL D": what a person has done before, in the clause of the level. */
function isOfExperience(text: string, { start, end }: { start: number; end: number }): boolean {
  const before = /[^.;:\n]{0,40}$/u.exec(text.slice(0, start))![0];
  const after = /^[^.;:\n]{0,40}/u.exec(text.slice(end))![0];
  return patternOf(checkWords().experience).test(`${before} ${after}`);
}

/** Reads cells of ASIL columns and ASILs in running text; ranges, examples and scales do not count. */
export function statedAsils(corpus: Corpus): StatedAsils {
  let highest: { level: AsilLevel; evidence: Evidence } | undefined;
  let decomposed: Evidence | undefined;
  for (const { read } of usableDocuments(corpus)) {
    const { document } = read;
    const note = (asil: Asil, passageIndex: number, place: { start: number; end: number }) => {
      const level = severityAsil(asil);
      if (highest && decomposed && asilRank(level) <= asilRank(highest.level)) return;
      const evidence = quote(document, read.passages[passageIndex]!, place, {
        role: 'context',
        note: `ASIL ${level}`,
      });
      if (!highest || asilRank(level) > asilRank(highest.level)) highest = { level, evidence };
      if (asil.original && asil.own !== asil.original) decomposed ??= evidence;
    };
    for (const passage of read.passages) {
      if (passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
      const block = document.blocks[passage.blockIndex]!;
      const table = read.tables[read.tableOf[passage.blockIndex]!];
      const labels = table && labelsOfCells(read, table);
      for (const segment of block.cells ?? [passage]) {
        const title =
          'column' in segment
            ? labels
              ? labels.get(segment.start)
              : table?.columns[segment.column]
            : undefined;
        const cell =
          title !== undefined && ASIL_TITLE.test(title) && (labels || !passage.header)
            ? parseAsil(segment.text)
            : undefined;
        if (cell) note(cell, passage.blockIndex, segment);
        else
          for (const found of asilsInText(segment.text)) {
            if (isOfExperience(segment.text, found)) continue;
            note(found.asil, passage.blockIndex, {
              start: segment.start + found.start,
              end: segment.start + found.end,
            });
          }
      }
    }
  }
  return {
    ...(highest ? { highest: highest.level } : {}),
    evidence: highest ? [highest.evidence] : [],
    ...(decomposed ? { decomposed } : {}),
  };
}
