import type { AnalysedDocument } from '../corpus/analysed-document.js';
import type { AnalysisScope } from '../corpus/corpus.js';
import type { Evidence, Finding } from '../findings/finding.js';
import { verifyEvidence } from '../findings/verify-evidence.js';
import { breathe } from '../scheduling/breathe.js';

/** What every engine that reads documents is given. A unit is what it finishes at a time: a verdict, a document, an answer. */
export interface RunInput<Unit> {
  readonly documents: readonly AnalysedDocument[];
  /** Item and variant; without it nothing is taken for content of another item. */
  readonly scope?: AnalysisScope;
  /**
   * Units of an earlier run with the same input and engine that was cut short; they are taken as they are, so that a run
   * resumes where it ended. A run without them gives the same result.
   */
  readonly known?: readonly Unit[];
  readonly signal?: AbortSignal;
}

/** A step of a run, for progress and for whoever stores results as they come. */
export type RunEvent<Stage extends string, Unit, Result> =
  | { readonly type: 'progress'; readonly stage: Stage; readonly done: number; readonly total: number }
  /** One unit is finished; they come in the order of the work. */
  | {
      readonly type: 'unit';
      readonly stage: Stage;
      readonly unit: Unit;
      /** An earlier run had finished it. */
      readonly known: boolean;
      readonly done: number;
      readonly total: number;
    }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'completed'; readonly result: Result };

/** What is common to the runs of all engines: how far they are, when they stop, where they go on, what they may give out. */
export interface EngineRun<Stage extends string, Unit, Result> {
  /** Lets other work run, and ends with the reason of the signal when it is aborted. */
  pause(): Promise<void>;
  /** A stage begins, with so much to do. */
  stage(name: Stage, total?: number): RunEvent<Stage, Unit, Result>;
  /** Works through a list; what an earlier run has finished is not done again. */
  units<Work extends { readonly id: string }>(
    stage: Stage,
    work: readonly Work[],
    how: UnitWork<Work, Unit>,
  ): AsyncGenerator<RunEvent<Stage, Unit, Result>, readonly Unit[]>;
  /** Tells findings and result. Throws `EvidenceError` for a quote that is not in its document: a defect of the engine. */
  end(
    result: Result,
    shown: { readonly evidence: readonly Evidence[]; readonly findings?: readonly Finding[] },
  ): Generator<RunEvent<Stage, Unit, Result>, Result>;
}

export interface UnitWork<Work, Unit> {
  /** The id of the work that a unit is of. */
  readonly idOf: (unit: Unit) => string;
  /** Pauses after so many. */
  readonly atATime: number;
  /** `before`: the units before it, by id. */
  readonly finish: (work: Work, before: ReadonlyMap<string, Unit>) => Unit;
  /** What is to be told at once. */
  readonly findingOf?: (unit: Unit, work: Work) => Finding | undefined;
}

/** The frame of one run. */
export function engineRun<Stage extends string, Unit, Result>({
  documents,
  known = [],
  signal,
}: RunInput<Unit>): EngineRun<Stage, Unit, Result> {
  const pause = () => breathe(signal);
  return {
    pause,
    stage: (stage, total = 1) => ({ type: 'progress', stage, done: 0, total }),

    async *units(stage, work, { idOf, atATime, finish, findingOf }) {
      const earlier = new Map(known.map((unit) => [idOf(unit), unit]));
      const finished = new Map<string, Unit>();
      for (const one of work) {
        if (finished.size % atATime === 0) await pause();
        const before = earlier.get(one.id);
        const unit = before ?? finish(one, finished);
        finished.set(one.id, unit);
        const done = finished.size;
        yield { type: 'unit', stage, unit, known: before !== undefined, done, total: work.length };
        const finding = findingOf?.(unit, one);
        if (finding) yield { type: 'finding', finding };
      }
      return [...finished.values()];
    },

    *end(result, { evidence, findings = [] }) {
      verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
      for (const finding of findings) yield { type: 'finding', finding };
      yield { type: 'completed', result };
      return result;
    },
  };
}

/** Who wants to hear of a run while it goes on; `onProgress` gets everything but findings and the end. */
export interface RunCallbacks<Stage extends string, Unit> {
  readonly onProgress?: (
    event: Extract<RunEvent<Stage, Unit, never>, { readonly type: 'progress' | 'unit' }>,
  ) => void;
  readonly onFinding?: (finding: Finding) => void;
}

/** Runs to the end and answers the result, with callbacks instead of events. */
export async function runToEnd<Stage extends string, Unit, Result>(
  events: AsyncGenerator<RunEvent<Stage, Unit, Result>, Result>,
  { onProgress, onFinding }: RunCallbacks<Stage, Unit>,
): Promise<Result> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    const event = step.value;
    if (event.type === 'finding') onFinding?.(event.finding);
    else if (event.type !== 'completed') onProgress?.(event);
  }
}

/** How many values there are of each kind, in the order of the kinds. */
export function countEach<Kind extends string>(
  kinds: readonly Kind[],
  values: Iterable<Kind>,
): Readonly<Record<Kind, number>> {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const value of values) counts[value]++;
  return counts;
}
