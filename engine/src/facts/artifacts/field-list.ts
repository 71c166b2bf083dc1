import { parseAsil } from '../../asil/asil.js';
import { columnWords, titlesOf } from '../../words/column-titles.js';
import { wordedId } from './identifiers.js';

const LISTED_TIMES = { interval: 'ftti', detection: 'detection', reaction: 'reaction' } as const;
/** Times that a list may name: "FTTI 200 ms". */
export type ListedTime = keyof typeof LISTED_TIMES;

/** One part of a list of fields, with its place in the text. */
export interface ListedField {
  readonly kind: 'asil' | 'parent' | 'verification' | 'allocation' | ListedTime;
  /** Words before the value: "allocated to", "from"; empty where none stand there. */
  readonly label: string;
  readonly value: string;
  /** Where it begins with its words, and where its value does. */
  readonly at: number;
  readonly start: number;
}

const LEVEL_WORDS = '(?:ASIL[\\s:-]{0,2}(?:QM|[A-D])|QM)(?:\\s?\\(\\s?[A-D]\\s?\\))?';
const LEVEL = new RegExp(`^${LEVEL_WORDS}$`, 'u');
/** Where such a list begins: a level at the beginning of a sentence, or in brackets right behind an id. */
const BEGINNING = new RegExp(
  `(?:^(?:\\p{Lu}[\\p{L}\\p{N}._ -]{1,24}?\\s?(?=[([]))?|[.;]\\s{1,3}|\\n)[\\s([]{0,3}(?=${LEVEL_WORDS}\\s?[,;|])`,
  'gu',
);
const LONGEST = 400;
const LONGEST_PART = 220;

const NUMBERED = '\\p{L}[\\p{L}]{0,20}(?:[-_ ]\\p{L}{1,12}){0,2}[-_. ]?\\d{1,5}(?:[-._]\\d{1,4}){0,3}[a-z]?';

/** What each kind of part looks like, in the order in which they are tried. */
type Patterns = readonly (readonly [ListedField['kind'], RegExp])[];

let compiled: Patterns | undefined;
/** Where a list begins with what the record comes from, and its level follows. */
let sourceFirst: RegExp | undefined;

function patterns(): Patterns {
  if (compiled) return compiled;
  const { fieldList } = columnWords();
  const id = `(?:${wordedId()}|${NUMBERED})`;
  const ids = `${id}(?:(?:\\s?[,&/+]\\s?|\\s(?:and|und|to|bis|through|by|über)\\s)${id}){0,19}`;
  const labelled = (words: readonly string[]) => `(?<label>${words.join('|')})\\s?:?\\s`;
  sourceFirst = new RegExp(
    `(?:^|[.;]\\s{1,3}|\\n)\\s{0,3}(?=(?:${fieldList.links.map(capitalised).join('|')})\\s${id}[^.;|:]{0,80},\\s${LEVEL_WORDS}\\s?[,;|.:])`,
    'gu',
  );
  compiled = [
    ['verification', new RegExp(`^${labelled(fieldList.verification)}(?<value>${ids})$`, 'iu')],
    ['parent', new RegExp(`^(?:${labelled(fieldList.links)})?(?<value>${ids})$`, 'iu')],
    ...Object.entries(LISTED_TIMES).map(([kind, meaning]): Patterns[number] => {
      const names = titlesOf(meaning).map((name) => name.replaceAll(/[^\p{L}\p{N} -]/gu, '.'));
      const label = labelled(names.sort((a, b) => b.length - a.length));
      return [
        kind as ListedTime,
        new RegExp(`^${label}(?<value>[≤<]?\\s?\\d[\\d.,]*\\s?(?:ms|s|min|h))$`, 'iu'),
      ];
    }),
    [
      'allocation',
      new RegExp(
        `^${labelled(fieldList.elements)}(?:(?:the|an?|der|die|das|dem|den)\\s)?(?<value>\\p{L}[^.;|]{1,200})$`,
        'iu',
      ),
    ],
  ];
  return compiled;
}

/** A word that begins a sentence, or goes on in one. */
const capitalised = (word: string) => `[${word[0]!.toUpperCase()}${word[0]!}]${word.slice(1)}`;

/**
 * Fields that a sentence of a record lists without labels of their own: "ASIL B, Goal 1, allocated to the heater controller.", "Origin
 * SG-1, ASIL B.", "For FSR-3, ASIL B, pump controller: the pump is …", and what sentences behind it say with words of their own ("Allocated
 * to the pump."). Every part of the list has to be a field; else it is a sentence like any other. Linear in the text.
 */
export function listedFields(text: string): readonly ListedField[] {
  if (!text.includes('ASIL') && !text.includes('QM')) return bracketBehind(text);
  for (const { index, 0: lead } of text.matchAll(BEGINNING)) {
    const start = index + lead.length;
    const rest = text.slice(start, start + LONGEST);
    // The end of the sentence; a number may hold a point.
    const end = /[.)\]]{0,2}\s*$|[.)\]]{1,2}\s+(?=\p{Lu})|[)\]](?=\s?:\s)/u.exec(rest)!.index;
    const fields = partsOf(rest.slice(0, end), start, /[([]\s*$/u.test(lead) ? 'brackets' : 'sentence');
    if (fields) return [...fields, ...sentencesBehind(text, start + end)];
  }
  patterns();
  for (const { index, 0: lead } of text.matchAll(sourceFirst!)) {
    const start = index + lead.length;
    const rest = text.slice(start, start + LONGEST);
    const end = /\.?\s*$|\.\s+(?=\p{Lu})|:\s/u.exec(rest)!.index;
    const fields = partsOf(rest.slice(0, end), start, rest[end] === ':' ? 'before a colon' : 'sentence');
    if (fields) return [...fields, ...sentencesBehind(text, start + end)];
  }
  return bracketBehind(text);
}

/** At the end of a record, in square brackets. */
const BRACKET_BEHIND = /\[(?<list>[^[\]]{3,240})\]\.?\s*$/u;
const LEVEL_BEHIND =
  /^(?:(?:ASIL|[Ll]evel|[Cc]lass|[Ii]ntegrity|[Ss]tufe|[Kk]lasse|[Ee]instufung)[\s:-]{0,2})?(?<value>(?:QM|[A-D])(?:\s?\(\s?[A-D]\s?\))?)$/u;
const ELEMENT_BEHIND = /^\p{Lu}[^;]{0,80}$/u;

/**
 * Level, origin and element in brackets behind the text of a record, the first one without its word: "… is opened. [A(B); F-11; MC]",
 * "[level B; from G1; borne by MC and BL]". Without a level and an origin it is a bracket like any other.
 */
function bracketBehind(text: string): readonly ListedField[] {
  const found = text.length > 8 ? BRACKET_BEHIND.exec(text.slice(-260)) : null;
  if (!found) return [];
  const { list } = found.groups!;
  const from = Math.max(0, text.length - 260) + found.index + 1;
  const fields: ListedField[] = [];
  const has = (one: ListedField['kind']) => fields.some(({ kind }) => kind === one);
  for (const { 0: raw, index } of list!.matchAll(list!.includes(';') ? /[^;]+/gu : /[^,]+/gu)) {
    const part = raw.trim();
    const at = from + index + raw.indexOf(part);
    const level = has('asil') ? undefined : LEVEL_BEHIND.exec(part)?.groups?.value;
    // "decomposed into F-11 and F-12": words of the author's own say something else.
    const isOwn = /^\p{Ll}{3}/u.test(part);
    const read = level === undefined ? fieldOf(part) : undefined;
    const field = read && (read.label !== '' || !isOwn) ? read : undefined;
    if (level !== undefined)
      fields.push({ kind: 'asil', label: '', value: level, at, start: at + part.length - level.length });
    else if (field) fields.push({ ...field, at, start: at + part.length - field.value.length });
    else if (fields.length > 0 && !has('allocation') && ELEMENT_BEHIND.test(part))
      fields.push({ kind: 'allocation', label: '', value: part, at, start: at });
  }
  return fields[0]?.kind === 'asil' && has('parent') ? fields : [];
}

/** "Allocated to the pump. Verified by T-1.": sentences that are a field with words of its own. */
function sentencesBehind(text: string, from: number): readonly ListedField[] {
  return [...text.slice(from).matchAll(/(?<=[.;]\s{1,3})(\p{Lu}[^.;]{3,220})(?=[.;]\s|[.;]?$)/gu)].flatMap(
    ({ 1: sentence, index }) => {
      const field = fieldOf(sentence!);
      if (!field?.label.includes(' ')) return [];
      const at = from + index;
      return [{ ...field, at, start: at + sentence!.length - field.value.length }];
    },
  );
}

/** In brackets, what is none of the other parts and a few words long is the element: "(ASIL B, limiter logic, from FSR-2)". */
const ELEMENT =
  /^(?:\p{L}[\p{L}-]*(?:\s[\p{L}\p{N}-]+){1,4}|\p{Lu}[\p{Lu}\p{N}_/-]{1,11}(?:\s(?:and|und)\s\p{Lu}[\p{Lu}\p{N}_/-]{1,11})?)$/u;
/** "decomposed with FSR-6": words of the author's own before an id say something else about the record. */
const OTHER_WORDS = new RegExp(`^\\p{Ll}{3,20}(?:\\s\\p{Ll}{2,20}){0,3}\\s${NUMBERED}$`, 'u');
/** The same before the colon behind which the text stands: "For FSR-3, ASIL B, pump and valve of the left side: …". */
const ELEMENTS = /^\p{L}[\p{L}-]*(?:\s[\p{L}\p{N}-]+){1,9}$/u;

function partsOf(
  sentence: string,
  from: number,
  place: 'brackets' | 'before a colon' | 'sentence',
): readonly ListedField[] | undefined {
  const fields: ListedField[] = [];
  let element: ListedField | undefined;
  // Where other signs part the fields, commas part the values of one.
  const separated = /[|;]/u.test(sentence) ? /[^;|]+/gu : /[^,]+/gu;
  for (const { 0: raw, index } of sentence.matchAll(separated)) {
    const part = raw.trim();
    if (part === '' || part.length > LONGEST_PART) return undefined;
    const start = from + index + raw.indexOf(part);
    if (!fields.some(({ kind }) => kind === 'asil') && LEVEL.test(part) && parseAsil(part)) {
      fields.push({ kind: 'asil', label: '', value: part, at: start, start });
      continue;
    }
    const field = fieldOf(part);
    if (place === 'brackets' && !field?.label && OTHER_WORDS.test(part)) continue;
    if (fields.length === 0 && (field?.kind !== 'parent' || field.label === '')) return undefined;
    if (!field) {
      const pattern = { brackets: ELEMENT, 'before a colon': ELEMENTS, sentence: undefined }[place];
      if (element || !pattern?.test(part)) return undefined;
      element = { kind: 'allocation', label: '', value: part, at: start, start };
      fields.push(element);
    } else fields.push({ ...field, at: start, start: start + part.length - field.value.length });
  }
  // A link at least, so that "(ASIL B, this is new)" is no list.
  const known = fields.filter((field) => field !== element);
  if (known.length < 2) return undefined;
  return known.some(({ kind }) => kind === 'allocation') ? known : fields;
}

function fieldOf(part: string): Omit<ListedField, 'start' | 'at'> | undefined {
  for (const [kind, pattern] of patterns()) {
    const found = pattern.exec(part)?.groups;
    if (found) return { kind, label: found.label ?? '', value: found.value! };
  }
  return undefined;
}
