import { hash } from 'node:crypto';
import type { Block } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import { SPECIFICATION_ID } from '../../documents/text-patterns.js';
import { idsInText } from './id-forms.js';
import { typeOfToolWord } from './infer-type.js';
import { COVERS, readSpecificationId } from './specification-id.js';
import type { StatementDraft } from './statement.js';
import { type StatementReading, startStatement } from './statement-reading.js';

/** `[impl->req~name~1]`, `[impl~own~1->req~name~1]`, `[utest->dsn~a~1, dsn~b~2]`, `[impl->req~name~1>>utest, itest]`. */
const ARROW_TAG =
  /\[\s*(?<type>[A-Za-z]{1,40})(?:~(?<own>[\p{L}\p{N}_.-]*)~?(?<revision>\d*))?\s*->\s*(?<ids>[^\]\n>]{3,400})(?:>>(?<needs>[^\]\n]{0,200}))?\]/gu;
const COVERED = new RegExp(`(?<![\\p{L}\\p{N}_~-])${SPECIFICATION_ID}(?![\\p{L}\\p{N}_~-])`, 'gu');
/** `@verifies REQ-1`, `\verifies{REQ-1}`, `lobster-trace: pkg.req`, `# Requirement: REQ-1`. */
const WORD_TAG =
  /(?<![\p{L}\p{N}:/\\.])(?:[@\\](?<word>[a-z]{3,14})|(?<colon>lobster-trace|lobster-traces)\s*:)\s*[({"']{0,2}\s*(?<ids>[^\s"')},;]{2,120}(?:\s*,\s*[^\s"')},;]{2,120}){0,30})/giu;
/** `RecordProperty("PartiallyVerifies", "REQ-1, REQ-2")`, `@pytest.mark.req("REQ-1")`. */
const CALL_TAG =
  /(?:RecordProperty\s*\(\s*["'](?<name>[^"'\n]{2,60})["']\s*,|pytest\.mark\.(?<mark>[a-z_]{2,20})\s*\()\s*["'](?<ids>[^"'\n]{2,300})["']/gu;
/** Tags of Gherkin and Robot Framework that are ids: `@REQ-1`, `[Tags]    REQ-1`. */
const ID_TAG = /(?:^|\s)@(?=[A-Z])(?<ids>[A-Z][\w.-]*\d)(?!\w)|\[Tags\]\s+(?<tags>[^\n]{2,300})/gu;

/** Tags in source text: each place is a piece of code (or a test) that the named artifacts are linked to. Linear. */
export function codeStatements(reading: StatementReading, block: Block): void {
  const { text } = block;
  if (!/[@\\[:]|RecordProperty|pytest/.test(text)) return;
  const lines = linesOf(text);
  const found: { at: number; word: string; ids: string; idsAt: number }[] = [];
  for (const match of text.matchAll(ARROW_TAG)) {
    const { type, ids } = match.groups as Record<string, string>;
    const idsAt = match.index + match[0].indexOf(ids!, match[0].indexOf('->'));
    const covered = [...ids!.matchAll(COVERED)];
    if (covered.length === 0) found.push({ at: match.index, word: type!, ids: ids!, idsAt });
    // Tags in the examples of a text are none.
    else if (reading.source.format === 'source')
      for (const one of covered)
        arrowTag(reading, { block, lines, match, id: one[0], idAt: idsAt + one.index });
  }
  for (const pattern of [WORD_TAG, CALL_TAG]) {
    for (const match of text.matchAll(pattern)) {
      const { word, colon, name, mark, ids } = match.groups!;
      const kind = tagKind((word ?? colon ?? name ?? mark)!, reading);
      if (!kind) continue;
      const isTest = kind === 'verifies' || mark !== undefined || name !== undefined;
      found.push({
        at: match.index,
        word: isTest ? 'test' : 'impl',
        ids: ids!,
        idsAt: match.index + match[0].lastIndexOf(ids!),
      });
    }
  }
  for (const match of text.matchAll(ID_TAG)) {
    const ids = (match.groups!.ids ?? match.groups!.tags)!;
    const [first] = idsInText(ids);
    if (first)
      found.push({ at: match.index, word: 'test', ids, idsAt: match.index + match[0].lastIndexOf(ids) });
  }
  for (const { at, word, ids, idsAt } of found) {
    const location = placeOf(block, lines, at);
    const quote = { start: block.start + idsAt, end: block.start + idsAt + ids.length, location };
    reading.statements.push({
      ...tagStatement(reading, block, { at, word, id: `${reading.source.id}:${location.line}`, location }),
      references: [{ role: word.includes('test') ? 'verifies' : 'up', written: ids, quote, source: 'tag' }],
    });
  }
}

/**
 * A tag of OpenFastTrace with one of the ids that it covers: an item. Without a name of its own it is called after what it
 * covers: with types that it needs in turn exactly so, else with the number of the tag among those alike in the document.
 */
function arrowTag(
  reading: StatementReading,
  {
    block,
    lines,
    match,
    id: covered,
    idAt,
  }: {
    readonly block: Block;
    readonly lines: Lines;
    readonly match: RegExpExecArray;
    readonly id: string;
    readonly idAt: number;
  },
): void {
  const { type, own, revision, needs } = match.groups as Record<string, string | undefined>;
  const needed = (needs ?? '').split(',').flatMap((one) => one.trim() || []);
  const { name } = readSpecificationId(covered)!;
  const id = own
    ? `${type}~${own}~${revision || '1'}`
    : needed.length > 0
      ? `${type}~${name}~${revision || '0'}`
      : `${unusedName(reading, `${type}~${name}-${shortHash(reading.source.id)}`)}~${revision || '0'}`;
  const location = placeOf(block, lines, match.index);
  const quote = { start: block.start + idAt, end: block.start + idAt + covered.length, location };
  reading.statements.push({
    ...tagStatement(reading, block, { at: match.index, word: type!, id, location }),
    version: readSpecificationId(id)?.revision.toString(),
    needs: needed,
    references: [{ role: 'up', written: covered, quote, exact: true, source: COVERS }],
  });
}

/** Eight digits that stand for a document. */
const shortHash = (id: string): string => hash('sha256', id, 'hex').slice(0, 8);

function unusedName({ tags }: StatementReading, name: string): string {
  const count = (tags.get(name) ?? 0) + 1;
  tags.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}

/** Where the lines of a block end, in order. */
type Lines = readonly number[];

const linesOf = (text: string): Lines => Array.from(text.matchAll(/\n/g), ({ index }) => index);

function placeOf({ location }: Block, lines: Lines, at: number): Location {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return { ...location, line: (location.line ?? 1) + low };
}

/** A tag is told with what stands behind it in its line, up to here. */
const LONGEST_TAG = 500;

/** What a tag at `at` of a block states, up to the end of its line. */
function tagStatement(
  reading: StatementReading,
  block: Block,
  {
    at,
    word,
    id,
    location,
  }: { readonly at: number; readonly word: string; readonly id: string; readonly location: Location },
): StatementDraft {
  const line = block.text.slice(at, at + LONGEST_TAG);
  const end = line.indexOf('\n', 1);
  const text = end < 0 ? line : line.slice(0, end);
  return {
    ...startStatement(block, id),
    location,
    start: block.start + at,
    end: block.start + at + text.length,
    text: text.trim(),
    typeWord: word,
    columnType: typeOfToolWord(word, reading.words) ?? 'design',
  };
}

/** The role of a tag's word: the word itself or its end (`PartiallyVerifies`). */
function tagKind(word: string, { words }: StatementReading): 'up' | 'verifies' | undefined {
  const plain = word.toLowerCase();
  for (const [tag, role] of words.tags) if (plain === tag || plain.endsWith(tag)) return role;
  return plain.startsWith('lobster') ? 'up' : undefined;
}
