import { say } from '../../sentences/sentence.js';
import { normaliseText } from '../../text/normalise.js';
import type { ArtifactType } from './artifact.js';
import { extractionWords } from './extraction-words.js';
import { idsInText, isNoId, letterGroups } from './id-forms.js';
import { looseKey, looseSketch, NO_SKETCH, separatorKey } from './id-keys.js';
import type { IdTable } from './id-table.js';
import { idTable } from './id-table.js';
import type { Notes } from './notes.js';
import { isSaidAlike, type Said, saidIn } from './said-alike.js';
import type { SettledIds } from './scopes.js';
import type { Quote, SettledStatement } from './statement.js';

/** An id that a reference names: of an artifact, or as written where none has it. */
export interface Target {
  readonly id: string;
  readonly of: SettledStatement | undefined;
}

/** Where a reference stands. */
export interface From {
  readonly document: number;
  /** Artifact that holds the reference. */
  readonly statement?: SettledStatement;
  readonly quote: Quote;
  /** Under a title for links: a code of no known form (`CUST-7`) is an id, too. */
  readonly titled?: boolean;
}

export interface ReferenceIndex {
  /**
   * Puts the artifacts that ids exactly as defined, with commas between them, name into `found` and gives back how many
   * they are: most references are such. 0, and `found` of no use, where one of them is written otherwise.
   */
  directly(text: string, found: SettledStatement[]): number;
  /** The artifact with exactly this id. */
  exactly(id: string): SettledStatement | undefined;
  /** Ids of a cell or phrase: lists and ranges, shortened members, other spellings. */
  targets(written: string, from: From, exact?: boolean): readonly Target[];
  /** The only element of the design with this name, in any spelling. */
  elementNamed(name: string): SettledStatement | undefined;
  /** The artifact (of this type) whose text this is, where there is exactly one. */
  byText(written: string, type?: ArtifactType): SettledStatement | undefined;
  /** The artifact of the type that says nearly the same, where exactly one does and the type has few. */
  byNearText(written: string, type: ArtifactType): SettledStatement | undefined;
  /** Whether an artifact was looked for by what it says. */
  hasReadTexts(): boolean;
}

const SEPARATOR = /[,;\n&+|]|(?<=\s)(?:and|und)(?=\s)|<br\s*\/?>|\s\/\s/giu;
const VERSION = /(?:[~@]\d+|\[version==?[^\]]*\])$/u;
/** Capitals and groups with a digit. */
const CODE = /^(?=[^\d]*\d)[A-Z][A-Z0-9]{0,11}(?:[-_.][A-Za-z0-9]{1,12}){1,5}$/;
/** `Report-2019` is no code. */
const YEAR = /[-_.](?:19|20)\d\d$/;
const MOST_IN_RANGE = 200;
/** Of a type with more artifacts, texts that are only near are not compared. */
const MOST_COMPARED = 300;
/** Shorter texts name too many things. */
const SHORTEST_TEXT = 12;
const LONGEST_RANGE = 160;

/** Index of all artifacts for pass 2. */
export function referenceIndex(
  statements: readonly SettledStatement[],
  { scoped, unique, notes }: SettledIds & { readonly notes: Notes },
): ReferenceIndex {
  const byId = unique ?? firstStatements(statements);
  const get = (text: string, start?: number, end?: number): SettledStatement | undefined =>
    statements[byId.find(text, start, end)];
  let sketches: Set<number> | undefined;
  let byKey: Map<string, SettledStatement | undefined> | undefined;
  let texts: Map<string, SettledStatement[]> | undefined;
  let elements: Map<string, SettledStatement | undefined> | undefined;
  const saidOfType = new Map<
    ArtifactType,
    readonly { readonly of: SettledStatement; readonly said: Said }[]
  >();
  const rangeWords = extractionWords().ranges.join('|');
  const range = new RegExp(
    `^(.*\\p{L}.*?\\d)(?:\\s*(\\.{2,3}|…|–|—|-)\\s*|\\s+(${rangeWords})\\s+)(\\S.*)$`,
    'iu',
  );

  /** The statement of each id that counts. */
  function defined(): readonly SettledStatement[] {
    return unique ? statements : statements.filter((statement) => get(statement.id) === statement);
  }

  function keys(): Map<string, SettledStatement | undefined> {
    if (byKey) return byKey;
    byKey = new Map();
    const add = (key: string, statement: SettledStatement) => {
      const known = byKey!.get(key);
      if (!byKey!.has(key)) byKey!.set(key, statement);
      else if (known && known.id !== statement.id) byKey!.set(key, undefined);
    };
    for (const statement of defined()) add(`=${separatorKey(statement.id)}`, statement);
    for (const statement of defined()) add(looseKey(statement.id), statement);
    return byKey;
  }

  /** Cheap, and right for all but a few of the ids that nothing defines. */
  function mayBeSpelledOtherwise(written: string): boolean {
    if (!sketches) {
      sketches = new Set();
      for (const { id } of statements) sketches.add(looseSketch(id));
    }
    const sketch = looseSketch(written);
    return sketch === NO_SKETCH || sketches.has(NO_SKETCH) || sketches.has(sketch);
  }

  function find(written: string, from: From): SettledStatement | undefined {
    const known = get(written);
    if (known) return known;
    const local = scoped.size > 0 ? findScoped(written, from) : undefined;
    if (local) return local;
    if (!mayBeSpelledOtherwise(written)) return undefined;
    const all = keys();
    return all.get(`=${separatorKey(written)}`) ?? all.get(looseKey(written));
  }

  /** A local id: that of the same parent, the same document, the only one. */
  function findScoped(written: string, from: From): SettledStatement | undefined {
    const group = scoped.get(written);
    if (!group) return undefined;
    const within = (few: readonly SettledStatement[]) =>
      new Set(few.map((one) => one.id)).size === 1 ? few[0] : undefined;
    const parent = from.statement?.context?.id;
    const found =
      within(group.filter((one) => parent !== undefined && one.context?.id === parent)) ??
      within(group.filter((one) => one.document === from.document)) ??
      within(group);
    if (!found) {
      notes.add('ambiguous_reference', say('trace.note.ambiguous_reference', { id: written }), {
        document: from.document,
        location: from.quote.location,
      });
    }
    return found;
  }

  function targets(written: string, from: From, exact = false): readonly Target[] {
    const direct: SettledStatement[] = [];
    if (directly(written, direct) > 0) return direct.map((of) => ({ id: of.id, of }));
    const whole = bare(written);
    const known = find(whole, from);
    if (known) {
      if (known.id !== whole && VERSION.test(whole) && VERSION.test(known.id)) {
        notes.add('other_version', say('trace.note.other_version', { id: whole, known: known.id }), {
          document: from.document,
          location: from.quote.location,
        });
      }
      return [{ id: known.id, of: known }];
    }
    if (exact) return [{ id: whole, of: undefined }];
    const found: Target[] = [];
    for (const piece of written.split(SEPARATOR)) piecesOf(bare(piece), from, found);
    return found;
  }

  function directly(text: string, found: SettledStatement[]): number {
    const whole = get(text);
    if (whole) {
      found[0] = whole;
      return 1;
    }
    if (!text.includes(', ')) return 0;
    // Emptying the list would throw its memory away.
    let count = 0;
    for (let from = 0; from <= text.length; ) {
      const comma = text.indexOf(', ', from);
      const end = comma < 0 ? text.length : comma;
      const one = get(text, from, end);
      if (!one) return 0;
      found[count++] = one;
      from = end + 2;
    }
    return count;
  }

  function piecesOf(piece: string, from: From, found: Target[]): void {
    if (piece === '') return;
    const known = find(piece, from);
    if (known) {
      found.push({ id: known.id, of: known });
      return;
    }
    const before = found.at(-1)?.id;
    if (before !== undefined && /^\d{1,6}[a-z]?$/.test(piece)) {
      found.push(target(before.replace(/\d+[a-z]?$/, piece), from));
      return;
    }
    const members = rangeOf(piece, before, from);
    if (members) {
      found.push(...members);
      return;
    }
    const parts = piece.split('/');
    if (
      parts.length > 1 &&
      parts.every((part) => /\d/.test(part)) &&
      parts.slice(1).every((part) => part.length < 40)
    ) {
      for (const part of parts) piecesOf(bare(part), from, found);
      return;
    }
    const ids = idsInText(piece);
    if (ids.length > 0) {
      for (const one of ids) {
        const artifact = find(one.id, from);
        if (artifact || one.coded) found.push({ id: artifact?.id ?? one.id, of: artifact });
      }
      return;
    }
    if (CODE.test(piece) && !YEAR.test(piece) && !isNoId(piece) && (from.titled || isOfKnownFamily(piece))) {
      found.push({ id: piece, of: undefined });
      return;
    }
    // Ids without a known form, with words around them.
    for (const token of piece.split(/\s+/).slice(0, 40)) {
      const artifact = get(bare(token).replace(/[:.]$/, ''));
      if (artifact && !artifact.named) found.push({ id: artifact.id, of: artifact });
    }
  }

  function target(written: string, from: From): Target {
    const artifact = find(written, from);
    return { id: artifact?.id ?? written, of: artifact };
  }

  /** `SG-01..SG-05`, `SRS 1-3`, `TC-1 bis TC-7`, and `8-12` after an id. */
  function rangeOf(piece: string, before: string | undefined, from: From): Target[] | undefined {
    const shortened = /^(\d{1,6})(\s*(?:\.{2,3}|–|—|-)\s*)(\d{1,6})$/.exec(piece);
    const text = shortened && before !== undefined ? before.replace(/\d+[a-z]?$/, piece) : piece;
    const match = text.length > LONGEST_RANGE ? null : range.exec(text);
    if (!match) return undefined;
    const [, first, sign, , last] = match;
    const start = /^(.*?)(\d+)$/s.exec(first!.trim());
    const end = /^(.*?)(\d+)$/s.exec(last!.trim());
    if (!start || !end || isNoId(text)) return undefined;
    if (end[1] !== '' && separatorKey(`${end[1]}1`) !== separatorKey(`${start[1]}1`)) return undefined;
    const [low, high] = [Number(start[2]), Number(end[2])];
    const count = high - low + 1;
    // A hyphen may be part of the id: the ends have to exist.
    const tight = sign === '-' && end[1] === '';
    if (tight && !find(first!.trim(), from)) return undefined;
    const place = { document: from.document, location: from.quote.location };
    if (count < 2 || count > MOST_IN_RANGE) {
      if (tight) return undefined;
      notes.add(
        'range_not_expanded',
        say('trace.note.range_not_expanded', { range: piece, most: MOST_IN_RANGE }),
        place,
      );
      return [target(first!.trim(), from), target(last!.trim(), from)];
    }
    notes.add('range_expanded', say('trace.note.range_expanded', { range: piece, count }), place);
    return Array.from({ length: count }, (_, at) =>
      target(`${start[1]}${String(low + at).padStart(start[2]!.length, '0')}`, from),
    );
  }

  return {
    directly,
    exactly: (id) => get(id),
    targets,
    elementNamed(name) {
      elements ??= elementsByName(defined());
      return elements.get(separatorKey(name));
    },
    byText(written, type) {
      texts ??= statementsByText(defined());
      const found = texts.get(plainText(written))?.filter((one) => type === undefined || one.type === type);
      return found?.length === 1 ? found[0] : undefined;
    },
    byNearText(written, type) {
      let known = saidOfType.get(type);
      if (!known) {
        const all = defined().filter((one) => one.kind === 'definition' && one.type === type);
        known = all.length > MOST_COMPARED ? [] : all.map((of) => ({ of, said: saidIn(of.text) }));
        saidOfType.set(type, known);
      }
      const said = saidIn(written);
      const near = known.filter((one) => isSaidAlike(said, one.said));
      return near.length === 1 ? near[0]!.of : undefined;
    },
    hasReadTexts: () => texts !== undefined || saidOfType.size > 0,
  };
}

/** Positions of statements by id: of several the first that defines it. */
function firstStatements(statements: readonly SettledStatement[]): IdTable {
  const byId = idTable(statements.length);
  const isDefinition = ({ kind }: SettledStatement) => kind === 'definition';
  for (const [at, statement] of statements.entries()) if (isDefinition(statement)) byId.add(statement.id, at);
  for (const [at, statement] of statements.entries())
    if (!isDefinition(statement)) byId.add(statement.id, at);
  return byId;
}

function isOfKnownFamily(piece: string): boolean {
  return extractionWords().typeOfPrefix.has(letterGroups(piece)[0] ?? '');
}

/** Names that several elements have stand for none. */
function elementsByName(statements: readonly SettledStatement[]): Map<string, SettledStatement | undefined> {
  const elements = new Map<string, SettledStatement | undefined>();
  for (const statement of statements) {
    if (statement.type !== 'design' || statement.kind !== 'definition' || statement.name === undefined)
      continue;
    const key = separatorKey(statement.name);
    elements.set(key, elements.has(key) ? undefined : statement);
  }
  return elements;
}

function statementsByText(statements: Iterable<SettledStatement>): Map<string, SettledStatement[]> {
  const texts = new Map<string, SettledStatement[]>();
  for (const statement of statements) {
    for (const text of new Set([statement.text, statement.name ?? ''])) {
      if (text.length < SHORTEST_TEXT) continue;
      const key = plainText(text);
      const known = texts.get(key);
      if (known) known.push(statement);
      else texts.set(key, [statement]);
    }
  }
  return texts;
}

function plainText(text: string): string {
  return normaliseText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Without brackets and quotation marks around it. */
function bare(written: string): string {
  return written
    .trim()
    .replace(/\[version==?[^\]]*\]$/u, '')
    .replace(/^[[({<"'→\s]+|[\])}>"'\s.]+$/gu, '');
}
