import { z } from 'zod';
import type { AnswerSchema, AnswerShape, TaskId } from './language-model.js';

/** What a model may say of a part of a demand. */
export const PART_STATES = ['shown', 'weak', 'contradicted', 'absent', 'cannot_tell'] as const;
export type PartState = (typeof PART_STATES)[number];

/** Parts and reasons come before the verdict: a model that reasons first refuses more of what is wrong. */
const judge = z.strictObject({
  parts: z.array(
    z.strictObject({
      part: z.string(),
      because: z.string(),
      state: z.enum(PART_STATES),
      sentences: z.array(z.string()),
    }),
  ),
  orders: z.array(z.string()),
  missing: z.string(),
  verdict: z.enum(['covered', 'partial', 'missing', 'not_applicable', 'cannot_tell']),
});

const criticise = z.strictObject({
  parts: z.array(
    z.strictObject({
      part: z.string(),
      because: z.string(),
      carried: z.enum(['supports', 'partly', 'does_not']),
    }),
  ),
});

const applies = z.strictObject({
  because: z.string(),
  sentences: z.array(z.string()),
  orders: z.array(z.string()),
  answer: z.enum(['yes', 'no', 'not_said']),
});

const checklist = z.strictObject({
  instances: z.array(
    z.strictObject({
      instance: z.string(),
      because: z.string(),
      sentences: z.array(z.string()),
      state: z.enum(['pass', 'fail', 'missing', 'not_applicable', 'cannot_tell']),
    }),
  ),
  orders: z.array(z.string()),
});

const requirement = z.strictObject({
  because: z.string(),
  /** Ids of the words that are wrong. */
  words: z.array(z.string()),
  score: z.enum(['0', '1', '2', '3', 'cannot_tell']),
});

const link = z.strictObject({
  shared: z.string(),
  because: z.string(),
  answer: z.enum(['yes', 'no', 'cannot_tell']),
});

const sections = z.strictObject({
  parts: z.array(z.strictObject({ heading: z.string(), because: z.string(), type: z.string() })),
});

const demands = z.strictObject({
  demands: z.array(z.strictObject({ sentences: z.array(z.string()), clause: z.string() })),
});

const remedy = z.strictObject({
  steps: z.array(z.string()),
  effort: z.enum(['minutes', 'hours', 'days', 'cannot_tell']),
});

const summary = z.strictObject({
  sentences: z.array(z.strictObject({ text: z.string(), findings: z.array(z.string()) })),
});

const SCHEMAS = {
  judge,
  criticise,
  applies,
  checklist,
  requirement,
  link,
  sections,
  demands,
  remedy,
  summary,
} satisfies Record<TaskId, z.ZodType>;

/** The answer to a task, as its schema reads it. */
export type AnswerOf<Task extends TaskId> = z.output<(typeof SCHEMAS)[Task]>;

/** Reads values; unknown and missing fields are problems. */
export const answerReader = <Task extends TaskId>(task: Task): z.ZodType<AnswerOf<Task>> =>
  SCHEMAS[task] as unknown as z.ZodType<AnswerOf<Task>>;

const shapes = new Map<TaskId, AnswerSchema>();

/** The form of the answers to a task. */
export function answerSchema(task: TaskId): AnswerSchema {
  const known = shapes.get(task);
  if (known) return known;
  const { $schema: _, ...shape } = z.toJSONSchema(SCHEMAS[task]);
  const schema: AnswerSchema = { name: task, shape: shape as unknown as AnswerShape };
  shapes.set(task, schema);
  return schema;
}
