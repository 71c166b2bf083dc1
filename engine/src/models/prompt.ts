import { createHash } from 'node:crypto';
import { z } from 'zod';
import { BUILT_IN_DATA, type DataFolder, once, readDataFile } from '../data/load-data.js';
import { answerSchema } from './answer-schemas.js';
import { type ModelRequest, type SentPassage, TASK_IDS, type TaskId } from './language-model.js';
import {
  escapedValue,
  namesOf,
  type PromptPart,
  type PromptValues,
  parsePrompt,
  rendered,
} from './prompt-template.js';

const schema = z.strictObject({
  id: z.enum(TASK_IDS),
  version: z.int().min(1),
  /** An answer that is longer is cut and counts as none. */
  max_output_tokens: z.int().min(50).max(4000),
  /** For estimates. */
  usual_output_tokens: z.int().min(10).max(4000),
  /** Longest value of a placeholder, in characters; what is longer is cut at a word. */
  limits: z.record(z.string(), z.int().min(10).max(4000)),
  fixed: z.string().min(200),
  variable: z.string().min(20),
});

/** A prompt of `data/prompts`, ready to be filled. */
export interface Prompt {
  readonly task: TaskId;
  /** `judge@1+3f2a…`: id, version and the hash of everything that it says. */
  readonly template: string;
  readonly fixed: string;
  readonly maxOutputTokens: number;
  readonly usualOutputTokens: number;
  readonly parts: readonly PromptPart[];
  readonly limits: Readonly<Record<string, number>>;
}

const prefaceSchema = z.strictObject({
  id: z.string(),
  version: z.int().min(1),
  limits: schema.shape.limits,
  variable: schema.shape.variable,
});

/** Placeholders that code fills with short words of its own. */
const OWN = new Set(['mark', 'id', 'kind', 'language', 'answer', 'severity']);

/** A prompt by its task. Throws `DataError` for a file that cannot be used. */
export function loadPrompt(task: TaskId, data: DataFolder = BUILT_IN_DATA): Promise<Prompt> {
  return once(data, `prompt ${task}`, async () => {
    const file = await readDataFile(data, `prompts/${task}.yaml`, schema);
    const { value } = file;
    const parts = parsePrompt(value.variable);
    const unlimited = [...namesOf(parts)].filter(
      (name) => !OWN.has(name) && value.limits[name] === undefined,
    );
    await file.refuse([
      ...(value.id === task
        ? []
        : [
            {
              path: ['id'],
              problem: `The prompt of "${task}" says "${value.id}"`,
              remedy: 'Correct the id.',
            },
          ]),
      ...unlimited.map((name) => ({
        path: ['variable'],
        problem: `Nothing limits "${name}"`,
        remedy: 'Give it a number of characters in "limits".',
      })),
    ]);
    const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
    return {
      task,
      template: `${task}@${value.version}+${hash}`,
      fixed: value.fixed,
      maxOutputTokens: value.max_output_tokens,
      usualOutputTokens: value.usual_output_tokens,
      parts,
      limits: value.limits,
    };
  });
}

/** The prompt with a text of `data/prompts` before what differs; without one it is as it was. Throws `DataError`. */
export async function withPreface(
  prompt: Prompt,
  preface: string | undefined,
  data: DataFolder = BUILT_IN_DATA,
): Promise<Prompt> {
  if (preface === undefined) return prompt;
  const { value } = await once(data, `preface ${preface}`, () =>
    readDataFile(data, `prompts/${preface}.yaml`, prefaceSchema),
  );
  const hash = createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
  return {
    ...prompt,
    template: `${prompt.template} ${value.id}@${value.version}+${hash}`,
    parts: [...parsePrompt(value.variable), ...prompt.parts],
    limits: { ...prompt.limits, ...value.limits },
  };
}

/** What is asked: values of a prompt, and whose words they are. */
export interface Question<Task extends TaskId = TaskId> {
  readonly task: Task;
  readonly values: PromptValues;
  readonly sends: readonly SentPassage[];
  readonly sendsStandard?: boolean;
  /** A text of `data/prompts` that stands before the question. */
  readonly preface?: string;
}

/** Stands for the mark until it is known. */
const UNMARKED = '\u0000';

/**
 * A prompt filled with values. They are escaped and cut; the mark before each sentence follows from the hash of the
 * question, so that it is the same each time and no document can know it.
 */
export function requestOf(prompt: Prompt, { values, sends, sendsStandard = false }: Question): ModelRequest {
  const text = rendered(prompt.parts, { ...values, mark: UNMARKED }, (name, value) =>
    name === 'mark' ? UNMARKED : escapedValue(value, prompt.limits[name]),
  );
  const mark = createHash('sha256').update(prompt.template).update(text).digest('base64url').slice(0, 8);
  return {
    task: prompt.task,
    template: prompt.template,
    fixed: prompt.fixed,
    variable: text.replaceAll(UNMARKED, mark),
    schema: answerSchema(prompt.task),
    maxOutputTokens: prompt.maxOutputTokens,
    sends,
    sendsStandard,
  };
}
