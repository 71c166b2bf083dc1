import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ApiError, invalid } from './api-error.js';
import { errorIn, refusalIn } from './refusals.js';

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));
const file = new URL('../../../data/refusals.de.yaml', import.meta.url);
const said = parse(readFileSync(file, 'utf8')) as Record<string, string>;

describe('refusals in German', () => {
  it('say what the English ones do, with what is filled in', () => {
    expect(refusalIn('de', 'This change changed no gap.')).toBe('Diese Änderung hat keine Lücke geändert.');
    expect(refusalIn('de', 'The filter matches 7 gaps now, not 8. Read the list again.')).toBe(
      'Der Filter trifft jetzt 7 Lücken und nicht 8. Lesen Sie die Liste neu.',
    );
    expect(refusalIn('en', 'This change changed no gap.')).toBe('This change changed no gap.');
    expect(refusalIn('de', 'Nobody wrote this.')).toBe('Nobody wrote this.');
    const error = errorIn('de', invalid('body.reason', 'Say why the gap is accepted.', 'required'));
    expect([error.message, error.details]).toEqual([
      'Die Anfrage ist nicht gültig.',
      {
        issues: [
          { path: 'body.reason', message: 'Sagen Sie, warum die Lücke akzeptiert wird.', code: 'required' },
        ],
      },
    ]);
    expect(errorIn('de', new ApiError('CONFLICT', 'x', { a: 1 })).details).toEqual({ a: 1 });
  });

  it('fill in what the English ones do, and are about texts that the code still has', () => {
    const code = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
      // A long text stands in the code in several parts.
      .replaceAll(/['`] \+\s+['`]/g, '')
      .replaceAll("\\'", "'");
    for (const [english, german] of Object.entries(said)) {
      const filled = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).toSorted();
      expect([english, filled(german)]).toEqual([english, filled(english)]);
      for (const part of english.split(/\{\d\}/)) expect(code).toContain(part);
    }
  });
});
