import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { splitSentences } from '../../text/sentences.js';
import { patternOf } from '../../words/read-words.js';
import { identifierKey } from '../artifacts/identifiers.js';
import { personNamesIn } from '../person-names.js';
import { recordWords } from './record-words.js';
import type { StatedItem, StatedValue } from './stated-item.js';

/** Of items of one section: a number below those of lists of pairs. */
const FIRST_TABLE = -1_000_000;

/**
 * Who has which role, where sentences say so: "Ann Lee leads the project, Tom Ray is the test engineer. The assessor is Dr. Eva
 * Maas." Items as those of a table with a row for each role; the roles of one section are one table. Linear in the text.
 */
export function statedRoles(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  return read.passages.flatMap((passage) => {
    const { cells, kind } = read.document.blocks[passage.blockIndex]!;
    if (cells || kind === 'heading' || passage.role !== 'body' || corpus.otherItem.has(passage.id)) return [];
    return splitSentences(passage.text).flatMap(({ start, end }) => {
      const found: StatedItem[] = [];
      for (const { text, at } of clausesOf(passage.text.slice(start, end))) {
        const clause = { text, at: start + at, isListed: found.length > 0 };
        found.push(...roleIn(document, passage, clause));
      }
      return found;
    });
  });
}

interface Clause {
  readonly text: string;
  readonly at: number;
}

/** Parts of a sentence, each of which may name somebody: between commas, semicolons and "and". */
function clausesOf(sentence: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let at = 0;
  for (const match of sentence.matchAll(
    /[,;]\s(?:(?:and|und|while|während)\s)?|\s(?:and|und)\s(?=\p{Lu})/gu,
  )) {
    clauses.push({ text: sentence.slice(at, match.index), at });
    at = match.index + match[0].length;
  }
  return [...clauses, { text: sentence.slice(at), at }];
}

/** @param clause `isListed`: a role stands before it in the same sentence. */
function roleIn(
  document: CorpusDocument,
  passage: Passage,
  { text, at, isListed }: Clause & { readonly isListed: boolean },
): readonly StatedItem[] {
  const [name] = personNamesIn(text);
  if (name === undefined) return [];
  const place = text.indexOf(name);
  const [before, after] = [text.slice(0, place), text.slice(place + name.length)];
  const { roleBefore, roleAfter, roleListed } = recordWords();
  const inFront = patternOf(roleBefore, 'u').exec(before)?.groups?.role;
  const behind = [roleAfter, ...(isListed ? [roleListed] : [])]
    .map((pattern) => patternOf(pattern, 'u').exec(after)?.groups?.role)
    .find((role) => role !== undefined);
  const role = inFront ?? (before.trim() === '' ? behind : undefined);
  if (role === undefined) return [];
  const value = (words: string, from: number): StatedValue => {
    const start = passage.start + at + from;
    return { text: words, start, end: start + words.length, passage, title: '' };
  };
  const table = FIRST_TABLE - document.read.sectionOf[passage.blockIndex]!;
  const said = value(
    role,
    inFront === undefined ? place + name.length + after.indexOf(role) : before.indexOf(role),
  );
  return [
    {
      ...{ id: role, key: identifierKey(role), hasId: false, document, passage, table },
      section: document.read.sections[document.read.sectionOf[passage.blockIndex]!]?.title ?? '',
      values: new Map(),
      cells: [said, value(name, place)],
      how: 'sentence',
    },
  ];
}
