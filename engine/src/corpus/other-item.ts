import { z } from 'zod';
import { normaliseText } from '../text/normalise.js';
import { anyOf, listSchema, readWords } from '../words/read-words.js';
import type { AnalysisScope } from './corpus.js';
import type { ReadDocument } from './passages/passages-of.js';

const schema = z.strictObject({
  statements: listSchema,
  itemNouns: listSchema,
  generic: listSchema,
  opposites: z.array(listSchema),
});

/** A name that other sections use as well belongs to the item. */
const USED_ELSEWHERE = 2;

/**
 * Passages that speak of another item or variant (trap T4): those from a statement such as "The following
 * requirements apply to the seat heating control unit" to the end of its section, and sections whose heading
 * names a variant that excludes the one in scope. Needs the name of the item; elements of the item, which are
 * named all over the documents, are not other items.
 * Returns passage id → what it speaks of.
 */
export function otherItemPassages(
  documents: readonly ReadDocument[],
  scope: AnalysisScope,
): ReadonlyMap<string, string> {
  const foreign = new Map<string, string>();
  const own = [scope.item, scope.variant, ...(scope.aliases ?? [])].filter((name) => name !== undefined);
  if (own.length === 0) return foreign;
  const words = readWords('applicability', schema);
  const statement = anyOf(words.statements.map((pattern, at) => pattern.replace('<name>', `<name${at}>`)));
  const generic = new RegExp(`^(?:${words.generic.join('|')})(?!\\p{L})`, 'iu');
  const itemNoun = new RegExp(`(?<!\\p{L})(?:${words.itemNouns.join('|')})(?!\\p{L})`, 'iu');
  const opposite = oppositeVariant(words.opposites, scope.variant);

  const distinctive = (name: string) =>
    normaliseText(name)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(
        (word) =>
          word.length > 2 && !itemNoun.test(word) && !/^(?:the|der|die|das|and|und|control|only)$/.test(word),
      );
  const ownWords = new Set(own.flatMap(distinctive));

  for (const read of documents) {
    for (const [position, section] of read.sections.entries()) {
      if (opposite?.test(section.title)) mark(read, section.start, section.end, section.title.trim());
      for (let index = section.start; index < section.ownEnd; index++) {
        const passage = read.passages[index]!;
        const match = statement.exec(passage.text);
        if (!match) continue;
        const name =
          Object.values(match.groups ?? {})
            .find((value) => value !== undefined)
            ?.trim() ?? '';
        if (generic.test(name) || !itemNoun.test(name)) continue;
        const telling = distinctive(name);
        if (telling.length === 0 || telling.some((word) => ownWords.has(word))) continue;
        if (isUsedElsewhere(documents, telling, read, position)) continue;
        mark(read, index, section.end, name.replace(/\s+/g, ' ').slice(0, 80));
      }
    }
  }
  return foreign;

  function mark(read: ReadDocument, from: number, to: number, name: string): void {
    for (let index = from; index < to; index++) foreign.set(read.passages[index]!.id, name);
  }
}

function oppositeVariant(
  pairs: readonly (readonly string[])[],
  variant: string | undefined,
): RegExp | undefined {
  if (variant === undefined) return undefined;
  const names = (list: readonly string[]) => new RegExp(`(?<!\\p{L})(?:${list.join('|')})(?!\\p{L})`, 'iu');
  const own = pairs.find((list) => names(list).test(variant));
  if (!own) return undefined;
  const others = pairs.filter((list) => list !== own).flat();
  return others.length > 0 ? names(others) : undefined;
}

function isUsedElsewhere(
  documents: readonly ReadDocument[],
  telling: readonly string[],
  here: ReadDocument,
  position: number,
): boolean {
  const section = here.sections[position]!;
  let uses = 0;
  for (const read of documents) {
    for (const passage of read.passages) {
      const isHere =
        read === here && passage.blockIndex >= section.start - 1 && passage.blockIndex < section.end;
      if (isHere || passage.role === 'toc') continue;
      const text = normaliseText(passage.text);
      if (telling.every((word) => text.includes(word)) && ++uses >= USED_ELSEWHERE) return true;
    }
  }
  return false;
}
