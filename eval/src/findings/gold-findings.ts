import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { GoldDataError, readTable, subfolders } from '../gold.js';

/** A place that shows a defect: document (of plants by its short name) and exact words. */
export interface GoldPlace {
  readonly document: string;
  readonly where: string;
  readonly quote: string;
}

/** What is really wrong in documents of others. */
export interface Defect {
  readonly id: string;
  readonly kind: string;
  readonly severity: string;
  readonly statement: string;
  readonly places: readonly GoldPlace[];
  readonly cause?: string;
}

/** One defect that was put into the clean project. */
export interface Plant extends Omit<Defect, 'cause'> {
  /** Of each line a finding must hold one of the words. */
  readonly key: readonly (readonly (string | number)[])[];
}

/** A finding that a person has judged: T useful, F formal or not due, D repetition, W wrong, N not due, H a remark. */
export interface Label {
  readonly engine: string;
  readonly kind: string;
  readonly criterion: string;
  readonly title: string;
  readonly document: string;
  readonly quote: string;
  readonly label: string;
  readonly defect?: string;
}

export interface JudgedSet {
  readonly name: string;
  readonly defects: readonly Defect[];
  readonly labels: readonly Label[];
}

const LABEL_COLUMNS = 'engine,kind,criterion,severity,title,document,place,quote60,label,defect,why'.split(
  ',',
);
const CLEAN_COLUMNS = 'engine,kind,criterion,severity,title,document,quote60,label,why'.split(',');

/** Sets of `findings/` with what a person found in them. Throws `GoldDataError`. */
export function loadJudgedSets(gold: string): readonly JudgedSet[] {
  return subfolders(join(gold, 'findings')).map((name) => {
    const folder = join(gold, 'findings', name);
    return {
      name,
      defects: readList<Defect>(join(folder, 'defects.yaml')),
      labels: readTable(join(folder, 'labels.csv'), LABEL_COLUMNS).map(asLabel),
    };
  });
}

export function loadCleanLabels(gold: string): readonly Label[] {
  return readTable(join(gold, 'plants', 'clean_labels.csv'), CLEAN_COLUMNS).map(asLabel);
}

export const loadPlants = (gold: string) => readList<Plant>(join(gold, 'plants', 'plants.yaml'));

export const loadHarmless = (gold: string) =>
  readList<{ readonly id: string; readonly kind: string }>(join(gold, 'plants', 'harmless.yaml'));

/** By name: which plants a mix holds. */
export function loadMixes(gold: string): ReadonlyMap<string, readonly string[]> {
  const file = join(gold, 'plants', 'mixes.yaml');
  return new Map(Object.entries(existsSync(file) ? parse(readFileSync(file, 'utf8')) : {}));
}

function asLabel(row: Record<string, string>): Label {
  const { engine, kind, criterion, title, document, quote60, label, defect } = row;
  return {
    engine: engine!,
    kind: kind!,
    criterion: criterion!,
    title: title!,
    document: document!,
    quote: quote60!,
    label: label!,
    ...(defect ? { defect } : {}),
  };
}

function readList<T>(file: string): readonly T[] {
  if (!existsSync(file)) throw new GoldDataError(`${file} is missing.`);
  const list: unknown = parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(list)) throw new GoldDataError(`${file} is no list.`);
  return list;
}
