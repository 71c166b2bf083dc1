import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * What the YAML of our data files holds, as JSON, which the build has made (`engine/scripts/data-as-json.mjs`): it is read thirty times as
 * fast, in every process. Found by the content of the file, so that one which was changed since is read itself.
 */
export const madeAheadFile = (text: string): URL =>
  new URL(`../made-data/${createHash('sha1').update(text).digest('hex')}.json`, import.meta.url);

/** Undefined where nothing was made of the text. */
export function madeAhead(text: string): unknown {
  try {
    return JSON.parse(readFileSync(madeAheadFile(text), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
