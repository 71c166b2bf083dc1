import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

type Json = Readonly<Record<string, unknown>>;

const FILE = new URL('../../data/property-descriptions.yaml', import.meta.url);
const Words = z.strictObject({
  /** What a property or parameter of this name means wherever nothing else is said. */
  everywhere: z.record(z.string(), z.string()),
  /** What it means in one schema or operation. */
  within: z.record(z.string(), z.record(z.string(), z.string())),
});

const readWords = () => Words.parse(parse(readFileSync(FILE, 'utf8')));

/**
 * The document with a sentence for every property and parameter: its own, that of its schema or operation in
 * `data/property-descriptions.yaml`, or that of its name there.
 */
export function describeProperties(document: Json): Json {
  const words = readWords();
  const copy = structuredClone(document) as Json;
  for (const { place, name, described } of describable(copy)) {
    if (typeof described.description === 'string') continue;
    const key = keyOf(name);
    const description = words.within[place]?.[key] ?? words.everywhere[key];
    if (description !== undefined)
      described.description = canBeNull(described) ? description : description.replace(ABOUT_NULL, '');
  }
  return copy;
}

/** What a sentence says of null, for the many properties of its name that cannot be. */
const ABOUT_NULL = /; null [^.;]+/;

const canBeNull = ({ type, anyOf }: Record<string, unknown>): boolean =>
  [type].flat().includes('null') ||
  (Array.isArray(anyOf) && anyOf.some((one: Record<string, unknown>) => canBeNull(one)));

/** Properties and parameters that say nothing of themselves, and sentences about what there is not. */
export function descriptionProblems(document: Json): readonly string[] {
  const found = describable(document);
  const silent = found.filter(({ described }) => !described.description);
  const names = new Set(found.flatMap(({ place, name }) => [keyOf(name), `${place}.${keyOf(name)}`]));
  const { everywhere, within } = readWords();
  const written = [
    ...Object.keys(everywhere),
    ...Object.entries(within).flatMap(([place, own]) => Object.keys(own).map((name) => `${place}.${name}`)),
  ];
  return [
    ...new Set(
      silent.map(
        ({ place, name }) =>
          `${place}.${name} has no description: say it in its schema, or by its name in server/data/property-descriptions.yaml.`,
      ),
    ),
    ...written
      .filter((key) => !names.has(key))
      .map((key) => `server/data/property-descriptions.yaml describes ${key}, which there is not.`),
  ];
}

const keyOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => (name.length > 2 ? `_${letter.toLowerCase()}` : letter));

interface Describable {
  /** The component or the operation that it belongs to. */
  readonly place: string;
  readonly name: string;
  readonly described: Record<string, unknown>;
}

/** Every property of every schema, and every parameter. */
function describable(document: Json): readonly Describable[] {
  const found: Describable[] = [];
  const look = (node: unknown, place: string): void => {
    if (Array.isArray(node)) {
      for (const one of node) look(one, place);
      return;
    }
    if (typeof node !== 'object' || node === null) return;
    const { properties, parameters, ...rest } = node as Record<string, unknown>;
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
      for (const [name, described] of Object.entries(properties as Record<string, Record<string, unknown>>)) {
        found.push({ place, name, described });
        look(described, place);
      }
    }
    if (Array.isArray(parameters)) {
      for (const parameter of parameters) {
        if (!('$ref' in parameter)) found.push({ place, name: parameter.name, described: parameter });
      }
    }
    for (const [key, inner] of Object.entries(rest)) {
      if (key !== 'example' && key !== 'examples' && key !== 'default' && key !== 'enum') look(inner, place);
    }
  };
  const { components, paths, webhooks } = document as {
    readonly components: { readonly schemas: Json; readonly responses: Json };
    readonly paths: Readonly<Record<string, Json>>;
    readonly webhooks: Readonly<Record<string, Json>>;
  };
  for (const [name, schema] of Object.entries({ ...components.schemas, ...components.responses }))
    look(schema, name);
  for (const item of [...Object.values(paths), ...Object.values(webhooks)]) {
    for (const operation of Object.values(item))
      look(operation, String((operation as Json).operationId ?? 'webhook'));
  }
  return found;
}
