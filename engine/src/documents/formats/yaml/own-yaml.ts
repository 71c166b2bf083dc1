import type { z } from 'zod';
import { wellFormed } from '../../clean-text.js';
import { DEFAULT_LIMITS } from '../../reading-limits.js';
import type { DataNode } from '../../records/data-node.js';
import { parseYaml } from './parse.js';

/** One thing wrong with YAML that somebody brought along. */
export interface OwnYamlProblem {
  readonly message: string;
  /** 1-based. */
  readonly line?: number;
  /** `items.3.severity`. */
  readonly path?: string;
}

/** What a caller makes an error of; the second text says what to do. */
export type OwnYamlRefusal = (problems: readonly OwnYamlProblem[], hint: string) => Error;

/**
 * YAML from outside, checked against a schema. Every scalar is text, exactly one document is allowed, and aliases are
 * refused because they can grow without bound.
 * @param options.form What a file has to look like, for the person.
 * Throws what `refuse` makes, with lines, and `DocumentError` for what is no YAML.
 */
export function readOwnYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  { form, refuse }: { readonly form: string; readonly refuse: OwnYamlRefusal },
): z.output<Schema> {
  const [root, ...others] = parseYaml(text, DEFAULT_LIMITS);
  if (!root || others.length > 0) {
    throw refuse([{ message: 'The file has to hold exactly one YAML document.' }], form);
  }
  const result = schema.safeParse(toValue(root, refuse));
  if (result.success) return result.data;
  throw refuse(
    result.error.issues.map(({ path, message }) => ({
      line: lineAt(root, path),
      path: path.join('.'),
      message: `${message}.`,
    })),
    form,
  );
}

/** Every scalar as text. What a database could not keep as text is taken out here, where escapes are resolved. */
function toValue(node: DataNode, refuse: OwnYamlRefusal): unknown {
  if (node.kind === 'list') return node.items.map((item) => toValue(item, refuse));
  if (node.kind === 'scalar') {
    if (/^\*\S+$/.test(node.text)) {
      throw refuse([{ line: node.line, message: 'The file uses YAML aliases.' }], 'Write every value out.');
    }
    return wellFormed(node.text);
  }
  const keys = new Set<string>();
  for (const { key, line } of node.entries) {
    if (keys.size === keys.add(key).size) {
      throw refuse([{ line, message: 'A key stands twice in the same place.' }], 'Remove one of them.');
    }
  }
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, toValue(value, refuse)]));
}

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
