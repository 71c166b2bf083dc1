import { z } from 'zod';
import { severitySchema } from '../../data/shared-schemas.js';
import { wellFormed } from '../../documents/clean-text.js';
import { parseYaml } from '../../documents/formats/yaml/parse.js';
import { DEFAULT_LIMITS } from '../../documents/reading-limits.js';
import type { DataNode } from '../../documents/records/data-node.js';
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
  const [root, ...others] = parseYaml(text, DEFAULT_LIMITS);
  if (!root || others.length > 0) {
    throw new StandardFileError([{ message: 'The file has to hold exactly one YAML document.' }], FORM);
  }
  const result = fileSchema.safeParse(toValue(root));
  if (!result.success) {
    throw new StandardFileError(
      result.error.issues.map(({ path, message }) => ({
        line: lineAt(root, path),
        path: path.join('.'),
        message: `${message}.`,
      })),
      FORM,
    );
  }
  const { standard, criteria: entries } = result.data;
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

/** Every scalar as text. What a database could not keep as text is taken out here, where escapes are resolved. */
function toValue(node: DataNode): unknown {
  if (node.kind === 'list') return node.items.map(toValue);
  if (node.kind === 'scalar') {
    if (/^\*\S+$/.test(node.text)) throw aliasAt(node.line);
    return wellFormed(node.text);
  }
  const keys = new Set<string>();
  for (const { key, line } of node.entries) {
    if (keys.size === keys.add(key).size) {
      throw new StandardFileError(
        [{ line, message: 'A key stands twice in the same place.' }],
        'Remove one of them.',
      );
    }
  }
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, toValue(value)]));
}

const aliasAt = (line: number): StandardFileError =>
  new StandardFileError([{ line, message: 'The file uses YAML aliases.' }], 'Write every value out.');

/** Line of the innermost value on the path that the file has. */
function lineAt(root: DataNode, path: readonly PropertyKey[]): number {
  let node = root;
  for (const step of path) {
    const next =
      node.kind === 'list'
        ? node.items[Number(step)]
        : node.kind === 'map'
          ? node.entries.find(({ key }) => key === step)?.value
          : undefined;
    if (!next) break;
    node = next;
  }
  return node.line;
}
