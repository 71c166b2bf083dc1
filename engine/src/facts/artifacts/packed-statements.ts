import { endianness } from 'node:os';
import type { Location } from '../../documents/location.js';
import type { ReadStatements } from './extract-artifacts.js';
import type {
  DocumentStatements,
  LinkSentence,
  Quote,
  Reference,
  References,
  Statement,
  StatementSource,
} from './statement.js';

/** Before the bytes: another number is another form. */
const FORM = 0x324d5453;
const HEAD_BYTES = 12;

/** Numbers of a statement and of a reference; a place takes four: start, end, location, line. */
const STATEMENT_COLUMNS = 14;
const REFERENCE_COLUMNS = 6;
const NONE = -1;
const NO_REFERENCES: readonly Reference[] = [];

/** What many statements have alike; each combination is written once. */
type Attributes = Omit<
  Statement,
  'id' | 'text' | 'name' | 'location' | 'start' | 'end' | 'asilPlace' | 'context' | 'references'
>;
type Manner = Pick<Reference, 'role' | 'exact' | 'source' | 'quotes'>;

/** Everything but numbers and texts. */
interface Head {
  readonly parts: readonly Part[];
  /** How the texts are written: each character as it is, half of a pair of surrogates too. */
  readonly encoding: 'latin1' | 'utf16le';
}

interface Part {
  readonly source: StatementSource;
  readonly statements: number;
  readonly references: number;
  readonly attributes: readonly Attributes[];
  readonly manners: readonly Manner[];
  /** Places, the line of which is a number of its own. */
  readonly places: readonly Location[];
  /** By position of their statement. */
  readonly contexts: Readonly<Record<number, NonNullable<Statement['context']>>>;
  readonly sentences: readonly LinkSentence[];
  readonly demands: readonly Location[];
}

/**
 * What was read of a document as bytes: a JSON text with what is said alike, columns of numbers, and all texts as one.
 * As JSON it would be twice as large and take several times as long to read.
 */
export function packStatements({ seen, whole }: ReadStatements): Uint8Array<ArrayBuffer> {
  const parts = [seen, ...(whole ? [whole] : [])].map(packPart);
  const text = parts.map((part) => part.text).join('');
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  const texts = Buffer.from(text, encoding);
  const head = Buffer.from(JSON.stringify({ parts: parts.map(({ part }) => part), encoding } satisfies Head));
  const numbers = parts.flatMap((part) => part.columns);
  const size = numbers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(HEAD_BYTES + size + head.length + texts.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, FORM, true);
  view.setUint32(4, size, true);
  view.setUint32(8, head.length, true);
  let at = HEAD_BYTES;
  for (const column of numbers) {
    bytes.set(littleEndian(column), at);
    at += column.byteLength;
  }
  bytes.set(head, at);
  bytes.set(texts, at + head.length);
  return bytes;
}

/** The bytes of a column, turned round where the machine writes numbers the other way. */
function littleEndian({ buffer, byteOffset, byteLength }: Int32Array): Uint8Array {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  return endianness() === 'BE' ? bytes.swap32() : bytes;
}

function packPart({ source, statements, sentences, demands }: DocumentStatements): {
  readonly part: Part;
  readonly text: string;
  readonly columns: readonly Int32Array[];
} {
  const [attributes, manners, places] = [numbered<Attributes>(), numbered<Manner>(), numbered<Location>()];
  const contexts: Record<number, NonNullable<Statement['context']>> = {};
  const texts: string[] = [];
  const length = (text: string | undefined): number => {
    if (text === undefined) return NONE;
    texts.push(text);
    return text.length;
  };
  const place = ({ start, end, location }: Quote): readonly number[] => [
    start,
    end,
    places.of(location.line === undefined ? location : { ...location, line: 0 }),
    location.line ?? NONE,
  ];
  const references = statements.reduce((sum, statement) => sum + statement.references.length, 0);
  const ofStatements = table(STATEMENT_COLUMNS, statements.length);
  const ofReferences = table(REFERENCE_COLUMNS, references);
  for (const [at, statement] of statements.entries()) {
    const { id, text, name, location, start, end, asilPlace, context, references: own, ...rest } = statement;
    if (context) contexts[at] = context;
    ofStatements.add([
      length(id),
      length(text),
      length(name),
      attributes.of(rest),
      own.length,
      ...place({ start, end, location }),
      ...(asilPlace ? place(asilPlace) : [NONE, NONE, NONE, NONE]),
      context ? 1 : 0,
    ]);
    for (const { written, quote, ...manner } of own)
      ofReferences.add([length(written), manners.of(manner), ...place(quote)]);
  }
  return {
    part: {
      source,
      statements: statements.length,
      references,
      attributes: attributes.all,
      manners: manners.all,
      places: places.all,
      contexts,
      sentences,
      demands,
    },
    text: texts.join(''),
    columns: [...ofStatements.columns, ...ofReferences.columns],
  };
}

/** Values, each once, with their numbers. Most are as the one before. */
function numbered<Value extends object>() {
  const numbers = new Map<string, number>();
  const all: Value[] = [];
  let last: Value | undefined;
  let number = NONE;
  return {
    all,
    of(value: Value): number {
      if (last && isSame(value, last)) return number;
      last = value;
      const key = JSON.stringify(value);
      number = numbers.get(key) ?? NONE;
      if (number === NONE) {
        number = all.length;
        all.push(value);
        numbers.set(key, number);
      }
      return number;
    },
  };
}

/** Whether two objects have the same keys in the same order, and the same in each of them. */
function isSame<Value extends object>(a: Value, b: Value): boolean {
  const others = Object.keys(b) as (keyof Value)[];
  let at = 0;
  for (const key in a) if (key !== others[at++] || a[key] !== b[key]) return false;
  return at === others.length;
}

function table(width: number, rows: number) {
  const columns = Array.from({ length: width }, () => new Int32Array(rows));
  let row = 0;
  return {
    columns,
    add(values: readonly number[]): void {
      for (let column = 0; column < width; column++) columns[column]![row] = values[column]!;
      row++;
    },
  };
}

/**
 * What `packStatements` packed, of a document with this id. Undefined for bytes of another form. Linear; the parts that
 * statements have alike are the same objects.
 */
export function unpackStatements(bytes: Uint8Array, id: string): ReadStatements | undefined {
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
  const at = { number: 0, character: 0 };
  const [seen, whole] = parts.map((part) => readPart(part, { id, numbers, texts, at }));
  return { seen: seen!, ...(whole ? { whole } : {}) };
}

function readPart(
  { source, statements: count, references, attributes, manners, places, contexts, ...rest }: Part,
  {
    id: documentId,
    numbers,
    texts,
    at,
  }: {
    readonly id: string;
    readonly numbers: Int32Array;
    readonly texts: string;
    readonly at: { number: number; character: number };
  },
): DocumentStatements {
  const column = (rows: number): Int32Array => {
    const from = at.number;
    at.number += rows;
    return numbers.subarray(from, at.number);
  };
  const quotesOf = (rows: number): ((row: number) => Quote | undefined) => {
    const [starts, ends, placed, lines] = [column(rows), column(rows), column(rows), column(rows)];
    return (row) => {
      const start = starts[row]!;
      if (start === NONE) return undefined;
      const place = places[placed[row]!]!;
      const line = lines[row]!;
      // The keys in their order.
      return { start, end: ends[row]!, location: line === NONE ? place : { ...place, line } };
    };
  };
  let character = at.character;
  const text = (length: number): string => {
    const from = character;
    character += length;
    return texts.slice(from, character);
  };
  const [ids, said, names, kinds, counts] = [
    column(count),
    column(count),
    column(count),
    column(count),
    column(count),
  ];
  const [placeOf, levelOf, contextual] = [quotesOf(count), quotesOf(count), column(count)];
  const [written, ways, quoteOf] = [column(references), column(references), quotesOf(references)];
  const referencesFrom = (first: number, length: number, from: number): References =>
    length === 0
      ? NO_REFERENCES
      : {
          length,
          [Symbol.iterator]: () => {
            let place = from;
            return Array.from({ length }, (_, index): Reference => {
              const at = first + index;
              const { role, exact, source: title, quotes: type } = manners[ways[at]!]!;
              const start = place;
              place += written[at]!;
              return {
                role,
                written: texts.slice(start, place),
                quote: quoteOf(at)!,
                ...(exact ? { exact } : {}),
                ...(title === undefined ? {} : { source: title }),
                ...(type === undefined ? {} : { quotes: type }),
              };
            })[Symbol.iterator]();
          },
        };
  const statements: Statement[] = [];
  let reference = 0;
  for (let row = 0; row < count; row++) {
    const own = attributes[kinds[row]!]!;
    const id = text(ids[row]!);
    const words = text(said[row]!);
    const name = names[row]! === NONE ? undefined : text(names[row]!);
    const listed = referencesFrom(reference, counts[row]!, character);
    for (const end = reference + counts[row]!; reference < end; reference++) character += written[reference]!;
    const { start, end, location } = placeOf(row)!;
    statements.push({
      id,
      type: own.type,
      kind: own.kind,
      text: words,
      name,
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
      references: listed,
    });
  }
  at.character = character;
  return {
    source: { ...source, id: documentId },
    statements,
    sentences: rest.sentences,
    demands: rest.demands,
  };
}
