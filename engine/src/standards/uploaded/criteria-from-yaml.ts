import { z } from 'zod';
import { readOwnYaml } from '../../documents/formats/yaml/own-yaml.js';
import { severitySchema } from '../../findings/severity-schema.js';
import type { Criterion } from '../criterion.js';
import { firstWords } from './criteria-from-table.js';
import { StandardFileError } from './standard-file-error.js';
import type { StandardIdentity } from './standard-identity.js';

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
  plan: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
});
const fileSchema = z.strictObject({
  standard: z.strictObject({
    designation: z.string().min(1),
    title: z.string().optional(),
    edition: z.string().optional(),
  }),
  criteria: z.array(criterionSchema).min(1),
});

const FORM = 'The file needs "standard: {designation: …}" and "criteria:" with an id and a text each.';

/**
 * Criteria in our own form: `standard: {designation, title, edition}` and `criteria:` with `id` and `text`,
 * optionally `clause, group, title, severity, obligation, terms, document_types, plan`. Aliases are refused,
 * because they can grow without bound. Throws `StandardFileError` naming lines, and `DocumentError` for what is no YAML.
 */
export function criteriaFromYaml(text: string): {
  identity: Partial<StandardIdentity>;
  criteria: Criterion[];
} {
  const { standard, criteria: entries } = readOwnYaml(text, fileSchema, {
    form: FORM,
    refuse: (problems, hint) => new StandardFileError(problems, hint),
  });
  const criteria: Criterion[] = [];
  const groups = new Set<string>();
  for (const entry of entries) {
    if (entry.group && !groups.has(entry.group)) {
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
      ...(entry.group ? { parentId: `group:${entry.group}` } : {}),
      clause: entry.clause || entry.id,
      title: entry.title || firstWords(entry.text),
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
