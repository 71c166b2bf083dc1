import { limitsIn } from '../../../contradictions/stated/text-limits.js';
import { passageAt } from '../../../corpus/passages/passages-of.js';
import type { ExtractedArtifact } from '../../../facts/artifacts/statement.js';
import { checkWords } from '../../../facts/check-words.js';
import { type Quantity, quantitiesIn, timeIn } from '../../../facts/quantities.js';
import { stateWords } from '../../../facts/stated/state-words.js';
import { type Sentence, say } from '../../../sentences/sentence.js';
import { phraseFinder } from '../../../text/phrases.js';
import { anyOf } from '../../../words/read-words.js';
import { asContext, type ItemContext } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import { goalsServed } from '../goals-served.js';
import { noArtifact, shareOutcome } from '../instances.js';
import { type Outcome, outcome } from '../outcome.js';
import { artifactTypes } from '../parameters.js';

/** Detection and reaction together are within the fault tolerant time interval, for every artifact that states them. */
const parameters = { of: artifactTypes };
type Check = CheckParameters<typeof parameters>;

export const timeBudget = defineCheck('time_budget', parameters, checkTimeBudget);

/** Fields of records that hold one of the times. */
const FIELDS: Readonly<Record<TimeName, readonly string[]>> = {
  interval: ['ftti', 'timing'],
  detection: ['detection_time'],
  reaction: ['reaction_time'],
};
type TimeName = 'interval' | 'detection' | 'reaction';
type Times = Readonly<Partial<Record<TimeName, Quantity>>>;
type Places = ReadonlyMap<string, { readonly start: number; readonly end: number }>;

function checkTimeBudget({ of }: Check, context: ItemContext): Outcome {
  const artifacts = context.trace.ofTypes(of);
  if (artifacts.length === 0) return noArtifact(of, context);
  const known = artifacts.map((artifact) => ({ artifact, times: timesOf(artifact, context) }));
  const timed = known.filter(({ times }) => times.interval ?? times.detection ?? times.reaction);
  if (timed.length === 0) {
    const { interval, detection, reaction } = checkWords().times;
    return outcome('missing', 'medium', {
      rules: ['no-time-stated'],
      reason: say('checks.none-of-the-states-a-time', { artifacts: artifacts.length }),
      terms: [...interval, ...detection, ...reaction].slice(0, 12),
    });
  }
  const places: Places = new Map(timed.flatMap(({ artifact }) => placeOf(artifact, context)));
  const notes = new Map<string, Sentence>();
  const problems = new Map<string, Sentence>();
  const shortest = new Map<string, Times>();
  for (const { artifact, times } of timed)
    for (const goal of goalsServed(artifact.id, context))
      shortest.set(goal, completed(times, shortest.get(goal) ?? {}, 'shorter'));
  const rated = timed.map(({ artifact, times }) => {
    const interval = times.interval ?? intervalAbove(artifact, context);
    const shared = goalsServed(artifact.id, context).reduce<Times>(
      (all, goal) => completed(all, shortest.get(goal) ?? {}, 'own'),
      times,
    );
    const problem = problemOf({ ...shared, ...(interval ? { interval } : {}) });
    if (problem) problems.set(artifact.id, problem);
    if (problem) notes.set(artifact.id, say('checks.of-artifact', { id: artifact.id, what: problem }));
    return { artifact, met: problem === undefined };
  });
  const isExceeded = [...problems.values()].some(({ key }) => key !== 'checks.times-not-given');
  const found = shareOutcome(rated, {
    context,
    filled: 100,
    rule: 'time-budget',
    what: say('checks.times-within'),
    confidence: isExceeded || notes.size === 0 ? 'high' : 'medium',
    notes,
    place: (artifact) => places.get(artifact.id),
  });
  const [first] = notes.values();
  if (first === undefined) return found;
  const told = { ...found, reason: say('checks.reason-and-first', { reason: found.reason, first }) };
  // Where most of them only state one of the times, the others may stand in other places or words: a question, and no failure of each.
  const loose = timed.filter(({ artifact, times }) => problems.has(artifact.id) && !times.interval);
  // So is one that only sentences of it give.
  const isTold = loose.length === problems.size && loose.every(({ artifact }) => !places.has(artifact.id));
  return !isExceeded && (isTold || loose.length * 2 > rated.length)
    ? { ...told, state: 'open', confidence: 'low', severity: 'low', evidence: asContext(told.evidence) }
    : told;
}

/**
 * One requirement may detect, and another one that serves the same goal react: the times of detection and reaction of both, of two `own`
 * or the shorter one.
 */
function completed(own: Times, other: Times, prefer: 'own' | 'shorter'): Times {
  const one = (name: 'detection' | 'reaction') => {
    const [mine, theirs] = [own[name], other[name]];
    return mine && theirs && prefer === 'shorter' && theirs.value < mine.value ? theirs : (mine ?? theirs);
  };
  const [detection, reaction] = [one('detection'), one('reaction')];
  return { ...own, ...(detection ? { detection } : {}), ...(reaction ? { reaction } : {}) };
}

/** The field that states a time. */
function placeOf(artifact: ExtractedArtifact, { trace }: ItemContext) {
  const fields = trace.recordOf(artifact)?.fields;
  const field = Object.values(FIELDS)
    .flat()
    .map((key) => fields?.get(key))
    .find((one) => one !== undefined && timeIn(one.value));
  return field ? [[artifact.id, field] as const] : [];
}

function problemOf({ interval, detection, reaction }: Times): Sentence | undefined {
  if (detection && reaction && interval) {
    const sum = detection.value + reaction.value;
    return sum > interval.value
      ? say('checks.times-together', {
          detection: detection.written,
          reaction: reaction.written,
          interval: interval.written,
        })
      : undefined;
  }
  const one = detection ?? reaction;
  if (one && interval && one.value > interval.value) {
    return say('checks.time-alone', { time: one.written, interval: interval.written });
  }
  return say('checks.times-not-given', {
    lacking: [
      ...(interval ? [] : [say('checks.time-interval')]),
      ...(detection ? [] : [say('checks.time-detection')]),
      ...(reaction ? [] : [say('checks.time-reaction')]),
    ],
  });
}

function timesOf(artifact: ExtractedArtifact, { corpus, trace }: ItemContext): Times {
  const fields = trace.recordOf(artifact)?.fields;
  const document = corpus.documents.find((one) => one.id === artifact.documentId)!;
  const passage = passageAt(document.read.passages, artifact.start);
  const times: Partial<Record<TimeName, Quantity>> = {};
  for (const name of ['interval', 'detection', 'reaction'] as const) {
    const field = FIELDS[name]
      .map((key) => fields?.get(key)?.value)
      .find((value) => value !== undefined && timeIn(value));
    const text = passage?.text ?? artifact.text;
    const told = field === undefined ? (timeNamed(name, text) ?? timeToldOf(name, text)) : timeIn(field);
    if (told) times[name] = told;
  }
  return times;
}

const FAR = 60;
/** Right before a time: "within another", "innerhalb weiterer". */
const NEAR = 12;

const finders = new Map<TimeName, ReturnType<typeof phraseFinder>>();

function finderOf(name: TimeName): ReturnType<typeof phraseFinder> {
  const find = finders.get(name) ?? phraseFinder(checkWords().times[name]);
  finders.set(name, find);
  return find;
}

/** The time that stands behind one of its names: "FTTI: 400 ms". */
function timeNamed(name: TimeName, text: string): Quantity | undefined {
  const times = quantitiesIn(text).filter((one) => one.kind === 'time');
  if (times.length === 0) return undefined;
  for (const match of finderOf(name)(text)) {
    const next = times.find((one) => one.start >= match.end && one.start - match.end <= FAR);
    if (next) return next;
  }
  return undefined;
}

/**
 * "Recognises a leak within 1200 ms"; a time of the reaction counts from the detection: "closed within 300 ms after detection", "is off within
 * another 20 ms".
 */
function timeToldOf(name: TimeName, text: string): Quantity | undefined {
  if (name === 'interval') return undefined;
  const { detects, detected, afterDetection, later } = stateWords();
  const [finds, after, next] = [anyOf([...detects, ...detected]), anyOf(afterDetection), anyOf(later)];
  return limitsIn(text)
    .filter(({ side, quantity }) => side === 'within' && quantity.kind === 'time')
    .map(({ quantity }) => quantity)
    .find(({ start, end }) => {
      const isAfter =
        after.test(text.slice(end, end + FAR).split(CLAUSE_END)[0]!) ||
        next.test(text.slice(Math.max(0, start - NEAR), start));
      if (name === 'reaction') return isAfter;
      return (
        !isAfter &&
        finds.test(
          text
            .slice(Math.max(0, start - FAR), start)
            .split(CLAUSE_END)
            .at(-1)!,
        )
      );
    });
}
const CLAUSE_END = /[.;]\s/u;

/** The interval of the goal or requirement above. */
function intervalAbove(artifact: ExtractedArtifact, context: ItemContext): Quantity | undefined {
  for (const parent of context.trace.up.get(artifact.id) ?? []) {
    const above = context.trace.byId.get(parent.id);
    const interval = above && timesOf(above, context).interval;
    if (interval) return interval;
  }
  return undefined;
}
