import { z } from 'zod';
import { DataError, type DataProblem } from '../data/data-error.js';
import { type DataFile, type DataFolder, readDataFile } from '../data/load-data.js';
import type { Criterion } from './criterion.js';

/** One file of `standards/de/`. */
const germanFileSchema = z.strictObject({
  standard: z.string(),
  /** What a part of a series is called in the series. */
  part: z.string().min(2).optional(),
  /** Criteria whose title is a name or term that German has as well. */
  same: z.array(z.string()).default([]),
  texts: z.record(
    z.string(),
    z.strictObject({ title: z.string().min(2), text: z.string().min(10).optional() }),
  ),
});

type GermanFile = z.output<typeof germanFileSchema>;

const readGerman = (standard: string, data: DataFolder): Promise<DataFile<GermanFile>> =>
  readDataFile(data, `standards/de/${standard}.yaml`, germanFileSchema);

/** What a part of a series is called in German. Throws `DataError` for a part that its file does not name. */
export async function germanPart(standard: string, data: DataFolder): Promise<string> {
  const file = await readGerman(standard, data);
  if (file.value.part !== undefined) return file.value.part;
  const remedy = 'Write under "part" what the series calls it.';
  throw new DataError(file.name, [
    { line: 1, path: ['part'], problem: 'The part of a series has no German title', remedy },
  ]);
}

/**
 * The criteria of a file of `standards/` with our German words beside the English ones.
 * Throws `DataError` where a criterion has none, words stand for what is no criterion, or a text is still the English one.
 * @param own Ids of criteria with a text of their own; of others the title says what is demanded.
 */
export async function withGerman(
  standard: string,
  { criteria, own }: { readonly criteria: readonly Criterion[]; readonly own: ReadonlySet<string> },
  data: DataFolder,
): Promise<Criterion[]> {
  const file = await readGerman(standard, data);
  const { texts, same } = file.value;
  const problems: DataProblem[] = [];
  if (file.value.standard !== standard) {
    const problem = `The standard "${file.value.standard}" differs from the file name`;
    problems.push({ path: ['standard'], problem, remedy: `Write "${standard}" or rename the file.` });
  }
  const isSame = new Set(same);
  const known = new Set(criteria.map(({ id }) => id));
  const refuse = (id: string, problem: string, remedy: string): void => {
    problems.push({ path: ['texts', id], problem, remedy });
  };
  for (const { id, title, text } of criteria) {
    const german = texts[id];
    if (german === undefined) {
      refuse(id, `"${id}" has no German words`, 'Write its title and text.');
      continue;
    }
    if (own.has(id) !== (german.text !== undefined)) {
      refuse(
        id,
        own.has(id) ? `"${id}" has no German text` : `"${id}" has no text in English`,
        'Write a text where the English file has one, and nowhere else.',
      );
    }
    if ((german.title === title) !== isSame.has(id)) {
      refuse(
        id,
        `The title of "${id}" ${isSame.has(id) ? 'differs from' : 'is'} the English one`,
        'Translate it, or list the criterion under "same" when it is a name or term of both languages.',
      );
    }
    if (german.text === text) refuse(id, `The text of "${id}" is the English one`, 'Translate it.');
  }
  for (const id of [...Object.keys(texts), ...same]) {
    if (!known.has(id)) refuse(id, `The standard has no criterion "${id}"`, 'Correct the id or remove it.');
  }
  await file.refuse(problems);
  return criteria.map((criterion) => ({
    ...criterion,
    german: germanWords(criterion, texts[criterion.id]!),
  }));
}

/** As `criteriaOf` writes the English ones. */
function germanWords({ kind }: Criterion, { title, text }: GermanFile['texts'][string]): Criterion['german'] {
  return { title, text: text ?? (kind === 'group' ? '' : `Es liegt vor: ${title}.`) };
}
