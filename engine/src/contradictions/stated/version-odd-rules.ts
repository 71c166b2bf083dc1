import { usableDocuments } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { recordWords } from '../../facts/stated/record-words.js';
import type { Evidence } from '../../findings/finding.js';
import { firstOfEach, type StatedContext, type StatedContradiction } from './stated-rule.js';

/** So many places agree about a version before one that names another is told. Our own. */
const FEWEST_PLACES = 3;

/** A version that one place names behind a name. */
interface Place {
  readonly name: string;
  readonly version: string;
  readonly document: string;
  readonly isRow: boolean;
  readonly passage: Passage;
  readonly evidence: () => Evidence;
}

/**
 * One place names another version of something than all others do: "TSA 1.4" where TSA 1.5 is what everybody else used. Neither name nor
 * version has to be known as that of a document.
 */
export function versionNamedOtherwise({ corpus }: StatedContext): readonly StatedContradiction[] {
  const { versionNamed, versionChanged, versionOfThePast } = recordWords();
  const named = new RegExp(versionNamed, 'gu');
  const changed = new RegExp(versionChanged, 'iu');
  const past = new RegExp(versionOfThePast, 'iu');
  const byName = new Map<string, Place[]>();
  for (const { id, name: where, read } of usableDocuments(corpus)) {
    for (const passage of read.passages) {
      if (passage.role !== 'body' && passage.role !== 'references' && passage.role !== 'scope') continue;
      if (past.test(passage.text)) continue;
      for (const match of passage.text.matchAll(named)) {
        const { name } = match.groups!;
        const version = match.groups!.version!.replace(/^\D*(?=\d)|^.*[\s.](?=[A-Z]$)/u, '');
        if (changed.test(passage.text.slice(match.index + match[0].length))) continue;
        const key = name!.toLowerCase();
        const start = passage.start + match.index;
        // Of a row, the cell of the version.
        const cell = match[0].lastIndexOf('\t') + 1;
        const place = { start: start + cell, end: start + match[0].length };
        const one: Place = {
          name: name!,
          version,
          document: id,
          isRow: read.document.blocks[passage.blockIndex]!.cells !== undefined,
          passage,
          evidence: () => quote(read.document, passage, place, { role: 'counter', note: where }),
        };
        const known = byName.get(key);
        if (known) known.push(one);
        else byName.set(key, [one]);
      }
    }
  }
  return firstOfEach([...byName].flatMap(([key, places]) => oddOf(key, places)));
}

function oddOf(key: string, places: readonly Place[]): readonly StatedContradiction[] {
  const versions = new Map<string, Place[]>();
  for (const one of places) {
    const same = versions.get(one.version);
    if (same) same.push(one);
    else versions.set(one.version, [one]);
  }
  if (versions.size !== 2) return [];
  const [few, many] = [...versions.values()].sort((a, b) => a.length - b.length) as [Place[], Place[]];
  const [odd] = few;
  if (!odd || few.length > 1 || many.length < FEWEST_PLACES) return [];
  // Among rows or sentences of its document that name the usual one, it is what was before.
  if (many.some(({ document, isRow }) => document === odd.document && isRow === odd.isRow)) return [];
  const other = many[0]!;
  return [
    {
      rule: 'version-named-otherwise',
      item: key,
      confidence: 'medium',
      words: { name: odd.name, version: odd.version, usual: other.version, count: String(many.length) },
      affected: [],
      evidence: [odd.evidence(), other.evidence()],
    },
  ];
}
