import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { severitySchema } from '../../data/shared-schemas.js';
import type { Criterion } from '../criterion.js';
import { firstWords } from './criteria-from-table.js';
import type { StandardIdentity } from './read-standard-file.js';
import { StandardFileError } from './standard-file-error.js';

const criterionSchema = z.strictObject({
  id: z.string().min(1),
  /** Clause as the standard numbers it; the id where absent. */
  clause: z.string().optional(),
  group: z.string().optional(),
  title: z.string().optional(),
  text: z.string().min(1),
  severity: severitySchema.optional(),
  obligation: z.enum(['shall', 'should']).default('shall'),
  /** Groups of equivalent phrases; each group is one part of the demand. */
  terms: z.array(z.array(z.string().min(2)).min(1)).optional(),
  document_types: z.array(z.string()).optional(),
  /** True where a plan is what is demanded. */
  plan: z.boolean().optional(),
});
const fileSchema = z.strictObject({
  standard: z.strictObject({
    designation: z.string().min(1),
    title: z.string().optional(),
    edition: z.coerce.string().optional(),
  }),
  criteria: z.array(criterionSchema).min(1),
});

/**
 * Criteria in our own form: `standard: {designation, title, edition}` and `criteria:` with `id` and `text`,
 * optionally `clause, group, title, severity, obligation, terms, document_types, plan`. Aliases are refused,
 * because they can grow without bound. Throws `StandardFileError` naming lines.
 */
export function criteriaFromYaml(text: string): {
  identity: Partial<StandardIdentity>;
  criteria: Criterion[];
} {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    message: `This is not valid YAML (${error.code}).`,
  }));
  if (broken.length > 0) throw new StandardFileError(broken, 'Correct the lines and upload the file again.');
  const result = fileSchema.safeParse(withoutAliases(() => document.toJS({ maxAliasCount: 0 })));
  if (!result.success) {
    throw new StandardFileError(
      result.error.issues.map(({ path, message }) => {
        const node: unknown = document.getIn(path as (string | number)[], true);
        const offset = rangeStart(node);
        return {
          ...(offset === undefined ? {} : { line: lines.linePos(offset).line }),
          path: path.join('.'),
          message: `${message}.`,
        };
      }),
      'The file needs "standard: {designation: …}" and "criteria:" with an id and a text each.',
    );
  }
  const { standard, criteria: entries } = result.data;
  const criteria: Criterion[] = [];
  const groups = new Set<string>();
  for (const entry of entries) {
    if (entry.group !== undefined && !groups.has(entry.group)) {
      groups.add(entry.group);
      criteria.push({
        id: `group:${entry.group}`,
        kind: 'group',
        clause: entry.group,
        title: entry.group,
        text: '',
        severity: 'low',
        obligation: 'shall',
      });
    }
    criteria.push({
      id: entry.id,
      kind: 'clause',
      ...(entry.group === undefined ? {} : { parentId: `group:${entry.group}` }),
      clause: entry.clause ?? entry.id,
      title: entry.title ?? firstWords(entry.text),
      text: entry.text,
      severity: entry.severity ?? (entry.obligation === 'should' ? 'medium' : 'high'),
      obligation: entry.obligation,
      ...(entry.document_types ? { documentTypes: entry.document_types } : {}),
      ...(entry.plan === undefined ? {} : { plan: entry.plan }),
      ...(entry.terms ? { lookFor: { terms: entry.terms } } : {}),
    });
  }
  return {
    identity: {
      designation: standard.designation,
      ...(standard.title ? { title: standard.title } : {}),
      ...(standard.edition ? { edition: standard.edition } : {}),
    },
    criteria,
  };
}

function withoutAliases(toValue: () => unknown): unknown {
  try {
    return toValue();
  } catch (error) {
    if (!(error instanceof ReferenceError) && !(error instanceof RangeError)) throw error;
    throw new StandardFileError(
      [{ message: 'The file uses YAML aliases or is nested too deeply.' }],
      'Write every value out.',
    );
  }
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) ? (node.range[0] as number) : undefined;
}
