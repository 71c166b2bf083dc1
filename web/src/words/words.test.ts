import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../', import.meta.url));
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
const textsOf = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(SOURCE, file), 'utf8'));
const placeholders = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(files.filter((file) => file.endsWith('words.en.json')))('%s', (file) => {
  const folder = dirname(file);
  const english = textsOf(file);
  const german = textsOf(join(folder, 'words.de.json'));

  it('has every text in German, with the same values', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(german)) {
      expect(text.trim() === '', key).toBe(english[key] === '');
      expect([key, placeholders(text)]).toEqual([key, placeholders(english[key] ?? '')]);
    }
  });

  it('has no text that nobody says', () => {
    // Those of the parts are for every screen.
    if (folder === 'parts') return;
    const code = files
      .filter((one) => /\.tsx?$/.test(one) && !one.endsWith('.d.ts'))
      .map((one) => readFileSync(join(SOURCE, one), 'utf8'))
      .join('\n');
    const isSaid = (key: string): boolean => {
      const stem = key.replace(/_(one|other)$/, '');
      const [prefix] = key.split('_');
      return (
        code.includes(`'${key}'`) ||
        code.includes(`'${stem}'`) ||
        code.includes(`\`${prefix}_\${`) ||
        code.includes(`}_${stem.split('_').at(-1)}\``) ||
        code.includes(`named('${prefix}'`) ||
        new RegExp(`named\\(form, '${key.split('_').at(-1)}'\\)`).test(code)
      );
    };
    expect(Object.keys(english).filter((key) => !isSaid(key))).toEqual([]);
  });
});

it('no text for people stands outside the catalogs', () => {
  const found = files
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => {
      const code = readFileSync(join(SOURCE, file), 'utf8').replace(/^\s*\/\/.*$|\{\/\*.*\*\/\}/gm, '');
      // Names of keys are on the keys.
      const betweenTags = [
        ...code
          .replace(/<kbd>.*?<\/kbd>/g, '')
          .matchAll(/<\/?[\w.]+(?:\s[^<>{}]*)?>\s*([\p{L}][^<>{}=;()]+)</gu),
      ];
      const inAttributes = [...code.matchAll(/\b(?:title|aria-label|placeholder|alt)="([^"]*\p{L}[^"]*)"/gu)];
      return [...betweenTags, ...inAttributes].map(([, text]) => `${file}: ${text}`);
    });
  expect(found).toEqual(['app/frame.tsx: Normtrace', 'screens/sign-in/door.tsx: Normtrace']);
});
