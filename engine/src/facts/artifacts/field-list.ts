import { parseAsil } from '../../asil/asil.js';
import { columnWords } from '../../words/column-titles.js';
import { wordedId } from './identifiers.js';

/** One part of a list of fields, with its place in the text. */
export interface ListedField {
  readonly kind: 'asil' | 'parent' | 'verification' | 'allocation';
  /** Words before the value: "allocated to", "from"; empty where none stand there. */
  readonly label: string;
  readonly value: string;
  readonly start: number;
}

const LEVEL = /^(?:ASIL[\s:-]{0,2}(?:QM|[A-D])|QM)(?:\s?\(\s?[A-D]\s?\))?$/u;
/** Where such a list begins: a level at the beginning of a sentence, or in brackets right behind an id. */
const BEGINNING =
  /(?:^(?:\p{Lu}[\p{L}\p{N}._ -]{1,24}?\s?(?=[([]))?|[.;]\s{1,3}|\n)[\s([]{0,3}(?=(?:ASIL[\s:-]{0,2}(?:QM|[A-D])|QM)(?:\s?\(\s?[A-D]\s?\))?\s?[,;|])/gu;
const LONGEST = 400;
const LONGEST_PART = 220;

const NUMBERED = '\\p{L}[\\p{L}]{0,20}(?:[-_ ]\\p{L}{1,12}){0,2}[-_. ]?\\d{1,5}(?:[-._]\\d{1,4}){0,3}[a-z]?';

/** What each kind of part looks like, in the order in which they are tried. */
type Patterns = readonly (readonly [ListedField['kind'], RegExp])[];

let compiled: Patterns | undefined;

function patterns(): Patterns {
  if (compiled) return compiled;
  const { fieldList } = columnWords();
  const id = `(?:${wordedId()}|${NUMBERED})`;
  const ids = `${id}(?:(?:\\s?[,&/+]\\s?|\\s(?:and|und|to|bis|through)\\s)${id}){0,19}`;
  const labelled = (words: readonly string[]) => `(?<label>${words.join('|')})\\s?:?\\s`;
  compiled = [
    ['verification', new RegExp(`^${labelled(fieldList.verification)}(?<value>${ids})$`, 'iu')],
    ['parent', new RegExp(`^(?:${labelled(fieldList.links)})?(?<value>${ids})$`, 'iu')],
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

/**
 * Fields that a sentence of a record lists without labels of their own: "ASIL B, Goal 1, allocated to the heater controller."
 * Every part of it has to be one, beginning with the level; else it is a sentence like any other. Linear in the text.
 */
export function listedFields(text: string): readonly ListedField[] {
  if (!text.includes('ASIL') && !text.includes('QM')) return [];
  for (const { index, 0: lead } of text.matchAll(BEGINNING)) {
    const start = index + lead.length;
    const rest = text.slice(start, start + LONGEST);
    // The end of the sentence; a number may hold a point.
    const end = /[.)\]]{0,2}\s*$|[.)\]]{1,2}\s+(?=\p{Lu})/u.exec(rest)!.index;
    const fields = partsOf(rest.slice(0, end), start, /[([]\s*$/u.test(lead));
    if (fields) return fields;
  }
  return [];
}

/** In brackets, what is none of the other parts and a few words long is the element: "(ASIL B, limiter logic, from FSR-2)". */
const ELEMENT = /^\p{L}[\p{L}-]*(?:\s[\p{L}\p{N}-]+){1,4}$/u;

function partsOf(sentence: string, from: number, inBrackets: boolean): readonly ListedField[] | undefined {
  const fields: ListedField[] = [];
  let element: ListedField | undefined;
  // Where other signs part the fields, commas part the values of one.
  const separated = /[|;]/u.test(sentence) ? /[^;|]+/gu : /[^,]+/gu;
  for (const { 0: raw, index } of sentence.matchAll(separated)) {
    const part = raw.trim();
    if (part === '' || part.length > LONGEST_PART) return undefined;
    const start = from + index + raw.indexOf(part);
    if (fields.length === 0) {
      if (!LEVEL.test(part) || !parseAsil(part)) return undefined;
      fields.push({ kind: 'asil', label: '', value: part, start });
      continue;
    }
    const field = fieldOf(part);
    if (!field) {
      if (!inBrackets || element || !ELEMENT.test(part)) return undefined;
      element = { kind: 'allocation', label: '', value: part, start };
      fields.push(element);
    } else fields.push({ ...field, start: start + part.length - field.value.length });
  }
  // A link at least, so that "(ASIL B, this is new)" is no list.
  const known = fields.filter((field) => field !== element);
  if (known.length < 2) return undefined;
  return known.some(({ kind }) => kind === 'allocation') ? known : fields;
}

function fieldOf(part: string): Omit<ListedField, 'start'> | undefined {
  for (const [kind, pattern] of patterns()) {
    const found = pattern.exec(part)?.groups;
    if (found) return { kind, label: found.label ?? '', value: found.value! };
  }
  return undefined;
}
