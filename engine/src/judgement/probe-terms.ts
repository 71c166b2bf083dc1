import { type Corpus, isWithin } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf, type PhraseHit, type PhraseIndex, sentenceOf } from '../corpus/mentions.js';
import { cellText } from '../corpus/passages/tables.js';
import { isFilled } from '../corpus/placeholders/emptiness.js';
import { findPlaceholders } from '../corpus/placeholders/find-placeholders.js';
import { contentOf, isFilledRow, listBelow } from '../corpus/section-state.js';
import { kindsOfTitle, type StatedKind } from '../facts/stated/stated-columns.js';
import { statedFacts } from '../facts/stated/stated-facts.js';
import type { Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import { trapOf } from './traps/traps.js';

/** What one place that has the words is worth. */
export interface WeighedHit {
  readonly hit: PhraseHit;
  /** What stands there of the phrases looked for: the document's own words, or the title of its field. */
  readonly words: string;
  /** `stated` is evidence; `denied` and `announced` speak against; the others say nothing. */
  readonly worth: 'stated' | 'denied' | 'announced' | 'unclear' | 'ignored';
  readonly rule: string;
  /** Table fields are surer than sentences. */
  readonly source: 'field' | 'section' | 'sentence';
  readonly evidence: readonly Evidence[];
}

/** One part of a demand, known by equivalent phrases. */
export interface TermGroup {
  readonly phrases: readonly string[];
  /** What it is called for a German reader. */
  readonly german?: string;
  /** Inside the documents where it is expected. */
  readonly stated: readonly WeighedHit[];
  readonly denied: readonly WeighedHit[];
  readonly announced: readonly WeighedHit[];
  readonly unclear: readonly WeighedHit[];
  /** Places that only name it, nearest to evidence first. */
  readonly ignored: readonly WeighedHit[];
  /** Statements in other documents. */
  readonly elsewhere: readonly WeighedHit[];
}

const ENOUGH = 3;
/** No group is looked at more often than this: the first places decide. */
const MOST_HITS = 400;
/** A line says something when it has this many words beside the phrase; one word less when it is a sentence. */
const MIN_FURTHER_WORDS = 3;

/** Weighs the places of each group of phrases, in the documents where they are expected and elsewhere. */
export function probeTerms(
  corpus: Corpus,
  index: PhraseIndex,
  demand: {
    readonly groups: readonly (readonly string[])[];
    readonly home: readonly DocumentPart[];
    readonly plan: boolean;
    /** German phrases of each group. */
    readonly german?: readonly (readonly string[])[] | undefined;
  },
): readonly TermGroup[] {
  return demand.groups.map((phrases, at) => {
    const german = demand.german?.[at]?.[0];
    const lists: Record<WeighedHit['worth'] | 'elsewhere', WeighedHit[]> = {
      stated: [],
      denied: [],
      announced: [],
      unclear: [],
      ignored: [],
      elsewhere: [],
    };
    for (const hit of hitsOf(index, phrases).slice(0, MOST_HITS)) {
      const weighed = weigh(corpus, hit, demand.plan);
      // A field in a document that nobody could name the type of may stand where it belongs.
      const atHome =
        isWithin(demand.home, hit.passage) ||
        (weighed.rule === 'stated-field' && hit.document.parts.length === 0);
      if (!atHome && weighed.worth === 'stated') lists.elsewhere.push(weighed);
      else if (atHome || demand.home.length === 0) lists[weighed.worth].push(weighed);
      if (lists.stated.length >= ENOUGH * 4) break;
    }
    if (lists.stated.length === 0) lists.stated.push(...statedInRecords(corpus, phrases, demand.home));
    const first = (hits: WeighedHit[]) => hits.sort(bySource).slice(0, ENOUGH);
    return {
      phrases,
      ...(german === undefined ? {} : { german }),
      stated: first(lists.stated),
      denied: first(lists.denied),
      announced: first(lists.announced),
      unclear: first(lists.unclear),
      ignored: lists.ignored.sort(byNearness).slice(0, ENOUGH),
      elsewhere: first(lists.elsewhere),
    };
  });
}

/** Kinds of statements that fields of records carry as well as words. */
const OF_RECORDS: ReadonlySet<StatedKind> = new Set([
  ...(['parent', 'interval', 'detection', 'reaction', 'safe_state', 'allocation'] as const),
  ...(['criterion', 'degradation', 'warning'] as const),
]);
/** Share of the records of a document that carry a field, from which on the document states it. Our own. */
const MOST_RECORDS = 0.8;

/** Fields behind the texts of records ("Derived from: SG-1"), where nearly every record has one; what the rows of tables state is read as columns. */
function statedInRecords(
  corpus: Corpus,
  phrases: readonly string[],
  home: readonly DocumentPart[],
): readonly WeighedHit[] {
  const kinds = new Set(phrases.flatMap(kindsOfPhrase));
  if (kinds.size === 0) return [];
  const records = statedFacts(corpus).items.filter(
    ({ how, hasId, values, passage }) =>
      how === 'record' && hasId && values.has('text') && isWithin(home, passage),
  );
  if (records.length < 2) return [];
  for (const kind of kinds) {
    const values = records.flatMap(({ document, values }) => {
      const value = values.get(kind);
      return value ? [{ document, value }] : [];
    });
    if (values.length < MOST_RECORDS * records.length) continue;
    return values.slice(0, ENOUGH).map(({ document, value }): WeighedHit => {
      const { passage, start, end } = value;
      return {
        hit: { document, passage, start, end, segment: { start: passage.start, end: passage.end } },
        words: value.title,
        worth: 'stated',
        rule: 'stated-field',
        source: 'field',
        evidence: [
          quote(document.read.document, passage, value, {
            role: 'support',
            note: say('general.quoted', { text: value.title }),
          }),
        ],
      };
    });
  }
  return [];
}

/** What a phrase asks for, as a title or by the title that it begins with ("derived from the safety goal"). */
function kindsOfPhrase(phrase: string): readonly StatedKind[] {
  const words = phrase.split(' ');
  for (let count = words.length; count > 0; count--) {
    const [kind] = kindsOfTitle(words.slice(0, count).join(' ')).filter((one) => OF_RECORDS.has(one));
    if (kind) return [kind];
  }
  return [];
}

/** Headings without content say more than a mention in a list; the table of contents says least. */
function byNearness(a: WeighedHit, b: WeighedHit): number {
  const distance = ({ hit, rule }: WeighedHit) =>
    rule === 'T8-heading-without-content' ? 0 : hit.passage.role === 'toc' ? 2 : 1;
  return distance(a) - distance(b);
}

const SOURCES = ['field', 'section', 'sentence'];
function bySource(a: WeighedHit, b: WeighedHit): number {
  return SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source);
}

/** What a place with the words is worth: headings and column titles stand for what is under them. */
export function weigh(corpus: Corpus, hit: PhraseHit, plan: boolean): WeighedHit {
  const { passage, document } = hit;
  const { read } = document;
  const foreign = corpus.otherItem.get(passage.id);
  const { sentence, start, end, place } = sentenceOf(hit);
  const result = (
    worth: WeighedHit['worth'],
    rule: string,
    note: Sentence | undefined,
    more: { source?: WeighedHit['source']; further?: readonly Evidence[] } = {},
  ): WeighedHit => ({
    hit,
    words: read.document.text.slice(hit.start, hit.end),
    worth,
    rule,
    source: more.source ?? 'sentence',
    evidence: [
      quote(read.document, passage, place, {
        role:
          worth === 'stated'
            ? 'support'
            : worth === 'denied' || worth === 'announced'
              ? 'counter'
              : 'context',
        focus: hit,
        ...(note === undefined ? {} : { note }),
      }),
      ...(more.further ?? []),
    ],
  });
  if (foreign !== undefined)
    return result('ignored', 'T4-other-item', say('verdicts.it-is-about', { foreign }));
  if (passage.role === 'body' && passage.header) return weighColumn(hit, result);
  if (passage.role === 'heading') return weighHeading(hit, result);
  const row = read.document.blocks[passage.blockIndex]!.cells ? passage : undefined;
  const trap = trapOf({
    ...{ sentence, start, end, role: passage.role, plan, around: passage.text },
    ...(row ? { row } : {}),
  });
  if (trap) {
    if (trap.effect === 'ignored') return result('ignored', trap.rule, trap.note);
    if (trap.effect === 'human') return result('unclear', trap.rule, trap.note);
    return result(trap.trap === 'T3' ? 'announced' : 'denied', trap.rule, trap.note);
  }
  if (row && !isFilledRow(read, passage.blockIndex)) {
    return result('ignored', 'EM-05-row-not-filled', say('verdicts.the-row-is-not-filled-in'));
  }
  if (findPlaceholders(sentence).length > 0) {
    return result('ignored', 'EM-02-placeholder', say('verdicts.the-sentence-still-has-an-open'));
  }
  if (!row && /:\s*$/.test(passage.text)) return weighLeadIn(hit, result);
  if (!row && isField(sentence, start, end))
    return result('stated', 'stated-field', undefined, { source: 'field' });
  if (!row && !saysSomething(sentence, start, end)) {
    return result('ignored', 'label-only', say('verdicts.it-only-names-the-topic'));
  }
  return result('stated', row ? 'table-row' : 'explicit-statement', undefined);
}

type Result = (
  worth: WeighedHit['worth'],
  rule: string,
  note: Sentence | undefined,
  more?: { source?: WeighedHit['source']; further?: readonly Evidence[] },
) => WeighedHit;

/** A column title counts when its column is filled; the first value is the evidence. */
function weighColumn(hit: PhraseHit, result: Result): WeighedHit {
  const { read } = hit.document;
  const header = read.document.blocks[hit.passage.blockIndex]!;
  const cell = header.cells?.find((one) => one.start <= hit.start && hit.end <= one.end);
  const table = read.tables[read.tableOf[hit.passage.blockIndex]!];
  if (!cell || !table || (cell.span ?? 1) > 1) {
    return result('ignored', 'column-group', say('verdicts.it-is-the-title-of-a'));
  }
  const title = table.columns[cell.column];
  const filled = table.rows.filter((row) => isFilled(cellText(row, cell.column), title));
  if (filled.length === 0) {
    return result('ignored', 'EM-03-empty-column', say('verdicts.the-column-has-no-value', { title }));
  }
  const first = filled[0]!;
  const value = first.cells.get(cell.column)!;
  const further = quote(read.document, read.passages[first.block]!, value, {
    role: 'support',
    note: say('verdicts.column-of-rows-filled', { title, filled: filled.length, rows: table.rows.length }),
  });
  const isMostlyFilled = filled.length * 2 > table.rows.length;
  return result(
    isMostlyFilled ? 'stated' : 'unclear',
    isMostlyFilled ? 'table-column' : 'EM-05-sparse-column',
    say('verdicts.column-title'),
    {
      source: 'field',
      further: [further],
    },
  );
}

/** A heading counts when its section says something. */
function weighHeading(hit: PhraseHit, result: Result): WeighedHit {
  const { read } = hit.document;
  const section = read.sections.find((one) => one.heading === hit.passage.blockIndex);
  if (!section) return result('ignored', 'T1-heading', say('verdicts.it-is-only-a-heading'));
  const own = contentOf(read, section.start, section.end);
  if (own.state === 'complete' && own.content[0]?.role === 'body') {
    const best = own.content.find((passage) => passage.role === 'body')!;
    const block = read.document.blocks[best.blockIndex]!;
    const place = block.cells?.find((cell) => cell.text.trim() !== '') ?? best;
    const further = quote(read.document, best, place, {
      role: 'support',
      note: say('verdicts.in-the-section', { title: section.title.trim() }),
    });
    return result('stated', 'section-heading', say('verdicts.heading-of-a-section-with-content'), {
      source: 'section',
      further: [further],
    });
  }
  if (own.state === 'figure_only') {
    return result('unclear', 'T14-figure-only', say('verdicts.the-section-holds-only-a-figure'));
  }
  return result(
    'ignored',
    'T8-heading-without-content',
    say('verdicts.heading-of-open-section', { state: say(`verdicts.section-${own.state}`) }),
  );
}

/** "Acceptance criteria:" counts when the table or list that it leads to says something. */
function weighLeadIn(hit: PhraseHit, result: Result): WeighedHit {
  const { read } = hit.document;
  const next = read.passages[hit.passage.blockIndex + 1];
  const table = next ? read.tables[read.tableOf[next.blockIndex]!] : undefined;
  const row = table?.rows.find((one) => isFilledRow(read, one.block));
  const value = row && [...row.cells.values()].sort((a, b) => b.text.length - a.text.length)[0];
  if (row && value) {
    const further = quote(read.document, read.passages[row.block]!, value, {
      role: 'support',
      note: say('verdicts.in-the-table-below-it'),
    });
    return result('stated', 'table-below', say('verdicts.title-of-the-table-below'), {
      source: 'field',
      further: [further],
    });
  }
  const item = listBelow(read, hit.passage.blockIndex)[0];
  const told =
    item ?? (!table && next && furtherWords(next.text, 0, 0) >= MIN_FURTHER_WORDS ? next : undefined);
  if (told?.role === 'body') {
    const further = quote(read.document, told, told, {
      role: 'support',
      note: say('verdicts.what-it-leads-to'),
    });
    return result('stated', 'list-below', say('verdicts.introduces-what-follows'), { further: [further] });
  }
  if (next?.role === 'figure')
    return result('unclear', 'T14-figure-only', say('verdicts.a-figure-follows-which-cannot-be'));
  return result('ignored', 'label-only', say('verdicts.it-only-announces-what-follows-and'));
}

/** `Fault tolerant time: 500 ms`: the words are the name of a field that has a value. */
function isField(sentence: string, start: number, end: number): boolean {
  const value = /^\s{0,3}(?:\([^)]{1,40}\)\s{0,3})?[:=]\s{0,3}(?=\S)(.*)$/su.exec(sentence.slice(end))?.[1];
  return /^[\s•*[(–-]*$/u.test(sentence.slice(0, start)) && value !== undefined && /\d|\p{L}{2}/u.test(value);
}

function saysSomething(sentence: string, start: number, end: number): boolean {
  const isSentence = /[.!]["”)]?\s*$/.test(sentence);
  return furtherWords(sentence, start, end) >= MIN_FURTHER_WORDS - (isSentence ? 1 : 0);
}

function furtherWords(sentence: string, start: number, end: number): number {
  const rest = `${sentence.slice(0, start)} ${sentence.slice(end)}`;
  return (rest.match(/\p{L}{2,}/gu) ?? []).length;
}
