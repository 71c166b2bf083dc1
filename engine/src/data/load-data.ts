import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, YAMLException } from 'js-yaml';
import type { z } from 'zod';
import { DataError, type DataProblem } from './data-error.js';
import { findLines } from './find-lines.js';
import { madeAhead } from './made-ahead.js';

/** A folder of knowledge files and what was read from it so far. Nothing is read before it is asked for. */
export interface DataFolder {
  readonly root: string;
  /** By name of what was built; a promise, so that two callers at once read a file once. */
  readonly cache: Map<string, Promise<unknown>>;
}

/** A file that fits its schema, with a way to refuse it for reasons that a schema cannot see. */
export interface DataFile<Value> {
  /** Path below the folder, with forward slashes: `standards/iso-26262-3-2018.yaml`. */
  readonly name: string;
  readonly value: Value;
  /** Throws a `DataError` with file and line of each problem; does nothing when there is none. */
  refuse(problems: readonly DataProblem[]): Promise<void>;
}

/** @param root Absolute path of a folder laid out like `engine/data`. */
export function openDataFolder(root: string): DataFolder {
  return { root, cache: new Map() };
}

/** The knowledge that comes with the engine. */
export const BUILT_IN_DATA: DataFolder = openDataFolder(
  fileURLToPath(new URL('../../data', import.meta.url)),
);

/** Builds something once per folder. A failure is not kept, so that a corrected file can be read again. */
export function once<Value>(data: DataFolder, key: string, build: () => Promise<Value>): Promise<Value> {
  const known = data.cache.get(key);
  if (known) return known as Promise<Value>;
  const built = build();
  data.cache.set(key, built);
  built.catch(() => data.cache.delete(key));
  return built;
}

/**
 * Reads one YAML file and checks it against its schema.
 * Throws `DataError` for a missing file, a syntax error, an alias, an unknown key, a wrong type or a missing value.
 */
export async function readDataFile<Schema extends z.ZodType>(
  data: DataFolder,
  name: string,
  schema: Schema,
): Promise<DataFile<z.output<Schema>>> {
  return parseDataText(name, await readText(data, name), schema);
}

/** The same from the text of a file that is not in the folder; `name` is the file's, for messages. */
export async function parseDataText<Schema extends z.ZodType>(
  name: string,
  text: string,
  schema: Schema,
): Promise<DataFile<z.output<Schema>>> {
  const result = schema.safeParse(parseYaml(name, text));
  const refuse = async (problems: readonly DataProblem[]): Promise<void> => {
    if (problems.length === 0) return;
    const lines = findLines(
      text,
      problems.map(({ path }) => path),
    );
    throw new DataError(
      name,
      problems.map((problem, index) => ({ ...problem, line: lines[index]! })),
    );
  };
  if (!result.success) {
    await refuse(result.error.issues.flatMap(toProblems));
    throw result.error;
  }
  return { name, value: result.data, refuse };
}

/** Names without extension of the YAML files in a subfolder, sorted. */
export async function listDataFiles(data: DataFolder, subfolder: string): Promise<string[]> {
  const names = await readdir(join(data.root, subfolder));
  return names
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort();
}

async function readText(data: DataFolder, name: string): Promise<string> {
  try {
    return await readFile(join(data.root, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const remedy = 'Create the file or correct the id that refers to it.';
    throw new DataError(name, [{ line: 1, path: [], problem: 'The file does not exist', remedy }]);
  }
}

/** A value of plain lists and maps. Throws `DataError` with the line for what is no YAML and for aliases. */
export function parseYaml(name: string, text: string): unknown {
  const made = madeAhead(text);
  if (made !== undefined) return made;
  try {
    const value = load(text);
    if (!hasSharedParts(value)) return value;
    const remedy = 'Write every value out: aliases can grow without bound.';
    throw new DataError(name, [{ line: 1, path: [], problem: 'The file uses YAML aliases', remedy }]);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const line = (error.mark?.line ?? 0) + 1;
    const problem = `This is not valid YAML: ${error.reason}`;
    throw new DataError(name, [{ line, path: [], problem, remedy: 'Correct the line.' }]);
  }
}

/** An alias of a list or map gives the same object again. */
function hasSharedParts(root: unknown): boolean {
  const seen = new Set<object>();
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (seen.size === seen.add(value).size) return true;
    for (const part of Object.values(value)) open.push(part);
  }
  return false;
}

/** What a schema has against a file, for a person. */
export function toProblems(issue: z.core.$ZodIssue): DataProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      problem: `Unknown key "${key}"`,
      remedy: 'Correct its spelling or remove it.',
    }));
  }
  return [{ path, problem: issue.message, remedy: 'Correct the value.' }];
}
