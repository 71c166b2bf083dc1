import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';

const StopWordFile = z.strictObject({ en: z.string(), de: z.string() });

export interface StopWords {
  readonly en: ReadonlySet<string>;
  readonly de: ReadonlySet<string>;
}

let loaded: StopWords | undefined;

/** Normalised words without a topic, by language, from `data/words/stop-words.yaml` (read once). */
export function stopWords(): StopWords {
  loaded ??= read(new URL('../../data/words/stop-words.yaml', import.meta.url));
  return loaded;
}

function read(file: URL): StopWords {
  const lists = StopWordFile.parse(load(readFileSync(file, 'utf8')));
  return { en: new Set(lists.en.split(/\s+/)), de: new Set(lists.de.split(/\s+/)) };
}
