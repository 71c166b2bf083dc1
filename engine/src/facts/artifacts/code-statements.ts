import type { Block } from '../../documents/document.js';
import { idsInText } from './id-forms.js';
import { typeOfToolWord } from './infer-type.js';
import type { Quote } from './statement.js';
import { type StatementReading, startStatement } from './statement-reading.js';

/** `[impl->req~name~1]`, `[impl~own~1->req~name~1]`, `[utest->dsn~a~1, dsn~b~2]`. */
const ARROW_TAG =
  /\[\s*([a-z]{2,12})(?:~([\w.-]*)~?(\d*))?\s*->\s*([^\]\n>]{3,400})(?:>>[^\]\n]{0,200})?\]/gu;
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
  const found: { at: number; word: string; ids: string; idsAt: number; name?: string }[] = [];
  for (const match of text.matchAll(ARROW_TAG)) {
    const ids = match[4]!;
    found.push({
      at: match.index,
      word: match[1]!,
      ids,
      idsAt: match.index + match[0].indexOf(ids, match[1]!.length),
      ...(match[2] ? { name: `${match[1]}~${match[2]}~${match[3] || '1'}` } : {}),
    });
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
  for (const { at, word, ids, idsAt, name } of found) {
    const line = (block.location.line ?? 1) + countLines(text, at);
    const location = { ...block.location, line };
    const statement = startStatement(block, name ?? `${reading.source.id}:${line}`);
    const end = text.indexOf('\n', at + 1);
    const quote: Quote = {
      start: block.start + idsAt,
      end: block.start + idsAt + ids.length,
      location,
    };
    reading.statements.push({
      ...statement,
      location,
      start: block.start + at,
      end: block.start + (end < 0 ? text.length : end),
      text: text.slice(at, end < 0 ? text.length : end).trim(),
      typeWord: word,
      columnType: typeOfToolWord(word, reading.words) ?? 'design',
      references: [{ role: word.includes('test') ? 'verifies' : 'up', written: ids, quote, source: 'tag' }],
    });
  }
}

/** The role of a tag's word: the word itself or its end (`PartiallyVerifies`). */
function tagKind(word: string, { words }: StatementReading): 'up' | 'verifies' | undefined {
  const plain = word.toLowerCase();
  for (const [tag, role] of words.tags) if (plain === tag || plain.endsWith(tag)) return role;
  return plain.startsWith('lobster') ? 'up' : undefined;
}

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
