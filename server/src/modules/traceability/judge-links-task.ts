import {
  askingWith,
  type LinkExample,
  type LinkOpinions,
  loadTraceabilityRules,
  proposeTraceLinks,
  secondLinks,
} from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';
import { modelOfTask, type TaskModel } from '../models/model-question.js';
import type { TraceOptions } from './examine-trace-task.js';
import { readTrace, type TraceColumns } from './read-trace.js';
import { openArtifacts } from './suggest-links-task.js';

export interface JudgeLinksInput {
  /** With texts. */
  readonly columns: TraceColumns;
  readonly options: TraceOptions;
  /** The work product of each artifact that documents state. */
  readonly documents: Readonly<Record<string, string>>;
  /** Links that people confirmed or rejected. */
  readonly examples: readonly LinkExample[];
  readonly model: TaskModel;
}

/** Proposes links for artifacts without one upwards, by words, and asks a language model about them. */
export const judgeLinksTask: EngineTask<JudgeLinksInput, LinkOpinions> = {
  name: 'judgeLinks',
  work: async ({ columns, options, documents, examples, model }, context) => {
    const rules = await loadTraceabilityRules();
    const trace = readTrace(columns);
    const { open, artifacts } = await openArtifacts(trace, options);
    const proposals = await proposeTraceLinks(
      { open, artifacts: [...artifacts.values()] },
      { rules, types: new Set(open.map(({ type }) => type)), signal: context.signal },
    );
    const placed = new Map(
      [...artifacts].map(([id, one]) => [id, { ...one, documentId: documents[id] ?? '' }]),
    );
    const asking = askingWith(modelOfTask(model, context), context.signal);
    return { result: await secondLinks(proposals, placed, { asking, examples }) };
  },
};
