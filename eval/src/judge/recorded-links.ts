import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoldDataError, type LinkSet } from '../gold.js';
import type { Method } from '../methods.js';
import { bestThreshold, mean, qualityAt, type Scored } from '../metrics.js';
import { table } from '../report.js';

/** One line of a file of answers. */
interface RecordedAnswer {
  readonly source: string;
  readonly target: string;
  readonly model: string;
  readonly prompt: string;
  readonly answer: string;
}
const FIELDS = [
  'source',
  'target',
  'model',
  'prompt',
  'answer',
] as const satisfies readonly (keyof RecordedAnswer)[];

/** Recorded answers of one model to one way of asking, in one set: `source\0target` → yes or no. */
type Answers = ReadonlyMap<string, boolean>;

/** A link set with what judges said of some of its pairs. */
export interface JudgedSet {
  readonly set: LinkSet;
  /** By judge: `gpt-4o, reasons first`. */
  readonly judges: ReadonlyMap<string, Answers>;
}

/** How a judge does, alone on the pairs that it saw and together with the ranking. */
export interface JudgeFigures {
  readonly judge: string;
  /** By set, in order: right pairs kept, wrong pairs refused. */
  readonly sets: readonly {
    readonly pairs: number;
    readonly kept: number;
    readonly refused: number;
    readonly f1: number;
    readonly f2: number;
  }[];
}

/** Sets of which answers were recorded: `link-judgements/<set>.jsonl`. Throws for a line that cannot be read or names no pair of the set. */
export function withJudgements(folder: string, sets: readonly LinkSet[]): JudgedSet[] {
  return sets.flatMap((set) => {
    const file = join(folder, 'link-judgements', `${set.name}.jsonl`);
    if (!existsSync(file)) return [];
    const sources = new Set(set.sourceIds);
    const targets = new Set(set.targetIds);
    const judges = new Map<string, Map<string, boolean>>();
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((one) => one.trim() !== '');
    for (const [at, text] of lines.entries()) {
      const { source, target, model, prompt, answer } = recorded(text, `${file}, line ${at + 1}`);
      const said = saysYes(answer);
      if (!sources.has(source) || !targets.has(target))
        throw new GoldDataError(`${file}, line ${at + 1}: ${source} → ${target} is no pair of the set.`);
      const judge = `${model}, ${prompt}`;
      judges.set(judge, (judges.get(judge) ?? new Map()).set(`${source}\0${target}`, said));
    }
    return [{ set, judges }];
  });
}

function recorded(text: string, place: string): RecordedAnswer {
  const value: unknown = JSON.parse(text);
  const isAnswer = (one: unknown): one is RecordedAnswer =>
    typeof one === 'object' &&
    one !== null &&
    FIELDS.every((field) => typeof (one as RecordedAnswer)[field] === 'string');
  if (!isAnswer(value)) throw new GoldDataError(`${place}: expected ${FIELDS.join(', ')} as texts.`);
  return value;
}

/** The last word of an answer that is one: `<trace> yes </trace>` behind reasons, or a bare yes. */
export function saysYes(answer: string): boolean {
  const told =
    [...answer.matchAll(/<trace>\s*(yes|no)\s*<\/trace>/gi)].at(-1)?.[1] ??
    /^\W*(yes|no)\b/i.exec(answer)?.[1];
  return told?.toLowerCase() === 'yes';
}

/** Steps of a weight, in standard deviations of the score. */
const WEIGHTS = [0, 0.25, 0.5, 1, 1.5, 2, 3];

/**
 * Each judge with the ranking: score plus weight where it says yes, weight and threshold from the other sets. The first line is the
 * ranking alone.
 */
export async function judgeRecordedLinks(
  judged: readonly JudgedSet[],
  method: Method,
): Promise<JudgeFigures[]> {
  const scores = await Promise.all(
    judged.map(async ({ set }) =>
      scoresOf(set, (await method.rank(set.sources, set.targets, 'links')).ranked),
    ),
  );
  const names = [...new Set(judged.flatMap(({ judges }) => [...judges.keys()]))].sort();
  const figuresOf = (judge: string | undefined): JudgeFigures => {
    const answers = judged.map(({ judges }) =>
      judge === undefined ? new Map<string, boolean>() : (judges.get(judge) ?? new Map<string, boolean>()),
    );
    const at = (number: number, weight: number): Scored[] =>
      scores[number]!.pairs.map(({ key, score, positive }) => ({
        score: score + (answers[number]!.get(key) ? weight * scores[number]!.deviation : 0),
        positive,
      }));
    return {
      judge: judge ?? 'ranking alone',
      sets: judged.map((_, number) => ({
        ...aloneOn(scores[number]!.pairs, answers[number]!),
        f1: transferred(number, 1, judge === undefined ? [0] : WEIGHTS, at),
        f2: transferred(number, 2, judge === undefined ? [0] : WEIGHTS, at),
      })),
    };
  };
  const others = (number: number) => judged.map((_, other) => other).filter((other) => other !== number);
  function transferred(
    number: number,
    beta: number,
    weights: readonly number[],
    at: (set: number, weight: number) => Scored[],
  ): number {
    let best = { f: -1, weight: 0, threshold: 0 };
    for (const weight of weights) {
      const groups = others(number).map((other) => at(other, weight));
      const threshold = bestThreshold(groups, beta);
      const f = mean(groups.map((items) => qualityAt(items, { threshold, beta }).f));
      if (f > best.f) best = { f, weight, threshold };
    }
    return qualityAt(at(number, best.weight), { threshold: best.threshold, beta }).f;
  }
  return [undefined, ...names].map(figuresOf);
}

interface Pair extends Scored {
  readonly key: string;
}

/** All pairs with their scores as standard deviations from the mean of the set, so that sets can be compared. */
function scoresOf(
  set: LinkSet,
  ranked: readonly (readonly { readonly text: number; readonly score: number }[])[],
) {
  const pairs = set.sources.flatMap((_, source): Pair[] => {
    const found = new Map(ranked[source]!.map(({ text, score }) => [text, score]));
    return set.targets.map((_target, target) => ({
      key: `${set.sourceIds[source]}\0${set.targetIds[target]}`,
      score: found.get(target) ?? 0,
      positive: set.truth[source]!.has(target),
    }));
  });
  const average = mean(pairs.map(({ score }) => score));
  return { pairs, deviation: Math.sqrt(mean(pairs.map(({ score }) => (score - average) ** 2))) };
}

function aloneOn(pairs: readonly Pair[], answers: Answers) {
  const seen = pairs.filter(({ key }) => answers.has(key));
  const share = (positive: boolean, yes: boolean) => {
    const own = seen.filter((one) => one.positive === positive);
    return own.filter(({ key }) => answers.get(key) === yes).length / own.length;
  };
  return { pairs: seen.length, kept: share(true, true), refused: share(false, false) };
}

const figure = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(3));

export function recordedLinksTable(judged: readonly JudgedSet[], figures: readonly JudgeFigures[]): string {
  return table(
    ['judge', ...judged.map(({ set }) => `${set.name}: kept / refused`), 'mean F1', 'mean F2'],
    figures.map(({ judge, sets }) => [
      judge,
      ...sets.map(({ pairs, kept, refused }) =>
        pairs === 0 ? '–' : `${kept.toFixed(2)} / ${refused.toFixed(2)}`,
      ),
      figure(mean(sets.map(({ f1 }) => f1))),
      figure(mean(sets.map(({ f2 }) => f2))),
    ]),
  );
}

export const RECORDED_HEADING = '## Links with recorded judgements';

export function recordedLinksSection(
  judged: readonly JudgedSet[],
  figures: readonly JudgeFigures[],
  method: string,
): string {
  return [
    RECORDED_HEADING,
    `Answers of language models that others have published, each about the four targets that were nearest to a source (${judged.map(({ set }) => set.name).join(', ')}). ` +
      'Kept: share of the right pairs that the judge calls linked; refused: share of the wrong ones that it does not. F1 and F2 are those of all ' +
      `pairs, by the ranking "${method}" with a weight for each yes; weight and threshold come from the other sets. Asked for a bare ` +
      'yes or no, models refuse next to nothing; that still lifts a pair, because only the nearest four were asked.',
    recordedLinksTable(judged, figures),
  ].join('\n\n');
}
