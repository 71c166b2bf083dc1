import { asilsInText } from '../../asil/asil.js';
import type { Corpus, CorpusDocument } from '../../corpus/corpus.js';
import type { Passage } from '../../corpus/passages/passage.js';
import { splitSentences } from '../../text/sentences.js';
import { kindListed } from '../../words/artifact-types.js';
import { titlesOf } from '../../words/column-titles.js';
import { titleByValues } from '../../words/column-values.js';
import { anyOf, patternOf } from '../../words/read-words.js';
import { extractionWords } from '../artifacts/extraction-words.js';
import { listedFields } from '../artifacts/field-list.js';
import { isDemand } from '../artifacts/id-stems.js';
import { identifierKey, identifiersIn } from '../artifacts/identifiers.js';
import { quantitiesIn } from '../quantities.js';
import { stateWords } from './state-words.js';
import { identifierPattern, kindsOfTitle, LINKS, type StatedKind, statedWords } from './stated-columns.js';
import { idsIn, isIdsOnly, type StatedItem, type StatedValue } from './stated-item.js';

const LONGEST_LABEL = 40;
/** Kinds whose titles are names of times in sentences as well. */
const TIMES = ['interval', 'detection', 'reaction'] as const;

/** What paragraphs, list items and records below a heading with an id state. Linear in the text. */
export function statedProse(corpus: Corpus, document: CorpusDocument): readonly StatedItem[] {
  const { read } = document;
  const items: StatedItem[] = [];
  let open:
    | { readonly level: number; readonly id: string; readonly item: MutableItem; titled: boolean }
    | undefined;
  let headed: MutableItem | undefined;
  let listOf: { readonly item: MutableItem; next: number } | undefined;
  for (const passage of read.passages) {
    const block = read.document.blocks[passage.blockIndex]!;
    if (block.kind === 'heading') {
      const level = block.level ?? 1;
      if (open && level > open.level) continue;
      const numbering = /^[\d.]*\s*/u.exec(passage.text)![0].length;
      const id = leadingId(passage.text.slice(numbering));
      open =
        id === undefined ? undefined : { level, id, item: emptyItem(document, passage, id), titled: false };
      headed = open?.item;
      if (open) {
        putText(open.item, passage, numbering + id!.length);
        // A whole demand is the text itself.
        open.titled = open.item.values.has('text') && !isDemand(textOf(open.item));
        items.push(open.item);
      }
      continue;
    }
    if (block.cells || passage.role !== 'body' || corpus.otherItem.has(passage.id)) continue;
    const listed = underKind(document, passage);
    if (listed.length > 0) {
      items.push(...listed);
      continue;
    }
    // "S3 – may be fatal." in a line of its own below the heading of an event.
    if (headed && putClass(headed, passage)) continue;
    const id = leadingId(passage.text) ?? idOfKind(passage.text);
    if (id === undefined && listOf?.next === passage.blockIndex && block.kind === 'list_item') {
      putFields(listOf.item, passage);
      listOf.next++;
      continue;
    }
    if (id !== undefined) {
      const item = emptyItem(document, passage, id);
      putText(item, passage, passage.text.indexOf(id) + id.length);
      putRatings(item, passage);
      putFields(item, passage);
      // "TSR-5 (ASIL B, limiter, from FSR-4). The limiter shall …": the fields stand before the text.
      const listed = listedFields(passage.text);
      const isBefore = ({ start, value }: (typeof listed)[number]) =>
        /^\s?(?:[)\]]\s?[.:]?|:)\s/u.test(passage.text.slice(start + value.length));
      const last = listed.findLast(isBefore) ?? listed.at(-1);
      if (last && !item.values.has('text')) putText(item, passage, last.start + last.value.length);
      items.push(item);
      if (block.kind !== 'list_item') listOf = { item, next: passage.blockIndex + 1 };
      open = isTitle(passage.text) ? { level: BELOW_HEADINGS, id, item, titled: true } : undefined;
    } else if (headed && headed !== open?.item && headed.values.has('severity')) {
      putResult(headed, passage);
    } else if (open) {
      // The first paragraph says what the title of the heading only names.
      putRatings(open.item, passage);
      const hasFields = putFields(open.item, passage);
      // What stands before the first field is the text; a field alone is none.
      const isText = !hasFields || (labelled(passage.text)[0]?.at ?? 0) > SHORTEST_TEXT;
      if (isText && (open.titled || !open.item.values.has('text'))) {
        open.item.values.delete('text');
        open.titled = false;
        putText(open.item, passage, 0);
      }
    }
    items.push(...timesInSentences(document, passage));
  }
  return items;
}

/** Shorter beginnings before a field are a bullet, an id or a class. */
const SHORTEST_TEXT = 15;
/** Below every heading. */
const BELOW_HEADINGS = 99;
/** "DS1 - Frozen image at a lane change": a line that titles the paragraphs behind it, as a heading would. */
const isTitle = (text: string): boolean =>
  text.length <= 100 && !/[.;:,!?]\s*$/u.test(text) && !isDemand(text);

const textOf = ({ values }: MutableItem) => values.get('text')?.text ?? '';

/** What a section may list by id, and its heading say what it is: "Safe states", "SG1: the motor is off. SG2: …". */
const LISTED: readonly StatedKind[] = [
  'safe_state',
  'interval',
  'detection',
  'reaction',
  'degradation',
  'warning',
  'allocation',
];

/** Sentences of a section whose heading says what they state, each after its id. */
function underKind(document: CorpusDocument, passage: Passage): readonly StatedItem[] {
  const { read } = document;
  const section = read.sections[read.sectionOf[passage.blockIndex]!];
  const [kind] = kindsOfTitle(section?.title.replace(/^[\d.\s]+/u, '') ?? '').filter((one) =>
    LISTED.includes(one),
  );
  if (!kind) return [];
  const starts = splitSentences(passage.text).flatMap(({ start, end }) => {
    const named = new RegExp(`^\\s*(${identifierPattern()})\\s?[:=–-]\\s`, 'u').exec(
      passage.text.slice(start, end),
    );
    return named ? [{ id: named[1]!, start, from: start + named[0].length }] : [];
  });
  return starts.flatMap(({ id, from }, at): StatedItem[] => {
    const text = passage.text.slice(from, starts[at + 1]?.start ?? passage.text.length).trim();
    if (text === '') return [];
    const item = emptyItem(document, passage, id);
    const start = passage.start + from;
    item.values.set(kind, { text, start, end: start + text.length, passage, title: section!.title });
    return [item];
  });
}

type MutableItem = StatedItem & {
  readonly values: Map<StatedKind, StatedValue>;
  readonly cells: StatedValue[];
};

function emptyItem(document: CorpusDocument, passage: Passage, id: string): MutableItem {
  const section = document.read.sections[document.read.sectionOf[passage.blockIndex]!]?.title ?? '';
  return {
    id,
    key: identifierKey(id),
    hasId: true,
    document,
    passage,
    section,
    values: new Map(),
    cells: [],
    how: 'record',
  };
}

let leading: RegExp | undefined;
/** The id that a paragraph or heading begins with, as it is written. */
export function leadingId(text: string): string | undefined {
  leading ??= new RegExp(
    `^(?:\\s{0,3}\\d{1,3}[.)]\\s{1,3}(?=[[(]))?[\\s[(*•–-]{0,8}(${identifierPattern()})(?=[\\])]?\\s?(?:[:.)–|-]|\\s?\\p{L}|\\(|$))`,
    'u',
  );
  const id = leading.exec(text)?.[1];
  if (id === undefined) return undefined;
  const behind = text.slice(text.indexOf(id) + id.length);
  // "Above 60 km/h the unit …", "After 2 (N_MSG) messages": a word and a number of a sentence.
  const isWord = WORD_AND_NUMBER.test(id) && identifiersIn(id).length === 0;
  if (isWord && /^\s*[\p{Ll}(]/u.test(behind)) return undefined;
  if (SAID_OF.test(behind) && !isDemand(text)) return undefined;
  // "Goal 2 with ASIL B is decomposed in …" speaks about it.
  const goesOn = /^\s\p{Ll}/u.test(behind);
  return goesOn && /\s/u.test(id) && !isDemand(text) ? undefined : id;
}
/** "SG-1 (ASIL C) is shared by …": a sentence about it. */
const SAID_OF = /^\s(?:\([^()]{1,30}\)\s)?(?:is|are|was|were|has|have|ist|sind|wird|werden|wurde|hat)\s/u;
const WORD_AND_NUMBER = /^\p{Lu}\p{Ll}+\s\d+$/u;

let ofKind: RegExp | undefined;
/** "Safety goal SG-01 (ASIL C): …": the name of a kind of artifact before its id. */
function idOfKind(text: string): string | undefined {
  ofKind ??= new RegExp(
    `^\\s{0,3}(?<kind>\\p{L}[\\p{L} -]{2,40})\\s(?<id>${identifierPattern()})(?=\\s?(?:\\([^()]{1,24}\\)\\s?)?[:–]|,\\s(?:for|für|zu)\\s)`,
    'u',
  );
  const groups = ofKind.exec(text)?.groups;
  return groups && kindListed(groups.kind!) ? groups.id : undefined;
}

const LEVEL = 'ASIL[\\s:-]{0,2}(?:QM|[A-D])(?:\\s?\\(\\s?[A-D]\\s?\\))?|QM';
/** "(ASIL C): The unit shall …": the level of what follows. "SG-1 (ASIL C) is refined by …" is a sentence about it. */
const LEVEL_AFTER_ID = new RegExp(
  `^\\s{0,2}[(\\[]\\s?(?<level>${LEVEL})\\s?[)\\]](?=\\s?[:–—.-]|\\s\\p{Lu}|\\s*$)`,
  'u',
);

let checking: RegExp | undefined;
/** "(checks TSR-12): …", "zu TSA-3. …" right behind the id of a test: what it verifies, and where the words behind it begin. */
function checkedAfterId(
  text: string,
): { readonly ids: string; readonly at: number; readonly end: number } | undefined {
  const { inBrackets, bare } = stateWords().checks;
  const id = identifierPattern();
  const ids = `(?<ids>${id}(?:(?:\\s?[,;/&]\\s?|\\s(?:and|und)\\s)${id}){0,9})`;
  checking ??= new RegExp(
    `^,?\\s{0,2}(?:[(\\[]\\s?(?:${inBrackets.join('|')})\\s${ids}\\s?[)\\]]|(?:${bare.join('|')})\\s${ids.replace('<ids>', '<others>')}(?=\\s?[.:]|\\s(?:by|with|using|through|via|durch|mit|per|bei)\\s))`,
    'u',
  );
  const match = checking.exec(text);
  if (!match) return undefined;
  const found = (match.groups!.ids ?? match.groups!.others)!;
  return { ids: found, at: match[0].lastIndexOf(found), end: match[0].length };
}

/** The words after the id and its level, up to the first field. */
function putText(item: MutableItem, passage: Passage, from: number): void {
  const level = LEVEL_AFTER_ID.exec(passage.text.slice(from));
  if (level && !item.values.has('asil')) {
    const text = level.groups!.level!;
    const start = passage.start + from + level[0].indexOf(text);
    item.values.set('asil', { text, start, end: start + text.length, passage, title: '' });
  }
  const behind = from + (level?.[0].length ?? 0);
  const checked = checkedAfterId(passage.text.slice(behind));
  if (checked && !item.values.has('verifies')) {
    const start = passage.start + behind + checked.at;
    const place = { start, end: start + checked.ids.length };
    item.values.set('verifies', { text: checked.ids, ...place, passage, title: '' });
  }
  const after = behind + (checked?.end ?? 0);
  const rest = passage.text.slice(after);
  const begin = after + (/^[\])\s:.)|–,;-]*/u.exec(rest)?.[0].length ?? 0);
  const fields = labelled(passage.text).filter(({ from }) => from >= begin);
  const end = fields[0]?.at ?? passage.text.length;
  const text = passage.text
    .slice(begin, end)
    .replace(/[\s([]+$/u, '')
    .trim();
  if (text.length > 3 && !item.values.has('text')) {
    item.values.set('text', {
      text,
      start: passage.start + begin,
      end: passage.start + begin + text.length,
      passage,
      title: '',
    });
  }
}

/** `FTTI: 300 ms; ASIL: D`; true where the passage has fields. */
function putFields(item: MutableItem, passage: Passage): boolean {
  const fields = labelled(passage.text);
  for (const { kind, from, value: written, label } of fields) {
    if (item.values.has(kind) || written === '') continue;
    const start = passage.start + from;
    const value = LINKS.includes(kind)
      ? leadingIds(written)
      : kind === 'asil'
        ? leadingLevel(written)
        : written;
    if (value !== written && kind !== 'asil')
      putBehind(item, passage, from + value.length, from + written.length);
    const stated = { text: value, start, end: start + value.length, passage, title: label };
    item.values.set(kind, stated);
    item.cells.push(stated);
  }
  return fields.length > 0;
}

/** "Verifies: TSR-12 Given a request, …" links ids; the sentence behind them is another line of the same paragraph. */
function leadingIds(value: string): string {
  const ids = idsIn(value);
  let end = 0;
  for (const { id } of ids) {
    const at = value.indexOf(id, end);
    if (!/^[\s,;/&+]*(?:(?:and|und)\s)?$/u.test(value.slice(end, at))) break;
    end = at + id.length;
  }
  return end > 0 && /^\s+\p{Lu}\p{Ll}/u.test(value.slice(end)) ? value.slice(0, end) : value;
}

/** "B, decomposed into FSR-2": the level, without what is said about it. */
const leadingLevel = (value: string): string =>
  /^(?:ASIL[\s:-]{0,2})?(?:QM|[A-D])(?:\s?\(\s?[A-D]\s?\))?(?=[,;]\s|\s\((?![A-D]\s?\)))/u.exec(value)?.[0] ??
  value;

/** The sentence of a record that follows a link; more than the title of a heading. */
function putBehind(item: MutableItem, passage: Passage, from: number, to: number): void {
  const raw = passage.text.slice(from, to);
  const text = raw.trim();
  const start = passage.start + from + raw.indexOf(text);
  item.values.set('text', { text, start, end: start + text.length, passage, title: '' });
}

/** "S3 because a person may be run over. E4 because …": class and reason. */
const EXPLAINED =
  /(?<![\p{L}\p{N}])(?<class>[SECK][0-4])(?:,?\s{1,3}(?:because|since|as|weil|da|denn)|\s{0,3}[:–—-]{1,2})\s{1,3}(?<reason>[^.;\n]{8,300})/gu;
const RATED = {
  S: ['severity', 'severity_rationale'],
  E: ['exposure', 'exposure_rationale'],
  C: ['controllability', 'controllability_rationale'],
  K: ['controllability', 'controllability_rationale'],
} as const satisfies Readonly<Record<string, readonly StatedKind[]>>;

let named: RegExp | undefined;
/** "The severity is S3, because a collision at this speed can kill.": a class under the name of its rating. */
function namedRatings(text: string): readonly RegExpExecArray[] {
  named ??= new RegExp(
    `(?<=^|[.;]\\s{1,3})(?:(?:the|die|das|der)\\s)?(?:${ratingNames().join('|')})\\s(?:is|was|ist|wird\\s(?:mit|als))\\s(?:rated\\s)?(?<class>[SECK][0-4])(?:,?\\s{1,3}(?:because|since|as|for|weil|da|denn))\\s{1,3}(?<reason>[^\\n]{8,400}?)(?=\\.\\s|\\.?\\s*$)`,
    'giu',
  );
  return [...text.matchAll(named)];
}

const ratingNames = (): readonly string[] =>
  (['severity', 'exposure', 'controllability'] as const).flatMap((kind) =>
    statedWords()
      .kinds[kind].of.flatMap(titlesOf)
      .filter((name) => /^\p{L}{3,}$/u.test(name)),
  );

/** Classes with their reasons in a paragraph about an event; one alone may be a sentence about something else. */
function putRatings(item: MutableItem, passage: Passage): void {
  const explained = [...passage.text.matchAll(EXPLAINED)];
  const isSeveral = new Set(explained.map(({ groups }) => groups!.class![0])).size > 1;
  const found = isSeveral ? explained : namedRatings(passage.text);
  if (found.length === 0) {
    putResult(item, passage);
    return;
  }
  for (const { index, 0: whole, groups } of found) {
    const [rating, rationale] = RATED[groups!.class![0] as keyof typeof RATED];
    const put = (kind: StatedKind, text: string, at: number) => {
      const start = passage.start + at;
      if (!item.values.has(kind))
        item.values.set(kind, { text, start, end: start + text.length, passage, title: '' });
    };
    put(rating, groups!.class!, index);
    const reason = groups!.reason!.trimEnd();
    put(rationale, reason, index + whole.lastIndexOf(groups!.reason!));
  }
  putLevel(item, passage);
}

/** A line that begins with a class and says why; true where it does. */
function putClass(item: MutableItem, passage: Passage): boolean {
  const match = CLASS_LINE.exec(passage.text);
  if (!match) return false;
  const { class: rated, reason } = match.groups!;
  const [rating, rationale] = RATED[rated![0] as keyof typeof RATED];
  if (item.values.has(rating)) return false;
  const put = (kind: StatedKind, text: string, at: number) => {
    const start = passage.start + at;
    item.values.set(kind, { text, start, end: start + text.length, passage, title: '' });
  };
  put(rating, rated!, passage.text.indexOf(rated!));
  put(rationale, reason!.trimEnd(), match[0].length - reason!.length);
  return true;
}
const CLASS_LINE =
  /^[\s•*–-]{0,4}(?<class>[SECK][0-4])\s{0,2}(?:[:–—-]|\([^()]{1,40}\)\s?[:–—-]?)\s{1,3}(?<reason>\S[^\n]{7,500})$/u;

/** "The result is ASIL B." of an event whose ratings were told before. */
function putResult(item: MutableItem, passage: Passage): void {
  if (
    item.values.has('severity') &&
    /^(?:the\s)?(?:result|ASIL|level|Ergebnis)(?!\p{L})/iu.test(passage.text)
  )
    putLevel(item, passage);
}

/** "The result is QM." */
const unrated = (text: string) =>
  [...text.matchAll(/(?<=\s)QM(?!\p{L})/gu)].map(({ index }) => ({ start: index, end: index + 2 }));

/** "Result: ASIL B, covered by SG-2." */
function putLevel(item: MutableItem, passage: Passage): void {
  const levels = asilsInText(passage.text);
  const [found] = levels.length > 0 ? levels : unrated(passage.text);
  if (levels.length > 1 || !found || item.values.has('asil')) return;
  const text = passage.text.slice(found.start, found.end);
  const place = { start: passage.start + found.start, end: passage.start + found.end };
  item.values.set('asil', { text, ...place, passage, title: '' });
}

// Lengths are bounded, so that no text makes it slow.
const LABELLED =
  /(?:^|\.\s{1,3}|,\s{1,3})[\s•*-]{0,6}([\p{L}][\p{L} -]{0,40}?)\s{0,3}(?:[:=]|\bis\b)\s{0,3}([^;\n|\t]{0,300}?)(?=\.\s{1,3}\p{Lu}[\p{L} -]{0,40}[:=]|,\s{1,3}\p{Lu}[\p{L} -]{0,40}[:=]|\.?\s{0,3}$)/gu;

interface LabelledField {
  readonly kind: StatedKind;
  readonly label: string;
  readonly value: string;
  /** Where the field begins, and where its value does. */
  readonly at: number;
  readonly from: number;
}

/** Fields of a paragraph, with a label and a colon or as sentences of their own, in order. */
function labelled(text: string): readonly LabelledField[] {
  const listed = listedFields(text).flatMap(({ kind, start, ...one }): readonly LabelledField[] =>
    kind === 'verification' ? [] : [{ ...one, kind, from: start }],
  );
  const begin = listed[0]?.at ?? text.length;
  const sentences = asSentences(text);
  const isBehind = ({ at }: LabelledField) => listed.every(({ from, value }) => at >= from + value.length);
  const fields = [
    ...withColon(text).filter(({ at }) => at < begin),
    ...sentences.filter((one) => one.at < begin || isBehind(one)),
  ];
  fields.push(...listed);
  // "Safe state: motor off. Derived from HE-3": what a sentence of its own states ends the value before.
  return fields
    .map((field) => {
      const next = sentences.find(({ at }) => at > field.from && at < field.from + field.value.length);
      return next ? { ...field, value: text.slice(field.from, next.at).replace(/[\s.;,]+$/u, '') } : field;
    })
    .sort((a, b) => a.at - b.at);
}

let linking: RegExp | undefined;
const SENTENCE_LEVEL = new RegExp(`(?<=[.;]\\s{1,3})(?<value>${LEVEL})(?=\\s?(?:[.;]|$))`, 'gu');

/** "… within 10 ms. ASIL C. Refines FSR-11. Allocated to the monitor.": what single sentences of a record state. */
function asSentences(text: string): readonly LabelledField[] {
  const levels = [...text.matchAll(SENTENCE_LEVEL)].map((match): LabelledField => {
    const value = match.groups!.value!;
    return { kind: 'asil', label: '', value, at: match.index, from: match.index };
  });
  linking ??= new RegExp(
    `(?:(?<=[.;]\\s{1,3})|^)(?<label>${extractionWords()
      .phrases.filter(({ role }) => role === 'up' || role === 'verifies')
      .map(({ phrase }) => phrase)
      .join(
        '|',
      )})\\s{1,3}(?<ids>${identifierPattern()}(?:(?:\\s?[,;/&]\\s?|\\s(?:and|und)\\s)${identifierPattern()}){0,9})(?=\\s?(?:[.;]|$))`,
    'giu',
  );
  const links = [...text.matchAll(linking)].map((match): LabelledField => {
    const { label, ids } = match.groups as { label: string; ids: string };
    const isCheck = extractionWords().phrases.some(
      ({ phrase, role }) => role === 'verifies' && phrase === label.toLowerCase(),
    );
    const from = match.index + match[0].length - ids.length;
    return { kind: isCheck ? 'verifies' : 'parent', label, value: ids, at: match.index, from };
  });
  return [...levels, ...timedSentences(text), ...links];
}

let timed: RegExp | undefined;
let stated: RegExp | undefined;
/** "… ASIL C. FTTI 200 ms. Detection within 50 ms. The safe state is SS-A.": a name and its value as a sentence of their own. */
function timedSentences(text: string): readonly LabelledField[] {
  const namesOf = (kind: StatedKind) =>
    statedWords()
      .kinds[kind].of.flatMap(titlesOf)
      .sort((a, b) => b.length - a.length)
      .map((name) => name.replaceAll(/[^\p{L}\p{N} -]/gu, '.'))
      .join('|');
  const before = '(?<=[.;]\\s{1,3})(?:(?:The|Die|Der|Das)\\s)?';
  timed ??= new RegExp(
    `${before}(?<label>${TIMES.map(namesOf).join('|')})\\s(?:(?:of|is|von|ist|beträgt)\\s)?(?<value>\\d[\\d.,]*\\s?\\p{L}{1,4})(?=\\s?(?:[.;(]|$))`,
    'giu',
  );
  stated ??= new RegExp(
    `${before}(?<label>${namesOf('safe_state')})\\s(?:(?:is|are|ist|sind)\\s)?(?<value>${identifierPattern()}(?:(?:,\\s|\\s(?:and|und)\\s)${identifierPattern()})*|[A-Z]{1,4}-[A-Z]\\b[^.;]{0,40})(?=\\s?(?:[.;,(]|$))`,
    'giu',
  );
  return [...text.matchAll(timed), ...text.matchAll(stated)].flatMap((match): readonly LabelledField[] => {
    const { label, value } = match.groups as { label: string; value: string };
    const from = match.index + match[0].length - value.length;
    const kind = [...TIMES, 'safe_state' as const].find((one) => kindsOfTitle(label).includes(one));
    return kind ? [{ kind, label, value, at: match.index, from }] : [];
  });
}

function withColon(text: string): readonly LabelledField[] {
  const chunks = text.matchAll(/[^;\n|\t]+/gu);
  return [...chunks].flatMap((chunk) => {
    // A sentence may end before the next label: "… 3 km/h. ASIL: D. FTTI: 300 ms"
    return [...chunk[0].matchAll(LABELLED)].flatMap((match) => {
      const label = match[1]!.trim();
      if (label.length > LONGEST_LABEL) return [];
      const value = match[2]!.trim();
      const kinds = kindsOfField(label, /^[^:]*:/u.test(match[0]) ? value : '');
      // "Requirement: …" is a link where ids follow, and the words of the record where anything else does.
      const kind = kinds.find(
        (one) =>
          one !== 'id' &&
          one !== 'text' &&
          !(LINKS.includes(one) && kinds.includes('text') && !isIdsOnly(value)),
      );
      if (!kind) return [];
      const at = chunk.index + match.index;
      return [{ kind, label, value, at, from: at + match[0].lastIndexOf(match[2]!) }];
    });
  });
}

/** What a label says, or its value where the label alone does not tell. */
function kindsOfField(label: string, value: string): readonly StatedKind[] {
  const kinds = kindsOfTitle(label);
  if (kinds.length > 0) return kinds;
  const meant = value === '' ? undefined : titleByValues({ title: label, texts: [value] }, 'requirement');
  return meant === undefined ? kinds : kindsOfTitle(meant);
}

/** "The FTTI of SG-02 is 1000 ms": one id, one name of a time, one time. */
function timesInSentences(document: CorpusDocument, passage: Passage): readonly StatedItem[] {
  return splitSentences(passage.text).flatMap(({ start, end }): StatedItem[] => {
    const sentence = passage.text.slice(start, end);
    const times = quantitiesIn(sentence).filter(({ kind }) => kind === 'time');
    const ids = [...new Map(idsIn(sentence).map((one) => [one.key, one])).values()];
    if (times.length === 1 && ids.length === 0) return timeOfSubject(document, passage, { start, end });
    if (times.length !== 1 || ids.length !== 1) return [];
    if (anyOf(statedWords().countsFrom).test(sentence.slice(0, times[0]!.start))) return [];
    const lower = ` ${sentence.toLowerCase().replaceAll(/[^\p{L}]+/gu, ' ')} `;
    const named = TIMES.filter((kind) =>
      statedWords()
        .kinds[kind].of.flatMap(titlesOf)
        .some((word) => lower.includes(` ${word.toLowerCase()} `)),
    );
    if (named.length !== 1) return [];
    const [time] = times;
    const begin = passage.start + start + time!.start;
    const item = emptyItem(document, passage, ids[0]!.id);
    item.values.set(named[0]!, {
      text: time!.written,
      start: begin,
      end: begin + time!.written.length,
      passage,
      title: '',
    });
    return [{ ...item, how: 'sentence' }];
  });
}

/** "The FTTI of the lane keeping function is 200 ms": what has no id is called by its words. */
function timeOfSubject(
  document: CorpusDocument,
  passage: Passage,
  { start, end }: { readonly start: number; readonly end: number },
): StatedItem[] {
  const sentence = passage.text.slice(start, end).trimStart();
  const [time] = quantitiesIn(sentence).filter(({ kind }) => kind === 'time');
  if (!/^\s*[.!]?\s*$/u.test(sentence.slice(time!.end))) return [];
  const before = sentence.slice(0, time!.start);
  const { en, de } = statedWords().timeOfSubject;
  const told = (patternOf(en).exec(before) ?? patternOf(de).exec(before))?.groups;
  const kind = told && TIMES.find((one) => kindsOfTitle(told.name!).includes(one));
  if (!kind) return [];
  const begin = passage.start + end - passage.text.slice(start, end).trimStart().length + time!.start;
  const item = emptyItem(document, passage, told.subject!);
  item.values.set(kind, {
    text: time!.written,
    start: begin,
    end: begin + time!.written.length,
    passage,
    title: told.name!,
  });
  return [{ ...item, hasId: false, how: 'sentence' }];
}
