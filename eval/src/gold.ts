import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which sources trace to which targets. */
export interface LinkSet {
  readonly name: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  /** Ids of sources and targets, in their order. */
  readonly sourceIds: readonly string[];
  readonly targetIds: readonly string[];
  /** By source: numbers of the targets that it is linked to. */
  readonly truth: readonly ReadonlySet<number>[];
}

/** Which criteria a document covers, and in which passages. */
export interface CoverageSet {
  readonly name: string;
  readonly criteria: readonly string[];
  readonly passages: readonly string[];
  /** By criterion. */
  readonly truth: readonly { readonly covered: boolean; readonly evidence: ReadonlySet<number> }[];
}

/** Coverage sets with the same criteria or the same kind of document. */
export interface CoverageCorpus {
  readonly name: string;
  readonly sets: readonly CoverageSet[];
}

/** The data folder does not hold what it should; the message says what is missing and where. */
export class GoldDataError extends Error {
  override readonly name = 'GoldDataError';
}

export function loadLinkSets(folder: string): LinkSet[] {
  return subfolders(join(folder, 'links')).map((name) => {
    const place = join(folder, 'links', name);
    const sources = readTexts(join(place, 'sources.jsonl'));
    const targets = readTexts(join(place, 'targets.jsonl'));
    const sourceNumbers = numbersById(sources);
    const targetNumbers = numbersById(targets);
    const truth = sources.map(() => new Set<number>());
    for (const { source, target } of readTable(join(place, 'links.csv'), ['source', 'target'])) {
      const from = numberOf(sourceNumbers, source!, place);
      truth[from]!.add(numberOf(targetNumbers, target!, place));
    }
    return {
      name,
      sources: sources.map(textOf),
      targets: targets.map(textOf),
      sourceIds: sources.map(({ id }) => id),
      targetIds: targets.map(({ id }) => id),
      truth,
    };
  });
}

export function loadCoverageCorpora(folder: string): CoverageCorpus[] {
  return subfolders(join(folder, 'coverage')).map((name) => {
    const place = join(folder, 'coverage', name);
    return { name, sets: subfolders(place).map((set) => loadCoverageSet(join(place, set), set)) };
  });
}

function loadCoverageSet(place: string, name: string): CoverageSet {
  const criteria = readTexts(join(place, 'criteria.jsonl'));
  const passages = readTexts(join(place, 'passages.jsonl'));
  const passageNumbers = numbersById(passages);
  const rows = readTable(join(place, 'truth.csv'), ['criterion', 'covered', 'evidence']);
  const decisions = new Map(rows.map((row) => [row.criterion!, row]));
  const truth = criteria.map(({ id }) => {
    const row = decisions.get(id);
    if (!row) throw new GoldDataError(`${join(place, 'truth.csv')} has no row for criterion ${id}.`);
    const evidence = row.evidence!.split(';').filter((passage) => passage !== '');
    return {
      covered: row.covered === 'true',
      evidence: new Set(evidence.map((passage) => numberOf(passageNumbers, passage, place))),
    };
  });
  return { name, criteria: criteria.map(textOf), passages: passages.map(textOf), truth };
}

interface IdentifiedText {
  readonly id: string;
  readonly text: string;
}

function textOf({ text }: IdentifiedText): string {
  return text;
}

export function subfolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function readTexts(file: string): IdentifiedText[] {
  return read(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line, number) => {
      const value = parseJson(line);
      if (typeof value === 'object' && value !== null && 'id' in value && 'text' in value) {
        if (typeof value.id === 'string' && typeof value.text === 'string')
          return { id: value.id, text: value.text };
      }
      throw new GoldDataError(`${file}, line ${number + 1}: expected {"id": "…", "text": "…"}.`);
    });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function readTable(file: string, columns: readonly string[]): Record<string, string>[] {
  const [head, ...lines] = read(file).trim().split(/\r?\n/);
  if (head !== columns.join(','))
    throw new GoldDataError(`${file}: expected the columns ${columns.join(',')}.`);
  return lines.map((line, number) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? '',
    );
    if (cells.length !== columns.length) {
      throw new GoldDataError(`${file}, line ${number + 2}: expected ${columns.length} cells.`);
    }
    return Object.fromEntries(columns.map((column, index) => [column, cells[index]!]));
  });
}

function read(file: string): string {
  if (!existsSync(file)) throw new GoldDataError(`${file} is missing.`);
  return readFileSync(file, 'utf8');
}

function numbersById(texts: readonly IdentifiedText[]): Map<string, number> {
  return new Map(texts.map(({ id }, number) => [id, number]));
}

function numberOf(numbers: ReadonlyMap<string, number>, id: string, place: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new GoldDataError(`${place} refers to ${id}, which it does not define.`);
  return number;
}
