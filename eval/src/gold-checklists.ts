import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { GoldDataError, readTable, subfolders } from './gold.js';

/** What inspectors answer; undefined where they left the item blank. */
export type Answer = 'pass' | 'fail' | 'NA';

/** A checklist as a person filled it in, and the documents that he or she looked at. */
export interface ChecklistCase {
  readonly name: string;
  readonly items: readonly {
    readonly id: string;
    readonly text: string;
    readonly guidance?: string;
    readonly truth: Answer | undefined;
  }[];
  /** Bytes by path below the folder of documents, in order of the paths. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

const ANSWERS: readonly Answer[] = ['pass', 'fail', 'NA'];

/** Cases in `checklists/<case>/` with `checklist.json`, `truth.csv` and `documents/`. Throws `GoldDataError`. */
export function loadChecklistCases(folder: string): ChecklistCase[] {
  return subfolders(join(folder, 'checklists')).map((name) => {
    const place = join(folder, 'checklists', name);
    const truth = new Map(
      readTable(join(place, 'truth.csv'), ['item', 'verdict']).map((row) => [row.item!, row.verdict!]),
    );
    const items = readItems(join(place, 'checklist.json')).map((item) => {
      const written = truth.get(item.id);
      if (written === undefined) {
        throw new GoldDataError(`${join(place, 'truth.csv')} has no row for item ${item.id}.`);
      }
      const answer = ANSWERS.find((one) => one === written);
      if (written !== '' && !answer) {
        throw new GoldDataError(
          `${join(place, 'truth.csv')}: item ${item.id} is none of ${ANSWERS.join(', ')}.`,
        );
      }
      return { ...item, truth: answer };
    });
    return { name, items, files: filesIn(join(place, 'documents')) };
  });
}

interface WrittenItem {
  readonly id: string;
  readonly text: string;
  readonly guidance?: string;
}

function readItems(file: string): readonly WrittenItem[] {
  if (!existsSync(file)) throw new GoldDataError(`${file} is missing.`);
  const wrong = new GoldDataError(`${file}: expected {"items": [{"id": "…", "criterion": "…"}]}.`);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw wrong;
  }
  if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items))
    throw wrong;
  return value.items.map((item: unknown): WrittenItem => {
    if (typeof item !== 'object' || item === null || !('id' in item) || !('criterion' in item)) throw wrong;
    if (typeof item.id !== 'string' || typeof item.criterion !== 'string') throw wrong;
    const guidance = 'guidance' in item && typeof item.guidance === 'string' ? item.guidance : '';
    const text = item.criterion.replace(/\s+/g, ' ').trim();
    return { id: item.id, text, ...(guidance === '' ? {} : { guidance }) };
  });
}

function filesIn(folder: string): ChecklistCase['files'] {
  if (!existsSync(folder)) throw new GoldDataError(`${folder} is missing.`);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(folder, file).split(sep).join('/'), bytes: readFileSync(file) }));
}
