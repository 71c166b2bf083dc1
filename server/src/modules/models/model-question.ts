import type { LanguageModel, ModelAnswer, ModelRequest, ModelUse } from '@normtrace/engine';
import type { TaskContext } from '../../platform/processes/serve-tasks.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';

/** To ask a language model, for which a task has no rights: whoever started it decides what is sent. */
export const askModel: EngineQuestion<readonly ModelRequest[], readonly ModelAnswer[]> = {
  kind: 'ask a language model',
};

/** The model of a run as a task knows it, and what must not be in its questions. */
export interface TaskModel extends Pick<LanguageModel, 'id' | 'contextTokens' | 'sampling'> {
  /** Documents whose words must not be sent, by id. */
  readonly withheld: readonly string[];
  /** Words of an uploaded standard may be sent. */
  readonly sendsStandard: boolean;
  /** In which language it writes steps for gaps and a summary; it writes none where it is absent. */
  readonly writesIn?: 'en' | 'de';
}

/** The model for an engine that runs in a task. */
export const modelOfTask = (
  { withheld, sendsStandard, writesIn, ...about }: TaskModel,
  context: Pick<TaskContext, 'ask'>,
): ModelUse => ({
  model: { ...about, ask: (requests) => ask(context, askModel, requests) },
  withheld,
  sendsStandard,
  ...(writesIn ? { remediesIn: writesIn, summaryIn: writesIn } : {}),
});
