import type { CorpusDocument } from '../corpus/corpus.js';
import { quote } from '../corpus/evidence.js';
import { opensInstruction } from '../corpus/passages/guidance.js';
import type { Passage } from '../corpus/passages/passage.js';
import { findPlaceholders, type Placeholder } from '../corpus/placeholders/find-placeholders.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';
import type { ItemRecord } from './artifacts/records.js';

/** Open content with its place in a document. */
export interface OpenPoint {
  readonly placeholder: Placeholder;
  readonly passage: Passage;
  readonly evidence: Evidence;
  readonly place: 'normative' | 'metadata' | 'other';
  /** The row or paragraph with an identifier that it stands in. */
  readonly record?: ItemRecord;
}

/** Open content as a defect: what is open of which record, else the words that are. */
export function openDefect({ record, evidence, placeholder }: OpenPoint): string {
  const field = [...(record?.fields ?? [])].find(
    ([, { start, end }]) => start < evidence.end && evidence.start < end,
  );
  return `${field?.[0] ?? placeholder.pattern}: ${record?.id ?? evidence.quote}`;
}

/** Metadata stand at the start. */
const FRONT_BLOCKS = 40;
const METADATA_PATTERNS: ReadonlySet<string> = new Set(['PH-14', 'PH-15', 'PH-18']);

/** "TBC-2" in a document that is called "TBC2 Safety Plan" is the name of the product. */
function isOwnName({ name }: CorpusDocument, written: string): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\p{L}.*\d/u.test(written) && bare(name).includes(bare(written));
}

/**
 * Open content of a document by place, of at least a confidence. Change histories, glossaries, code, remarks of
 * reviewers, examples and instructions are left out (filters C3, C6, C11 and C12 of domain D.5.3).
 */
export function openPointsOf(
  document: CorpusDocument,
  records: ReadonlyMap<string, ItemRecord>,
  least: number,
): readonly OpenPoint[] {
  const { read } = document;
  return read.passages.flatMap((passage, at) => {
    // "Bitte ausfüllen" alone is open content as well as an instruction; a block of instructions is not.
    const isLoneLine =
      passage.role === 'guidance' &&
      read.passages[at - 1]?.role !== 'guidance' &&
      !opensInstruction(passage.text);
    const isContent = passage.role === 'body' || passage.role === 'scope' || isLoneLine;
    if (!isContent || passage.header) return [];
    const block = read.document.blocks[passage.blockIndex]!;
    const record = records.get(passage.id);
    const row = block.cells?.map((cell) => cell.text).join(' | ');
    const isFront = passage.blockIndex < FRONT_BLOCKS && record === undefined;
    return (block.cells ?? [passage]).flatMap((segment) => {
      const text = read.document.text.slice(segment.start, segment.end);
      const hits = findPlaceholders(text, {
        ...(passage.location.section ? { section: passage.location.section } : {}),
        ...(row === undefined ? {} : { row }),
      });
      return hits
        .filter((hit) => hit.confidence >= least)
        .filter((hit) => !isOwnName(document, text.slice(hit.start, hit.end)))
        .map((placeholder): OpenPoint => {
          const focus = { start: segment.start + placeholder.start, end: segment.start + placeholder.end };
          const isMetadata = isFront && METADATA_PATTERNS.has(placeholder.pattern);
          return {
            placeholder,
            passage,
            evidence: quote(read.document, passage, segment, {
              role: 'counter',
              note: say('general.written', { text: placeholder.what }),
              focus,
            }),
            place: isMetadata ? 'metadata' : record ? 'normative' : 'other',
            ...(record ? { record } : {}),
          };
        });
    });
  });
}
