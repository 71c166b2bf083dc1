import { z } from 'zod';
import { type OwnYamlProblem, readOwnYaml } from '../../documents/formats/yaml/own-yaml.js';
import { severitySchema } from '../../findings/severity-schema.js';
import { plainValue } from '../../text/plain-value.js';
import { ChecklistFileError } from './checklist-file-error.js';
import { columnWords } from './column-words.js';
import type { TableContent } from './items-from-table.js';
import { type ImportedAnswer, type OwnItem, ownItemId } from './own-item.js';

const itemSchema = z.strictObject({
  id: z.string().min(1),
  text: z.string().min(1),
  reference: z.string().optional(),
  severity: severitySchema.optional(),
  guidance: z.string().optional(),
  result: z
    .string()
    .optional()
    .refine((written) => !written || columnWords().answers.has(plainValue(written)), {
      error: () => `The answer is not known; use ${columnWords().examples.answers}`,
    }),
  remark: z.string().optional(),
  evidence: z.string().optional(),
});
const fileSchema = z.strictObject({
  checklist: z.strictObject({ title: z.string().min(1), id: z.string().min(1).optional() }),
  items: z
    .array(itemSchema)
    .min(1)
    .superRefine((items, context) => {
      const seen = new Set<string>();
      for (const [at, { id }] of items.entries()) {
        const key = ownItemId(id);
        if (seen.has(key)) {
          context.addIssue({ code: 'custom', path: [at, 'id'], message: 'Another item has the same id' });
        }
        seen.add(key);
      }
    }),
});

const REFUSE = {
  form: 'The file needs "checklist: {title: …}" and "items:" with an id and a text each.',
  refuse: (problems: readonly OwnYamlProblem[], hint: string) => new ChecklistFileError(problems, hint),
};

/** Whether a file is in the form of the lists that come with the engine: it says what it is about. */
export function isLongForm(text: string): boolean {
  return 'about' in readOwnYaml(text, z.record(z.string(), z.unknown()), REFUSE);
}

/** Title and items of a file in the short form: `checklist: {title}` and `items:` with `id` and `text`, optionally
 * `reference, severity, guidance, result, remark, evidence`. Throws `ChecklistFileError` naming lines. */
export function itemsFromYaml(text: string): TableContent & { readonly title: string; readonly id?: string } {
  const file = readOwnYaml(text, fileSchema, REFUSE);
  const items = file.items.map(
    ({ id, text: question, reference, severity, guidance }): OwnItem => ({
      id: ownItemId(id),
      text: question,
      ...(reference ? { reference } : {}),
      ...(severity ? { severity } : {}),
      ...(guidance ? { guidance } : {}),
    }),
  );
  const answers = file.items.flatMap(({ id, result, remark, evidence }): ImportedAnswer[] => {
    const answer = result ? columnWords().answers.get(plainValue(result)) : undefined;
    if (answer === undefined || answer === 'open') return [];
    return [
      {
        itemId: ownItemId(id),
        result: answer,
        standing: evidence ? 'referenced' : 'claimed',
        confidence: evidence ? 'medium' : 'low',
        ...(remark ? { remark } : {}),
        ...(evidence ? { evidence } : {}),
      },
    ];
  });
  return {
    title: file.checklist.title,
    ...(file.checklist.id ? { id: file.checklist.id } : {}),
    items,
    answers,
  };
}
