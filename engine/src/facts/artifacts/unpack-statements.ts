import type { Location } from '../../documents/location.js';
import type { ReadStatements } from './extract-artifacts.js';
import { CELL_ROW, FORM, HEAD_BYTES, type Head, littleEndian, NONE, type Part } from './packed-form.js';
import type { DocumentStatements, Quote, Reference, References, Statement } from './statement.js';

const NO_REFERENCES: readonly Reference[] = [];

/**
 * What `packStatements` packed, of a document with this id and the text that it was packed with. Undefined for bytes of another form.
 * Linear; the parts that statements have alike are the same objects.
 */
export function unpackStatements(bytes: Uint8Array, id: string, within = ''): ReadStatements | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEAD_BYTES || view.getUint32(0, true) !== FORM) return undefined;
  const size = view.getUint32(4, true);
  const headAt = HEAD_BYTES + size;
  const textsAt = headAt + view.getUint32(8, true);
  const { parts, encoding } = JSON.parse(buffer.toString('utf8', headAt, textsAt)) as Head;
  const texts = buffer.toString(encoding, textsAt);
  // A copy: where the bytes begin need not be where numbers may.
  const numbers = new Int32Array(new Uint8Array(bytes.subarray(HEAD_BYTES, headAt)).buffer);
  littleEndian(numbers);
  let at = 0;
  const column = (rows: number): Int32Array => {
    at += rows;
    return numbers.subarray(at - rows, at);
  };
  const [seen, whole] = parts.map((part) => readPart(part, { id, column, within, texts }));
  return { seen: seen!, ...(whole ? { whole } : {}) };
}

/** A place with its numbers, the keys in their order. */
function placeAt(place: Location, line: number, cell: number): Location {
  if (cell === NONE) return line === NONE ? place : { ...place, line };
  const name = `R${Math.floor(cell / CELL_ROW)}C${cell % CELL_ROW}`;
  return line === NONE ? { ...place, cell: name } : { ...place, line, cell: name };
}

function readPart(
  { source, statements: count, references, attributes, manners, places, contexts, ...rest }: Part,
  {
    id: documentId,
    column,
    within,
    texts,
  }: {
    readonly id: string;
    /** The next column of so many rows. */
    readonly column: (rows: number) => Int32Array;
    readonly within: string;
    readonly texts: string;
  },
): DocumentStatements {
  const textsOf = (rows: number): ((row: number) => string | undefined) => {
    const [lengths, starts] = [column(rows), column(rows)];
    return (row) => {
      const length = lengths[row]!;
      if (length === NONE) return undefined;
      const start = starts[row]!;
      return start < 0 ? texts.slice(~start, ~start + length) : within.slice(start, start + length);
    };
  };
  const quotesOf = (rows: number): ((row: number) => Quote | undefined) => {
    const [starts, ends, placed] = [column(rows), column(rows), column(rows)];
    const [lines, cells] = [column(rows), column(rows)];
    return (row) => {
      const start = starts[row]!;
      if (start === NONE) return undefined;
      const location = placeAt(places[placed[row]!]!, lines[row]!, cells[row]!);
      return { start, end: ends[row]!, location };
    };
  };
  const [idOf, saidOf, nameOf] = [textsOf(count), textsOf(count), textsOf(count)];
  const [kinds, counts, contextual] = [column(count), column(count), column(count)];
  const [placeOf, levelOf] = [quotesOf(count), quotesOf(count)];
  const [writtenOf, ways, quoteOf] = [textsOf(references), column(references), quotesOf(references)];
  const referenceAt = (at: number): Reference => {
    const { role, exact, source: title, quotes: type } = manners[ways[at]!]!;
    const reference: { -readonly [Key in keyof Reference]: Reference[Key] } = {
      role,
      written: writtenOf(at)!,
      quote: quoteOf(at)!,
    };
    if (exact) reference.exact = exact;
    if (title !== undefined) reference.source = title;
    if (type !== undefined) reference.quotes = type;
    return reference;
  };
  const referencesFrom = (first: number, length: number): References =>
    length === 0
      ? NO_REFERENCES
      : {
          length,
          [Symbol.iterator]() {
            // Of this length from the beginning: an array that grows keeps room for seventeen.
            const made = new Array<Reference>(length);
            for (let at = 0; at < length; at++) made[at] = referenceAt(first + at);
            return made[Symbol.iterator]();
          },
        };
  const statements: Statement[] = [];
  let reference = 0;
  for (let row = 0; row < count; row++) {
    const own = attributes[kinds[row]!]!;
    const { start, end, location } = placeOf(row)!;
    statements.push({
      id: idOf(row)!,
      type: own.type,
      kind: own.kind,
      text: saidOf(row)!,
      name: nameOf(row),
      location,
      start,
      end,
      asil: own.asil,
      asilPlace: levelOf(row),
      cal: own.cal,
      risk: own.risk,
      status: own.status,
      version: own.version,
      result: own.result,
      method: own.method,
      configuration: own.configuration,
      informational: own.informational,
      external: own.external,
      ratings: own.ratings,
      typeWord: own.typeWord,
      columnType: own.columnType,
      titled: own.titled,
      told: own.told,
      tentative: own.tentative,
      context: contextual[row] === 1 ? contexts[row] : undefined,
      named: own.named,
      needs: own.needs,
      references: referencesFrom(reference, counts[row]!),
    });
    reference += counts[row]!;
  }
  return {
    source: { ...source, id: documentId },
    statements,
    sentences: rest.sentences,
    demands: rest.demands,
  };
}
