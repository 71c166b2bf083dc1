import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPENAPI } from './tools.js';
import { VALIDATORS } from './validators.js';

/** Whether tools may be fetched: `npm run clients`. Those that are there already are always used. */
const MAY_INSTALL = process.env.CLIENTS === 'all';

describe.each(Object.entries(VALIDATORS))('a validator of %s', (_language, validate) => {
  it('accepts the API description, and refuses one that is wrong', async () => {
    if ((await validate(MAY_INSTALL)) === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), 'normtrace-description-'));
    try {
      const wrong = JSON.parse(await readFile(OPENAPI, 'utf8'));
      const [path] = Object.keys(wrong.paths);
      wrong.paths[path as string].get.responses = 'none';
      await writeFile(join(folder, 'wrong.json'), JSON.stringify(wrong));
      await expect(validate(MAY_INSTALL, join(folder, 'wrong.json'))).rejects.toThrow('failed');
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 600_000);
});
