import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFiles } from '../testing/project-files.js';

// German results of a German project: whatever is English in them and stands in no quotation marks is ours.

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const PROJECT = fileURLToPath(new URL('../../testdata/projects/brake-by-wire.txt', import.meta.url));

/** Words that English sentences and labels of ours cannot do without and German ones never have. */
const ENGLISH =
  /(?<![\p{L}\d/-])(?:the|of|and|are|were|with|for|which|that|has|have|been|from|this|its|their|every|each|nothing|found|missing|not|be|to|or|by|is|no|only|without|where|when|than|covered|partial|pass|fail|critical|high|low|medium|summary|gaps?|score|expected|observed|why|documents?|passages?|requirements?|sections?|complete|confidence)(?![\p{L}\d/-])/iu;

/** Words that were searched are words of both languages; codes are what programs know a kind or rule by. */
const SEARCHED = /gesucht nach [^.\n]*(?:\n\s+[^·\n]+)*/g;
const QUOTED = /„[^“”]*[“”]|“[^”]*”|"[^"\n]*"/g;
const CODES = /[a-z]+(?:_[a-z]+)+(?:\/[a-z_]+)?/g;

const leftEnglish = (result: string): readonly string[] =>
  result
    .replaceAll(SEARCHED, '')
    .replaceAll(QUOTED, '§')
    .replaceAll(CODES, '§')
    .split('\n')
    .filter((line) => ENGLISH.test(line));

const plain = (html: string): string =>
  html
    .replaceAll(/<(style|title)\b.*?<\/\1>/gs, '')
    .replaceAll(/<\/?(?:b|i|em|strong|span|code|a|q|mark|small|sup|sub)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#?\w+;/g, ' ');

describe('German results', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normtrace-german-'));
    await writeFile(join(folder, 'LICENSE'), 'Not a document');
    for (const [name, bytes] of await projectFiles(await readFile(PROJECT, 'utf8'))) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = async (...args: readonly string[]): Promise<string> => {
    const [command = '', ...rest] = args;
    const process_ = spawn(process.execPath, [MAIN, command, folder, ...rest, '--language', 'de'], {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text(process_.stdout);
  };

  it.each([
    [
      'a gap analysis',
      ['analyse', '--standard', 'iso-26262-3-2018', '--embeddings', 'off'],
      'Gefährdungsanalyse',
    ],
    ['a completeness check', ['completeness'], 'Abschnitte: '],
    ['a trace', ['trace'], 'Keine Ergebnisse vorgelegt'],
    ['checklists', ['checklist', '--checklist', 'FS-HARA', '--checklist', 'FS-FSC'], 'Nicht erfüllt: '],
    [
      'a first page',
      ['report', '--standard', 'iso-26262-3-2018', '--embeddings', 'off'],
      'Zuerst zu entscheiden',
    ],
  ])('of %s in the terminal have no English words of ours', async (_what, args, says) => {
    const result = await run(...args);
    expect(result).toContain(says);
    expect(leftEnglish(result)).toEqual([]);
  });

  it('of a report have no English words of ours', async () => {
    const asked = ['--standard', 'iso-26262-2018', '--checklist', 'FS-HARA', '--checklist', 'FS-FSC'];
    const more = ['--checklist', 'FS-PLAN', '--embeddings', 'off', '--format', 'html'];
    const result = plain(await run('report', ...asked, ...more));
    expect(result).toContain('Gefährdungsanalyse und Risikobewertung');
    expect(leftEnglish(result)).toEqual([]);
  });

  it('a word of ours that is English would be found', () => {
    expect(leftEnglish('Zeiten: Nothing states it.\n„the item“ ist genannt')).toEqual([
      'Zeiten: Nothing states it.',
    ]);
  });
});
