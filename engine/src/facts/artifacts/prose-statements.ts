import { asilsInText } from '../../asil/asil.js';
import type { Block } from '../../documents/document.js';
import type { Location } from '../../documents/location.js';
import { kindListed } from '../../words/artifact-types.js';
import { type ColumnRole, columnWords, compactTitle, type LinkRole } from '../../words/column-titles.js';
import { titleByValues } from '../../words/column-values.js';
import type { ExtractionWords } from './extraction-words.js';
import { type ListedField, listedFields } from './field-list.js';
import { type IdPlace, idAtStart, idsInText, isNoId } from './id-forms.js';
import { placesOfCodes } from './id-stems.js';
import { typeInTitle, typeOfId } from './infer-type.js';
import { idRuns, referencesInText, roleBefore } from './inline-references.js';
import { putAttribute } from './put-attribute.js';
import { type OpenItem, readItemPart, startItem } from './specification-items.js';
import type { Quote, StatementDraft } from './statement.js';
import { refer, type StatementReading, startStatement } from './statement-reading.js';

/** What is open while prose is read in order. */
export interface ProseState {
  open: StatementDraft | undefined;
  /** Heading level of the open artifact; undefined where a paragraph opened it. */
  level: number | undefined;
  /** A key without value: the items of the list below are its values. */
  pending: LinkRole | undefined;
  /** The heading directly above. */
  title: Block | undefined;
  /** Whether the paragraph that opened the artifact is a line that only names it: "DS1 - Frozen image". */
  isTitle: boolean;
  /** The specification item that is being read, up to the next heading or item. */
  item: OpenItem | undefined;
  /** Places of demands that stand outside of any artifact. */
  readonly demands: Location[];
  /** Prefixes that this document numbers its demands with, beside the known ones; counted when they are asked for. */
  readonly prefixes: () => ReadonlySet<string>;
}

/** At the beginning of a document; `prefixesOf` is asked at most once. */
export function newProseState(prefixesOf: () => ReadonlySet<string>): ProseState {
  let prefixes: ReadonlySet<string> | undefined;
  return {
    open: undefined,
    level: undefined,
    pending: undefined,
    title: undefined,
    item: undefined,
    isTitle: false,
    demands: [],
    prefixes() {
      prefixes ??= prefixesOf();
      return prefixes;
    },
  };
}

/** Texts under a heading are joined up to this length. */
const LONGEST_TEXT = 4000;
const LEAD = /^[\s•*–-]*(?:\(?\d+(?:\.\d+)*[.)]?\s+)?[[(]?$/;
const AFTER_ID = /^\s*(?:\([^)]{1,24}\)|\[[^\]]{1,24}\])?\s*(?:[\])]\s*)?(?:[:–—]|-\s|\.\s|\|)\s*/u;
const BINDING = /(?<!\p{L})(?:shall|must|should|will|soll|sollen|muss|müssen|darf|dürfen)(?!\p{L})/iu;
const NUMBERED = /^([A-Z]{2,10})[-_ ]?\d{1,6}(?:[.\-_]\d{1,4})*(?:\s*[:–—]\s*\S|\.\s+\p{Lu})/u;
/** "T-101 Overcurrent". */
const NUMBERED_HEADING = /^([A-Z]{1,10})-\d{1,6}(?:[.\-_]\d{1,4})*(?=[\s:–—]|$)/u;
/** So many paragraphs that begin alike are a way of numbering. */
const MOST_SINGLE = 2;

/** Prefixes that begin at least three paragraphs as `FR 1 — The …` does. Linear. */
export function numberingPrefixes(blocks: readonly Block[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { kind, text } of blocks) {
    if (kind !== 'paragraph' && kind !== 'list_item' && kind !== 'heading') continue;
    const inBrackets = IN_BRACKETS.exec(text.slice(0, 80))?.groups?.id;
    if (inBrackets !== undefined) {
      const key = `[${lettersOf(inBrackets)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const match = (kind === 'heading' ? NUMBERED_HEADING : NUMBERED).exec(text.slice(0, 80));
    if (match && !isNoId(match[0])) counts.set(match[1]!, (counts.get(match[1]!) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > MOST_SINGLE).map(([prefix]) => prefix));
}

/** A text whose first colon comes later begins with no key. */
const LONGEST_KEY = 80;

/** Reads one heading, paragraph or list item. */
export function readProse(reading: StatementReading, state: ProseState, block: Block): void {
  if (block.kind === 'heading') {
    readHeading(reading, state, block);
    return;
  }
  const text = block.text;
  if (readItem(reading, state, block)) return;
  if (block.kind !== 'list_item') state.pending = undefined;
  if (state.pending !== undefined && state.open) {
    const { open, pending } = state;
    refer(open, { role: pending, written: text, quote: quoteOf(block), source: 'list' });
    open.end = Math.max(open.end, block.end);
    return;
  }
  const colon = text.indexOf(':');
  // What has no digit before its colon begins with no id.
  if (state.open && colon > 0 && colon <= LONGEST_KEY && digitBefore(text, colon) < 0) {
    const single = singleField(reading, block, colon);
    if (single) {
      putField(reading, state, single);
      return;
    }
  }
  const defined = definitionOf(text, state);
  if (defined) {
    const statement = startStatement(block, defined.id);
    if (defined.kind !== undefined) statement.typeWord = defined.kind;
    if (defined.tentative) statement.tentative = true;
    // "FSR-1: The unit shall … . ASIL: D. Derived from: SG-1": fields may follow the text.
    const keys = keysIn(reading, text).filter(
      ({ start }) => start >= defined.textStart && AFTER_SENTENCE.test(text.slice(defined.textStart, start)),
    );
    const listed = listedFields(text).filter(({ start }) => start >= defined.textStart);
    const textEnd = Math.min(keys[0]?.start ?? text.length, listed[0]?.at ?? text.length);
    const said = Math.min(textEnd, levelSentence(text)?.start ?? textEnd);
    statement.text =
      listed.length > 0
        ? beforeList(text, defined.textStart, said)
        : text.slice(defined.textStart, said).trim();
    statement.titled = !defined.tentative;
    takeAsil(statement, text, block);
    if (defined.checked) {
      const { ids, start: at } = defined.checked;
      const quote = { start: block.start + at, end: block.start + at + ids.length, location: block.location };
      refer(statement, { role: 'verifies', written: ids, quote, source: 'verifies' });
    }
    referencesInText(reading, statement, {
      text: text.slice(defined.textStart, textEnd),
      quote: { start: block.start + defined.textStart, end: block.start + textEnd, location: block.location },
    });
    reading.statements.push(statement);
    state.open = statement;
    state.level = undefined;
    state.isTitle = text.length <= LONGEST_TITLE && !/[.;:,!?]\s*$/u.test(text) && !BINDING.test(text);
    if (defined.fields) putListed(reading, statement, block, defined.fields);
    if (listed.length > 0) putListed(reading, statement, block, listed);
    else putKeys(reading, state, block, keys);
    return;
  }
  if (state.open && putClassLine(reading, state.open, block)) return;
  if (state.open) {
    const listed = listedFields(text);
    if (listed.length > 0) {
      const { open } = state;
      const said = beforeList(text, 0, listed[0]!.at);
      if (said !== '' && open.text.length < LONGEST_TEXT)
        open.text = open.text === '' ? said : `${open.text} ${said}`;
      putListed(reading, open, block, listed);
      return;
    }
  }
  if (readFields(reading, state, block)) return;
  if (readSentence(reading, block)) return;
  const { open } = state;
  if (!open) {
    if (BINDING.test(text)) state.demands.push(block.location);
    return;
  }
  const takes = state.level !== undefined || open.text === '' || block.location.requirementId === open.id;
  if (!takes) {
    if (state.isTitle) linksBehindTitle(reading, open, block);
    return;
  }
  // "Clamping shall be stopped within 60 ms. Level: D. From: SG-1.": fields may follow the text.
  const keys =
    state.level === undefined
      ? []
      : keysIn(reading, text).filter(({ start }) => start > 0 && AFTER_SENTENCE.test(text.slice(0, start)));
  const said = keys.length === 0 ? text : text.slice(0, keys[0]!.start).trim();
  if (open.text.length < LONGEST_TEXT) open.text = open.text === '' ? said : `${open.text} ${said}`;
  referencesInText(reading, open, {
    text: said,
    quote: { ...quoteOf(block), end: block.start + said.length },
  });
  putKeys(reading, state, block, keys);
  open.end = Math.max(open.end, block.end);
}

const CLASS_LINE =
  /^[\s•*–-]{0,4}(?<class>(?<rating>[SECK])[0-4])\s{0,2}(?:[:–—-]|\([^()]{1,40}\)\s?[:–—-]?)\s{1,3}\S/u;
const RATED = {
  S: 'severity',
  E: 'exposure',
  C: 'controllability',
  K: 'controllability',
} as const;

/** "S3 – may be fatal." in a line of its own below the heading of an event: one of its classes. */
function putClassLine(reading: StatementReading, open: StatementDraft, block: Block): boolean {
  const match = CLASS_LINE.exec(block.text.slice(0, 80))?.groups;
  if (!match) return false;
  putAttribute(reading, open, {
    attribute: RATED[match.rating as keyof typeof RATED],
    value: match.class!,
    quote: quoteOf(block),
  });
  open.end = Math.max(open.end, block.end);
  return true;
}

/** A longer line is a sentence. */
const LONGEST_TITLE = 100;

const RESULT =
  /^(?:the\s+)?(?:result|Ergebnis)\s(?:is|ist)\s(?<level>(?:ASIL\s)?(?:QM|[A-D]))(?=[\s.,;]|$)/iu;

/** "The result is ASIL B. This situation leads to SG-1." in the paragraphs behind a line that names a hazard: its level and links, and nothing else. */
function linksBehindTitle(reading: StatementReading, open: StatementDraft, block: Block): void {
  const level = RESULT.exec(block.text)?.groups?.level;
  if (level !== undefined) {
    const start = block.start + block.text.indexOf(level);
    const quote = { start, end: start + level.length, location: block.location };
    putAttribute(reading, open, { attribute: 'asil', value: level, quote });
  }
  const said: Pick<StatementDraft, 'id' | 'references'> = { id: open.id, references: [] };
  referencesInText(reading, said, { text: block.text, quote: quoteOf(block) });
  for (const reference of said.references)
    if (reference.role === 'up' || reference.role === 'down') refer(open, reference);
}

/** Reads what belongs to a specification item; false for text outside of any. */
function readItem(reading: StatementReading, state: ProseState, block: Block): boolean {
  const started = startItem(reading, block, { title: state.title, open: state.item });
  state.title = undefined;
  if (started !== undefined) {
    state.item = started === 'forwarded' ? undefined : started;
    state.open = state.item?.statement;
    state.level = undefined;
    state.pending = undefined;
    return true;
  }
  const { item } = state;
  if (!item) return false;
  if (readItemPart(reading, item, block)) return true;
  if (definitionOf(block.text, state)) {
    state.item = undefined;
    return false;
  }
  const { statement } = item;
  state.open = statement;
  if (readFields(reading, state, block)) return true;
  if (statement.text.length < LONGEST_TEXT)
    statement.text = statement.text === '' ? block.text : `${statement.text} ${block.text}`;
  referencesInText(reading, statement, { text: block.text, quote: quoteOf(block) });
  statement.end = Math.max(statement.end, block.end);
  return true;
}

function readHeading(reading: StatementReading, state: ProseState, block: Block): void {
  state.pending = undefined;
  state.item = undefined;
  state.title = block;
  state.open = undefined;
  state.isTitle = false;
  const leading =
    (startsWithLetter(block.text) ? idAtStart(block.text) : undefined) ??
    learntHeading(block.text, state) ??
    tentativeId(block.text, HEADED);
  const [first, ...others]: readonly TentativePlace[] = leading ? [leading] : idsInText(block.text);
  if (!first || !LEAD.test(block.text.slice(0, first.start))) {
    const last = others.at(-1) ?? first;
    const atEnd = last && others.length === 0 && /^[\])]\s*$/.test(block.text.slice(last.end));
    if (!last || !atEnd || !/[[(]$/.test(block.text.slice(0, last.start))) return;
    // "Concept for braking (SG-1)" is about what the goal's own place defines, if there is one.
    open(last, block.text.slice(0, last.start - 1).trim(), false);
    return;
  }
  const rest = block.text.slice(first.end);
  const name = rest.replace(/^[\s:–—\])|-]+/u, '').trim();
  // "FSR-1 with its elements" speaks of an artifact, "FSR-1: Torque limit" and "FSR-1 Torque limit" name it.
  open(
    first,
    name,
    name === '' ||
      rest.startsWith(':') ||
      AFTER_ID.test(rest) ||
      /^[\s\]):–—-]+[\p{Lu}\p{N}"'„“(]/u.test(rest),
  );

  function open(id: TentativePlace, title: string, definition: boolean): void {
    const statement = startStatement(block, id.id);
    if (title !== '') statement.name = title;
    statement.kind = definition ? 'definition' : 'mention';
    statement.titled = id.coded && !id.tentative;
    if (id.tentative) statement.tentative = true;
    takeAsil(statement, block.text, block);
    reading.statements.push(statement);
    state.open = statement;
    state.level = block.level ?? 1;
  }
}

/** An id and what it is the id of. */
interface Defined {
  readonly id: string;
  readonly textStart: number;
  /** What stands before the id: "Requirement R-1: …". */
  readonly kind?: string;
  readonly tentative?: true;
  /** Fields in brackets between the id and the text: "TSR-1 (ASIL B, pump logic, from FSR-1). The …". */
  readonly fields?: readonly ListedField[];
  /** Of a test: the ids that it checks. */
  readonly checked?: { readonly ids: string; readonly start: number };
}

/** "Requirement LB-F-1: …", "Goal 3 (ASIL C): …": the name of a kind, an id by its form alone, a sign. */
const KIND_BEFORE =
  /^(?<kind>\p{L}[\p{L} -]{2,40}?)\s(?:No\.?\s|Nr\.?\s)?(?<id>[A-Z][A-Za-z0-9]{0,9}(?:[-_.][A-Za-z]{1,6}){0,3}[-_.]?\d{1,5}(?:[.\-_]\d{1,4}){0,3})(?=\s?(?:\([^)]{1,24}\)|\[[^\]]{1,24}\])?\s*[:–—])/u;

/** Ids by their form alone: capitals, a hyphen, a number. */
const FORM =
  '(?<id>(?:[A-Z][A-Z0-9]{0,9}(?:(?:[-_][A-Z]{1,6}){0,2}[-_]|(?:[-_][A-Z]{1,6}){1,2})|[A-Z]{2,6}\\.)\\d{1,5}(?:[.\\-_]\\d{1,4}){0,3}[a-z]?)';
/** In a heading, behind its number as well: "3.2 FS.1.1 Command only with request". */
const HEADED = new RegExp(
  `^(?:\\d{1,2}(?:\\.\\d{1,2}){0,4}\\.?\\s+)?${FORM}(?=\\s*[:–—(]|\\s+\\p{Lu}|\\s*$)`,
  'u',
);
/** "G-1 The beam shall not …". */
const BEFORE_DEMAND = new RegExp(`^${FORM}(?=\\s+\\p{Lu})`, 'u');
const BEFORE_SIGN = new RegExp(`^${FORM}(?=\\s?(?:\\([^)]{1,24}\\)|\\[[^\\]]{1,24}\\])?\\s*[:–—])`, 'u');

type TentativePlace = IdPlace & { readonly tentative?: true };

function tentativeId(text: string, form: RegExp): TentativePlace | undefined {
  const found = form.exec(text.slice(0, 80));
  const id = found?.groups?.id;
  if (id === undefined || isNoId(id)) return undefined;
  const start = found![0].length - id.length;
  return { id, start, end: start + id.length, coded: true, tentative: true };
}

/** A blank and a bracket. */
const LONGEST_OPENING = 3;

/** The id that a paragraph is about: at its beginning, in brackets or before a sign, or before a demand. */
function definitionOf(text: string, { prefixes }: ProseState): Defined | undefined {
  const kind = KIND_BEFORE.exec(text)?.groups;
  if (kind && kindListed(kind.kind!) && !isNoId(kind.id!)) {
    const from = kind.kind!.length + text.slice(kind.kind!.length).indexOf(kind.id!) + kind.id!.length;
    const sign = AFTER_ID.exec(text.slice(from));
    if (sign) return { id: kind.id!, textStart: from + sign[0].length, kind: kind.kind! };
  }
  const checking = checkingTest(text);
  if (checking) return checking;
  const inBrackets = IN_BRACKETS.exec(text)?.groups?.id;
  if (inBrackets !== undefined && !isNoId(inBrackets) && prefixes().has(`[${lettersOf(inBrackets)}`))
    return { id: inBrackets, textStart: text.indexOf(']') + 1 };
  // "T-111. The unit shall … . [A(B); F-11; MC]": one letter is enough where level and origin stand behind.
  const lettered = /\]\.?\s*$/u.test(text) ? LETTERED.exec(text) : null;
  if (lettered && !isNoId(lettered.groups!.id!) && listedFields(text).some(({ kind }) => kind === 'asil'))
    return { id: lettered.groups!.id!, textStart: lettered[0].length };
  const [known] = startsWithLetter(text) ? [idAtStart(text)] : idsInText(text);
  const learnt = known?.start === 0 ? undefined : learntId(text.slice(0, 80), prefixes);
  const first: TentativePlace | undefined =
    learnt ??
    known ??
    tentativeId(text, BEFORE_SIGN) ??
    (BINDING.test(text.slice(0, 300)) ? tentativeId(text, BEFORE_DEMAND) : undefined);
  if (!first || (first.start > 0 && !LEAD.test(text.slice(0, first.start)))) return undefined;
  const rest = text.slice(first.end);
  const bracketed = text.charAt(first.start - 1) === '[' && rest.startsWith(']');
  if (/^\s*(?:>>|→|->|=>)/.test(rest)) return undefined;
  const sign = AFTER_ID.exec(rest);
  const tentative = first.tentative ? ({ tentative: true } as const) : {};
  if (sign && /\p{L}/u.test(rest)) {
    const from = first.end + sign[0].length;
    const listed = /^(?:[^.:]|\.\d){1,200}:\s/u.test(text.slice(from)) ? listedFields(text) : [];
    const [one] = listed;
    const before = listed.filter(({ start, value }) =>
      /^\s?(?:,|:\s)/u.test(text.slice(start + value.length)),
    );
    const end = before.at(-1);
    const colon = end && /^\s?:\s+/u.exec(text.slice(end.start + end.value.length));
    if (one?.at === from && end && colon)
      return {
        id: first.id,
        textStart: end.start + end.value.length + colon[0].length,
        fields: before,
        ...tentative,
      };
    return { id: first.id, textStart: from, ...tentative };
  }
  if (bracketed && /^\]\s*\p{L}/u.test(rest)) return { id: first.id, textStart: first.end + 1 };
  const fields = first.coded && first.start === 0 && /^\s?[([]/u.test(rest) ? listedFields(text) : [];
  const last = fields.at(-1);
  if (last && fields[0]!.start <= first.end + LONGEST_OPENING) {
    const behind = last.start + last.value.length;
    const closed = /^\s?[)\]]\s?[.:]?\s+(?=\p{Lu})/u.exec(text.slice(behind));
    if (closed) return { id: first.id, textStart: behind + closed[0].length, fields };
  }
  // "FSR-1 The …", "**FSR-1** [ASIL C] The …".
  const demand = /^[*_`]{0,3}(?:\s?(?:\([^)]{1,24}\)|\[[^\]]{1,24}\]))?\s+(?=\p{Lu})/u.exec(rest);
  if (demand && first.coded && (BINDING.test(rest.slice(0, 300)) || listedFields(rest).length > 0))
    return { id: first.id, textStart: first.end + demand[0].length, ...tentative };
  return undefined;
}

const LETTERED = /^(?<id>[A-Z][-_]?\d{1,5}(?:[.\-_]\d{1,4}){0,3}[a-z]?)[.:]\s+(?=\p{Lu})/u;

/** "[F10] The main processor …": an id by its brackets, where several paragraphs of the document begin with one of the kind. */
const IN_BRACKETS =
  /^[\s•*–-]{0,6}(?:\d{1,3}[.)]\s{1,3})?\[(?<id>[A-Z][A-Za-z]{0,7}[-_. ]?\d{1,5}(?:[.\-_]\d{1,4}){0,3}[a-z]?)\]\s{0,3}(?=\p{Lu})/u;
const lettersOf = (id: string) => /^[A-Za-z]+/.exec(id)![0];

let checks: RegExp | undefined;
let verbs: RegExp | undefined;

/** "T1 (checks TSR.1.1) Given …", "P10 zu T10. Stimulus: …", "Procedure T1, for TSR-1. …", "V-01 proves TSR.1 by sweeping …": a test by what it says that it checks. */
function checkingTest(text: string): Defined | undefined {
  if (!startsWithLetter(text)) return undefined;
  const id = '[A-Z][A-Za-z]{0,7}[-_. ]?\\d{1,5}(?:[.\\-_]\\d{1,4}){0,3}[a-z]?';
  checks ??= new RegExp(
    `^(?:(?<kind>\\p{Lu}\\p{L}{2,20})\\s)?(?<id>${id}),?\\s(?<open>\\()?(?:${columnWords().checking.join('|')})\\s(?<ids>${id}(?:(?:\\s?[,/&]\\s?|\\s(?:and|und)\\s)${id}){0,9})(?:\\)[.:]?|[.:])\\s(?=\\p{Lu})`,
    'u',
  );
  verbs ??= new RegExp(
    `^(?<id>${id})\\s(?:${columnWords().checkingBy.verbs.join('|')})\\s(?<ids>${id}(?:(?:\\s?[,/&]\\s?|\\s(?:and|und)\\s)${id}){0,9})\\s(?=(?:${columnWords().checkingBy.how.join('|')})\\s)`,
    'u',
  );
  const head = text.slice(0, 200);
  const found = checks.exec(head) ?? verbs.exec(head);
  const { id: own, ids, kind } = found?.groups ?? {};
  if (!found || own === undefined || isNoId(own)) return undefined;
  if (kind !== undefined && kindListed(kind) !== 'test') return undefined;
  return {
    id: own,
    textStart: found[0].length,
    kind: 'test',
    checked: { ids: ids!, start: found[0].indexOf(ids!, own.length) },
  };
}

/** Only what no bullet, number or bracket stands before. */
function startsWithLetter(text: string): boolean {
  const code = text.charCodeAt(0) | 32;
  return code >= 97 && code <= 122;
}

/** The first digit before `end`; -1 for none. */
function digitBefore(text: string, end: number): number {
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) return at;
  }
  return -1;
}

/** An id with a prefix that three headings of the document begin with. */
function learntHeading(text: string, { prefixes }: ProseState): IdPlace | undefined {
  const match = NUMBERED_HEADING.exec(text.slice(0, 80));
  if (!match || isNoId(match[0]) || !prefixes().has(match[1]!)) return undefined;
  return { id: match[0], start: 0, end: match[0].length, coded: true };
}

function learntId(head: string, prefixes: ProseState['prefixes']): IdPlace | undefined {
  const match = /^([A-Z]{2,10})[-_ ]?\d{1,6}(?:[.\-_]\d{1,4})*(?=\s*[:–—]|\.\s)/u.exec(head);
  if (!match || !prefixes().has(match[1]!)) return undefined;
  return { id: match[0], start: 0, end: match[0].length, coded: true };
}

/** Words before a colon. Bounded: a text of nothing but letters and dashes is read once, not once from each letter. */
const KEY = /(?<![\p{L}\p{N}])((?:[\p{L}][\p{L}_-]{0,60})(?: [\p{L}][\p{L}_-]{0,60}){0,3})\s{0,4}:(?=\s|$)/gu;

/** `ASIL: D | Derived from: SG-01`: keys with values of the open artifact. False where the text begins with no key. */
function readFields(reading: StatementReading, state: ProseState, block: Block): boolean {
  const { open } = state;
  if (!open) return false;
  const colon = block.text.indexOf(':');
  if (colon < 0 || colon > LONGEST_KEY) return false;
  const single = singleField(reading, block, colon);
  if (single) {
    putField(reading, state, single);
    return true;
  }
  const keys = keysIn(reading, block.text);
  const [first] = keys;
  if (!first || /[\p{L}\p{N}]/u.test(block.text.slice(0, first.start))) return false;
  putKeys(reading, state, block, keys);
  open.end = Math.max(open.end, block.end);
  return true;
}

interface Key {
  readonly start: number;
  readonly end: number;
  readonly title: string;
  readonly role: ColumnRole;
}

/** What stands after a key, up to the end of its sentence. */
const valueAt = (text: string, from: number): string =>
  UNKNOWN_FIELD.exec(text.slice(from, from + LONGEST_VALUE))![0]
    .trim()
    .replace(/[\s|;,*.]+$/u, '');
const LONGEST_VALUE = 200;

/** What a key means by its value, where its words alone do not tell: "Done by: fallback circuit". */
function roleByValue(words: ExtractionWords, title: string, value: string): ColumnRole | undefined {
  if (value === '' || value.length > LONGEST_KEY) return undefined;
  const meant = titleByValues({ title, texts: [value] }, 'requirement');
  return meant === undefined ? undefined : roleOfKey(words, meant);
}

/** Where a field begins behind a text: after the end of a sentence or a sign between fields. */
const AFTER_SENTENCE = /[.;|([–]\s*$/u;

/** Known keys before a colon, in order. */
function keysIn(reading: StatementReading, text: string): readonly Key[] {
  const keys: Key[] = [];
  for (const match of text.matchAll(KEY)) {
    const words = match[1]!.split(' ');
    // The longest run of words before the colon that is a known key.
    for (let skip = 0; skip < words.length; skip++) {
      const title = words.slice(skip).join(' ');
      const end = match.index + match[0].length;
      const role = roleOfKey(reading.words, title) ?? roleByValue(reading.words, title, valueAt(text, end));
      if (!role) continue;
      keys.push({ start: match.index + match[1]!.length - title.length, end, title, role });
      break;
    }
  }
  return keys;
}

/** Up to the next field behind a sentence whose name is not known. */
const UNKNOWN_FIELD = /^(?:(?![.;|]\s+\p{Lu}[\p{L} -]{0,40}:\s).)*/su;

/** What stands after each key, up to the next one, as a field of the open artifact. */
function putKeys(reading: StatementReading, state: ProseState, block: Block, keys: readonly Key[]): void {
  keys.forEach((key, at) => {
    const end = keys[at + 1]?.start ?? block.text.length;
    const raw = UNKNOWN_FIELD.exec(block.text.slice(key.end, end))![0];
    const value = raw.trim().replace(/[\s|;,*.]+$/u, '');
    const start = block.start + key.end + (raw.length - raw.trimStart().length);
    const quote = { start, end: start + value.length, location: block.location };
    putField(reading, state, { title: key.title, role: key.role, value, quote });
  });
}

/** What stands before a list of fields, without the bracket around the list. */
const beforeList = (text: string, start: number, end: number): string =>
  text
    .slice(start, end)
    .replace(/[\s([]+$/u, '')
    .trimStart();

/** "ASIL B, Goal 1, allocated to the heater controller." */
function putListed(
  reading: StatementReading,
  open: StatementDraft,
  block: Block,
  fields: readonly ListedField[],
): void {
  for (const { kind, label, value, start: from } of fields) {
    const start = block.start + from;
    const quote = { start, end: start + value.length, location: block.location };
    if (kind === 'asil') putAttribute(reading, open, { attribute: 'asil', value, quote });
    else if (kind === 'parent' || kind === 'verification') {
      const role = kind === 'parent' ? 'up' : 'verification';
      refer(open, { role, written: value, quote, source: label });
    } else if (kind === 'interval') reading.timed.add(open);
    else if (kind === 'allocation') {
      const written = value.replaceAll(AND_THE, ', ');
      refer(open, { role: 'allocation', written, quote, source: label });
    }
  }
  open.end = Math.max(open.end, block.end);
}

const AND_THE = /\s(?:and|und)\s(?:the|an?|der|die|das|dem|den)\s/giu;

interface Field {
  readonly title: string;
  readonly role: ColumnRole;
  readonly value: string;
  readonly quote: Quote;
}

/** A text that is one key with its value, as most are. */
function singleField(
  { words }: StatementReading,
  { text, start, location }: Block,
  colon: number,
): Field | undefined {
  if (text.indexOf(':', colon + 1) >= 0) return undefined;
  const title = text.slice(0, colon);
  const known = roleOfKey(words, title);
  // "Goal: SG-1" names a goal, "Goal: The lift shall stop" is the text of one.
  const role =
    (known?.attribute === 'text' ? undefined : known) ??
    roleOfKind(words, title, text.slice(colon + 1)) ??
    known ??
    roleByValue(words, title, text.slice(colon + 1).trim());
  if (!role || /[|;,*]\s*$/.test(text)) return undefined;
  let from = colon + 1;
  while (from < text.length && text.charCodeAt(from) === 32) from++;
  if (from === colon + 1 && from < text.length) return undefined;
  return {
    title,
    role,
    value: text.slice(from),
    quote: { start: start + from, end: start + text.length, location },
  };
}

/** "Safety goal: SG-1": the name of a kind of artifact before ids of that kind. */
function roleOfKind(words: ExtractionWords, title: string, value: string): ColumnRole | undefined {
  if (title.length > 40) return undefined;
  const known = idsInText(value);
  const ids = known.length > 0 ? known : placesOfCodes(value.slice(0, LONGEST_VALUE));
  if (ids.length === 0) return undefined;
  const rest = ids.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end), value);
  if (!/^[\s,;/&+.]*$/u.test(rest)) return undefined;
  const plain = title.replace(/^[\s•*–-]+/u, '');
  const kind = typeInTitle(plain, words) ?? kindListed(plain);
  if (kind === undefined) return undefined;
  const own = typeOfId(ids[0]!.id, words);
  // Letters that tell nothing are ids of that kind where several groups or a sign make them one ("HALO-G1").
  return own === kind || (own === undefined && /[-_.]/.test(ids[0]!.id)) ? { link: 'any' } : undefined;
}

/** What a key says; undefined for one that is not known. */
function roleOfKey({ columns }: ExtractionWords, title: string): ColumnRole | undefined {
  let role = rolesOfTitles.get(title);
  if (role === undefined) {
    role = columns.get(compactTitle(title)) ?? null;
    if (rolesOfTitles.size < 5000) rolesOfTitles.set(title, role);
  }
  return role ?? undefined;
}

const rolesOfTitles = new Map<string, ColumnRole | null>();

function putField(reading: StatementReading, state: ProseState, { title, role, value, quote }: Field): void {
  const open = state.open!;
  if (role.link !== undefined) {
    if (value === '') state.pending = role.link;
    else {
      // "Carrier: brake ECU; decomposed into FSR-2 and FSR-3": behind the sign something else is said.
      const end = role.link === 'allocation' ? value.search(/;\s+\p{Ll}/u) : -1;
      const written = end < 0 ? value : value.slice(0, end);
      refer(open, { role: role.link, written, quote, source: title });
      if (end >= 0)
        referencesInText(reading, open, {
          text: value.slice(end),
          quote: { ...quote, start: quote.start + end },
        });
    }
  } else if (role.attribute === 'text') {
    open.text = open.text === '' ? value : `${open.text} ${value}`;
    referencesInText(reading, open, { text: value, quote });
  } else if (value !== '') {
    putAttribute(reading, open, { attribute: role.attribute, value, quote });
    if (role.attribute === 'ftti') reading.timed.add(open);
  }
  open.end = Math.max(open.end, quote.end);
}

/** `SRS 1-3 >> satisfies FR 1`: ids, words that link, ids. */
function readSentence(reading: StatementReading, block: Block): boolean {
  const { text } = block;
  const ids = idsInText(text);
  // A range in short is one id and a number.
  if (ids.length < 2) return false;
  const runs = idRuns(text, ids);
  if (runs.length < 2) return false;
  const [first] = runs;
  if (!LEAD.test(text.slice(0, first!.start))) return false;
  let linked = false;
  for (const run of runs.slice(1)) {
    const between = text.slice(first!.end, run.start);
    if (between.length > 60 || /[.!?]\s/.test(between)) break;
    const role = roleBefore(text, run.start, reading);
    const arrow = /^\s*(?:→|⇒|->|=>|>>)\s*$/.test(between);
    if (!role && !arrow) continue;
    reading.sentences.push({
      sources: text.slice(first!.start, first!.end),
      role: role ?? 'any',
      targets: text.slice(run.start, run.end),
      quote: quoteOf(block),
    });
    linked = true;
  }
  return linked;
}

/** "… within 10 ms. ASIL C. Refines FSR-11.": a level that is a sentence of its own. */
function levelSentence(text: string): { readonly start: number; readonly end: number } | undefined {
  if (!text.includes('ASIL')) return undefined;
  return asilsInText(text.slice(0, LONGEST_TEXT)).find(
    ({ start, end }) =>
      /[.;]\s*$/u.test(text.slice(0, start)) &&
      /^\s*(?:[.;]|$)/u.test(text.slice(end)) &&
      // "ASIL: D" is a field.
      !/[:=]/u.test(text.slice(start, end)),
  );
}

/** An integrity level in the title, in brackets or as a sentence: `FSR-1 [ASIL D] …`, `(ASIL B(D))`, `… ASIL C.` */
function takeAsil(statement: StatementDraft, text: string, block: Block): void {
  if (!text.includes('ASIL')) return;
  const [first] = asilsInText(text.slice(0, 400));
  const inBrackets =
    first && (/[[(]\s*$/.test(text.slice(0, first.start)) || block.kind === 'heading') ? first : undefined;
  const level = inBrackets ?? levelSentence(text);
  if (!level) return;
  statement.asil ??= text.slice(level.start, level.end);
  statement.asilPlace ??= {
    start: block.start + level.start,
    end: block.start + level.end,
    location: block.location,
  };
}

function quoteOf(block: Block): Quote {
  return { start: block.start, end: block.end, location: block.location };
}
