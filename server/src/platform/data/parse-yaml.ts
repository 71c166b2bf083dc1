import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * What a YAML file of `server/data` holds. The build has made JSON of it (`server/scripts/data-as-json.mjs`), which every start and every
 * test of the service reads thirty times as fast; found by the content, so that a file which was changed since is read itself.
 */
export const parseYaml = (text: string): unknown => madeAhead(text) ?? parse(text);

export const madeAheadFile = (text: string): URL =>
  new URL(`../../made-data/${createHash('sha1').update(text).digest('hex')}.json`, import.meta.url);

/** Undefined where nothing was made of the text. */
function madeAhead(text: string): unknown {
  try {
    return JSON.parse(readFileSync(madeAheadFile(text), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
