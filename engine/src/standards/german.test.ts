import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUILT_IN_DATA, listDataFiles, openDataFolder } from '../data/load-data.js';
import { inLanguage } from '../sentences/worded.js';
import type { Criterion } from './criterion.js';
import { criterionIn, standardIn, titleWords } from './criterion-words.js';
import { loadStandard } from './load-standard.js';

const builtIn = async (): Promise<readonly Criterion[]> => {
  const ids = await listDataFiles(BUILT_IN_DATA, 'standards');
  return (await Promise.all(ids.map((id) => loadStandard(id)))).flatMap(({ criteria }) => criteria);
};

describe('criteria of built-in standards in German', () => {
  it('have a file for every standard, and none for what is no standard', async () => {
    expect(await listDataFiles(BUILT_IN_DATA, 'standards/de')).toEqual(
      await listDataFiles(BUILT_IN_DATA, 'standards'),
    );
  });

  it('say one thing in one way: equal English words have equal German ones', async () => {
    for (const field of ['title', 'text'] as const) {
      const said = new Map<string, string>();
      for (const one of await builtIn()) {
        const german = one.german![field];
        expect(german, one.id).toBe(said.get(one[field]) ?? german);
        said.set(one[field], german);
      }
    }
  });

  it('hold no words that only English sentences have, and all numbers and levels of the English ones', async () => {
    const english =
      /(?<![\w-])(?:the|and|of|is|are|with|for|which|whether|each|every|has|have|that|or|by|from|not|its)(?![\w-])/;
    const facts = (text: string): readonly string[] => [
      ...new Set(text.match(/\b(?:\d[\d.:-]*|ASIL|QM|TCL)/g)?.sort()),
    ];
    for (const { id, title, text, german } of await builtIn()) {
      const words = `${german!.title} ${german!.text}`;
      expect(words, id).not.toMatch(english);
      expect(facts(words), id).toEqual(facts(`${title} ${text}`));
    }
  });

  it('stand beside the English ones, which rules go on comparing', async () => {
    const standard = await loadStandard('iso-26262-3-2018');
    const goals = standard.criteria.find(({ id }) => id === '26262-3:6.5.1-8')!;
    expect(goals.title).toBe('Safety goals with ASIL, safe state and time');
    expect(criterionIn(goals, 'en')).toBe(goals);
    expect(criterionIn(goals, 'de')).toMatchObject({
      title: 'Sicherheitsziele mit ASIL, sicherem Zustand und Zeit',
      lookFor: goals.lookFor!,
    });
    expect(standardIn(standard, 'de').criteria.find(({ id }) => id === '26262-3:6')?.title).toBe(
      'Gefährdungsanalyse und Risikobewertung',
    );
    expect(inLanguage(titleWords(goals), 'de')).toEqual({ en: goals.title, de: goals.german!.title });
    const series = standardIn(await loadStandard('iso-26262-2018'), 'de');
    expect(series.criteria.find(({ id }) => id === 'iso-26262-3-2018')?.title).toBe('Konzeptphase');
    const plan = (await loadStandard('iso-26262-2-2018')).criteria.find(({ id }) => id === '26262-2:6.5.3')!;
    expect(plan.german?.text).toBe('Es liegt vor: Sicherheitsplan.');
    // What somebody uploaded has the words of its owner.
    const { german: _, ...uploaded } = goals;
    expect([titleWords(uploaded), criterionIn(uploaded, 'de')]).toEqual([goals.title, uploaded]);
  });
});

describe('a German file', () => {
  let root: string;
  const name = 'iso-26262-9-2018';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'data-'));
    await cp(BUILT_IN_DATA.root, root, { recursive: true });
  });
  afterAll(() => rm(root, { recursive: true }));

  const loading = async (from: string | RegExp, to: string, standard = name): Promise<unknown> => {
    const file = join(root, 'standards', 'de', `${name}.yaml`);
    const text = await readFile(file, 'utf8');
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    await writeFile(file, changed);
    try {
      return await loadStandard(standard, openDataFolder(root)).then(
        () => 'loaded',
        ({ message }) => message,
      );
    } finally {
      await writeFile(file, text);
    }
  };

  it.each([
    ['that lacks a criterion', /\n {2}'26262-9:5\.5\.1-2':\n.*\n.*/, '"26262-9:5.5.1-2" has no German words'],
    ['that lacks a text', /\n {4}text: Es ist angegeben, was die Elemente.*/, 'has no German text'],
    [
      'with an empty title',
      /title: Redundante Elemente/,
      'expected string to have >=2 characters',
      "title: ''",
    ],
    [
      'with a text where English has none',
      /title: Dekomposition von.*/,
      'has no text in English',
      'title: Dekomposition\n    text: Das steht nirgends im Englischen.',
    ],
    [
      'with words for what is no criterion',
      /'26262-9:8\.5\.2-3'/,
      'The standard has no criterion "26262-9:8.5.2-4"',
      "'26262-9:8.5.2-4'",
    ],
    ['that is English', /title: Redundante Elemente/, 'is the English one', 'title: Redundant elements'],
    [
      'with an English text',
      /text: Hazards?.*|text: Die Methode und ihre Art sind genannt\./,
      'is the English one',
      'text: The method is named, with what kind it is.',
    ],
    ['of another standard', /standard: iso-26262-9-2018/, 'differs from the file name', 'standard: iso-9'],
  ])('%s is refused', async (_what, from, problem, to = '') => {
    expect(await loading(from, to)).toContain(problem);
  });

  it('that has no title for a part of a series is refused with the series', async () => {
    expect(await loading(/\npart: .*/, '')).toBe('loaded');
    expect(await loading(/\npart: .*/, '', 'iso-26262-2018')).toContain('has no German title');
  });
});
