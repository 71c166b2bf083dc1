import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  brokenRooms,
  circlesOf,
  examineImports,
  importsOf,
  readRooms,
  roomRuleBrokenBy,
  ruleBrokenBy,
} from './dependency-rule.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('the dependency rule', () => {
  it('holds, and has looked', () => {
    const { files, imports, broken, circles } = examineImports(ROOT);
    expect(files).toBeGreaterThan(100);
    expect(imports).toBeGreaterThan(300);
    expect(broken).toEqual([]);
    expect(circles).toEqual([]);
  });

  it.each([
    ['engine/src/a/b.ts', '../../../server/src/app.js'],
    ['engine/src/a/b.ts', '@normtrace/server'],
    ['engine/src/a/b.test.ts', '../../../server/src/testing/test-database.js'],
    ['server/src/platform/http/a.ts', '../../modules/auth/auth.service.js'],
    ['server/src/platform/http/a.ts', '@normtrace/engine'],
    ['server/src/platform/http/a.ts', '../../jobs.js'],
    ['server/src/modules/auth/a.ts', '../../start/run.js'],
    ['server/src/modules/auth/a.ts', '../../testing/test-app.js'],
    ['server/src/modules/auth/a.ts', '../../../../engine/src/index.js'],
    ['server/src/modules/auth/a.ts', '@normtrace/engine/dist/index.js'],
    ['server/src/modules/auth/a.ts', '@normtrace/engine/program'],
    ['server/src/start/all.ts', '../../../web/public/health.js'],
    ['web/src/page.ts', '../../server/src/app.js'],
    ['web/src/page.ts', '@normtrace/engine'],
  ])('forbids %s to import %s', (file, specifier) => {
    expect(ruleBrokenBy(file, specifier)).toBeDefined();
  });

  it.each([
    ['engine/src/a/b.ts', '../c/d.js'],
    ['engine/src/a/b.ts', '../../data/words.yaml'],
    ['engine/src/a/b.ts', 'yaml'],
    ['server/src/platform/http/a.ts', '../database/sql.js'],
    ['server/src/platform/http/a.test.ts', '../../testing/test-app.js'],
    ['server/src/modules/auth/a.ts', '@normtrace/engine'],
    ['server/src/modules/auth/a.ts', '../../platform/database/sql.js'],
    ['server/src/start/all.ts', '../app.js'],
    ['server/src/start/start-program.ts', '@normtrace/engine/program'],
  ])('allows %s to import %s', (file, specifier) => {
    expect(ruleBrokenBy(file, specifier)).toBeUndefined();
  });

  it('reads every way to import, and no comments', () => {
    const source = `
      import a from './a.js'; import './b.js'; export * from "./c.js"; import type { D } from './d.js';
      const e = await import('./e.js'); const f = require('./f.js'); new Worker(new URL('./g.js', import.meta.url));
      import {
        h,
      } from './h.js';
      // import x from './no.js'
      /* from './neither.js' */
    `;
    expect(importsOf(source).sort()).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.js`),
    );
  });

  it('finds files that import each other, by whatever detour', () => {
    const graph = new Map([
      ['a', ['b', 'yaml']],
      ['b', ['c']],
      ['c', ['a', 'd']],
      ['d', ['e']],
      ['e', []],
      ['f', ['g', 'a']],
      ['g', ['f']],
    ]);
    expect(circlesOf(graph)).toEqual([
      ['a', 'b', 'c'],
      ['f', 'g'],
    ]);
  });

  it('reads which room may import which from a picture in ARCHITECTURE', () => {
    const rooms = readRooms(
      '## Rooms of the server\n\nWords → more words.\n\n```text\nengine   →\nruns     → engine, gaps\n```\n\n```text\na → b\n```\n',
      'Rooms of the server',
    );
    expect([...rooms]).toEqual([
      ['engine', []],
      ['runs', ['engine', 'gaps']],
    ]);
    const house = { heading: 'Rooms of the server' };
    expect(roomRuleBrokenBy(house, rooms, ['runs', 'engine'])).toBeUndefined();
    expect(roomRuleBrokenBy(house, rooms, ['engine', 'runs'])).toMatch(/^engine → no other room/);
    expect(roomRuleBrokenBy(house, rooms, ['mails', 'engine'])).toMatch(/^mails → no other room/);
  });

  it('refuses what a picture does not show, what it shows in vain, and a way back', () => {
    const house = { heading: 'Rooms', room: /^engine\/src\/([^/]+)\//, oneWay: true };
    const graph = new Map([
      ['engine/src/text/a.ts', ['../words/w.js']],
      ['engine/src/words/w.ts', ['../text/b.js']],
      ['engine/src/facts/f.ts', ['../text/a.js', '../data/d.js']],
      ['engine/src/facts/f.test.ts', ['../cli/main.js']],
      ['engine/src/facts/testing/fixture.ts', ['../../cli/main.js']],
      ['engine/src/index.ts', ['./facts/f.js']],
    ]);
    const rooms = readRooms(
      '## Rooms\n```text\nwords → text\ntext → words\nfacts → text, words\n```\n',
      'Rooms',
    );
    expect(brokenRooms(house, rooms, graph).map(({ imports, rule }) => [imports, rule])).toEqual([
      ['../data/d.js', 'facts → text, words (ARCHITECTURE, "Rooms")'],
      ['words → text', 'rooms import what stands before them'],
      ['facts → words', 'the picture shows what is'],
    ]);
  });
});
