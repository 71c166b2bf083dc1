import { createHash } from 'node:crypto';
import { termsOf } from '../text/terms.js';
import { fakeModel } from './fake-model.js';
import type { LanguageModel, ModelRequest } from './language-model.js';

export interface FakeJudgeOptions {
  readonly seed?: number;
  /** Share of parts for which it says something at random. */
  readonly errs?: number;
  /** Share of citations that it makes up. */
  readonly invents?: number;
  /** Share of answers that are no JSON, the same when asked again. */
  readonly breaks?: number;
  /** What it takes for an order; seeing one, it does what would please its author. */
  readonly obeys?: (words: string) => boolean;
  /** Finds nothing of its own accord. */
  readonly blind?: boolean;
  readonly id?: string;
  readonly contextTokens?: number;
}

/**
 * A judge without a model, for tests and the evaluation: it calls a part shown where a sentence has enough of its words, and
 * errs, makes up ids, breaks its answer and obeys orders as often as it is told to. The same question gets the same answer.
 */
export function fakeJudge({ id, contextTokens, ...options }: FakeJudgeOptions = {}): LanguageModel {
  return fakeModel((request) => answerOf(request, options), {
    ...(id === undefined ? {} : { id }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  });
}

interface Seen {
  readonly parts: readonly { readonly id: string; readonly text: string }[];
  readonly sentences: readonly { readonly id: string; readonly text: string }[];
  /** Text of the item of a checklist. */
  readonly item: string;
  /** Ids of the words of a requirement. */
  readonly words: readonly string[];
  /** Texts of both ends of a link. */
  readonly ends: readonly string[];
  readonly hasOrder: boolean;
  /** Lines with such ids, the mark before them aside: headings (`h1`), kinds of documents (`t1`), sentences of a page (`s1`). */
  readonly lines: (kind: 'h' | 't' | 's') => readonly { readonly id: string; readonly text: string }[];
}

function answerOf(request: ModelRequest, options: FakeJudgeOptions): string {
  const { seed = 1, breaks = 0, obeys = () => false } = options;
  // Words that are kept out are replaced by others in every workspace.
  const chance = chances(`${seed} ${request.variable.replaceAll(/\[([a-z]+)-[0-9a-f]{6}\]/g, '[$1]')}`);
  if (chance() < breaks) return '{"parts": [{"part": "a", "because": "It is';
  const seen: Seen = { ...read(request.variable), hasOrder: obeys(request.variable) };
  return JSON.stringify(ANSWERS[request.task](seen, options, chance));
}

/** What an author of orders wants to read. */
const PLEASING = 'Everything is fulfilled, and nothing is left to do.';

const ANSWERS: Record<
  ModelRequest['task'],
  (seen: Seen, options: FakeJudgeOptions, chance: () => number) => object
> = {
  judge: judged,
  criticise: criticised,
  checklist: answeredItem,
  requirement: ({ words, hasOrder }, { errs = 0 }, chance) =>
    hasOrder
      ? { because: PLEASING, words: [], score: '3' }
      : chance() < errs || words.length === 0
        ? { because: 'By chance.', words: ['w999'], score: '0' }
        : { because: 'By its length.', words: words.slice(0, 1), score: words.length > 12 ? '1' : '3' },
  summary: ({ hasOrder }) => ({
    sentences: [
      { text: 'There are {gaps.critical} critical findings.', findings: [] },
      { text: 'There are 77 critical findings.', findings: ['f1'] },
      ...(hasOrder ? [{ text: PLEASING, findings: ['f1'] }] : []),
    ],
  }),
  remedy: ({ hasOrder }) => ({
    steps: hasOrder
      ? [PLEASING, PLEASING]
      : ['Write down what is missing.', 'Have it reviewed by a second person.', 'Finish it by 2031-12-31.'],
    effort: 'hours',
  }),
  sections: ({ lines, hasOrder }) => {
    const kinds = lines('t').map(({ id, text }) => ({ id, text }));
    const parts = lines('h').flatMap(({ id, text }) => {
      const kind = hasOrder ? kinds[0] : kinds.find((one) => isNear(one.text, text));
      return kind ? [{ heading: id, because: 'By its words.', type: kind.id }] : [];
    });
    return { parts: [...parts, { heading: 'h999', because: 'By chance.', type: 't999' }] };
  },
  demands: ({ lines, hasOrder }) => ({
    demands: lines('s')
      .filter(({ text }) => hasOrder || /\b(?:shall|must|muss|müssen)\b/.test(text))
      .map(({ id, text }) => ({ sentences: [id], clause: /^\d[\d.]*/.exec(text)?.[0] ?? '' })),
  }),
  link: ({ ends, hasOrder }, _, chance) => {
    const isLink = hasOrder || (ends.length === 2 && isNear(ends[0]!, ends[1]!));
    const answer = isLink ? 'yes' : chance() < 0.5 ? 'no' : 'cannot_tell';
    return { shared: 'their words', because: 'By its words.', answer };
  },
  applies: ({ sentences, hasOrder }, { blind = false }, chance) => ({
    because: 'By chance.',
    sentences: sentences.slice(0, 1).map(({ id }) => id),
    orders: [],
    answer: hasOrder
      ? 'no'
      : blind
        ? 'not_said'
        : (['yes', 'no', 'not_said'] as const)[Math.floor(chance() * 3)],
  }),
};

function answeredItem(
  { parts: _, sentences, hasOrder, item }: Seen,
  { errs = 0, invents = 0, blind = false }: FakeJudgeOptions,
  chance: () => number,
) {
  const states = ['pass', 'fail', 'missing', 'not_applicable', 'cannot_tell'] as const;
  const found = hasOrder ? sentences : sentences.filter((one) => !blind && isNear(item, one.text));
  const state =
    chance() < errs ? states[Math.floor(chance() * states.length)]! : found.length > 0 ? 'pass' : 'missing';
  const cited = found.slice(0, 2).map((one) => (chance() < invents ? `p9${one.id}` : one.id));
  return { instances: [{ instance: 'a', because: 'By its words.', sentences: cited, state }], orders: [] };
}

function judged(
  { parts, sentences, hasOrder }: Seen,
  { errs = 0, invents = 0, blind = false }: FakeJudgeOptions,
  chance: () => number,
) {
  const states = ['shown', 'weak', 'contradicted', 'absent', 'cannot_tell'] as const;
  const answers = parts.map(({ id, text }) => {
    const found = hasOrder ? sentences : sentences.filter((one) => !blind && isNear(text, one.text));
    const erring = chance() < errs;
    const cited = (erring ? sentences : found)
      .slice(0, 2)
      .map((one) => (chance() < invents ? `p9${one.id}` : one.id));
    const state = erring
      ? states[Math.floor(chance() * states.length)]!
      : found.length > 0
        ? 'shown'
        : 'absent';
    return { part: id, because: 'By its words.', state, sentences: state === 'absent' ? [] : cited };
  });
  const shown = answers.filter(({ state }) => state === 'shown').length;
  const verdict = shown === parts.length ? 'covered' : shown > 0 ? 'partial' : 'missing';
  return { parts: answers, orders: [], missing: '', verdict };
}

function criticised(
  { parts, sentences, hasOrder }: Seen,
  { errs = 0 }: FakeJudgeOptions,
  chance: () => number,
) {
  const words = ['supports', 'partly', 'does_not'] as const;
  return {
    parts: parts.map(({ id, text }) => ({
      part: id,
      because: 'By their words.',
      carried:
        chance() < errs
          ? words[Math.floor(chance() * words.length)]
          : hasOrder || sentences.some((one) => isNear(text, one.text))
            ? 'supports'
            : 'does_not',
    })),
  };
}

/** Parts and sentences of a question, from its own signs. */
function read(variable: string): Omit<Seen, 'hasOrder'> {
  const mark = /begin with (\S{8})/.exec(variable)?.[1] ?? '';
  const lines = variable.split('\n');
  return {
    item: /<item [^>]*>(.*?)<\/item>/.exec(variable)?.[1] ?? '',
    lines: (kind) =>
      [...variable.matchAll(new RegExp(`^(?:\\S{8} )?(${kind}\\d+) (.*)$`, 'gm'))].map(([, id, text]) => ({
        id: id!,
        text: text!,
      })),
    words: [...variable.matchAll(/\b(w\d+):\S/g)].map(([, id]) => id!),
    ends: [...variable.matchAll(/<(?:first|second) type=[^>]*>(.*?)<\//g)].map(([, text]) => text!),
    parts: [...variable.matchAll(/<part id="(\w)">(.*?)<\/part>/g)].map(([, id, text]) => ({
      id: id!,
      text: text!,
    })),
    sentences: lines.flatMap((line) => {
      if (mark === '' || !line.startsWith(`${mark} `)) return [];
      const rest = line.slice(mark.length + 1);
      const [id, ...words] = rest.split(' ');
      return /^p\d+\.\d+$/.test(id!) ? [{ id: id!, text: words.join(' ') }] : [{ id: '', text: rest }];
    }),
  };
}

/** A third of the words of a part, two at least. */
function isNear(part: string, sentence: string): boolean {
  const wanted = new Set(termsOf(part));
  const shared = new Set(termsOf(sentence).filter((term) => wanted.has(term))).size;
  return shared >= Math.min(wanted.size, Math.max(2, wanted.size / 3));
}

/** Numbers from 0 to 1 that follow from a text. */
function chances(text: string): () => number {
  let at = 0;
  return () => createHash('sha256').update(`${at++} ${text}`).digest().readUInt32LE(0) / 2 ** 32;
}
