import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../data/data-error.js';
import { BUILT_IN_DATA, openDataFolder } from '../../data/load-data.js';
import { keysIn, placeholdersOf } from '../../sentences/texts.js';
import { linkOfWording, loadTraceabilityRules } from './rules.js';

const FILE = 'traceability.yaml';

async function loadWith(find: string, replace: string): Promise<unknown> {
  const root = await mkdtemp(join(tmpdir(), 'traceability-'));
  try {
    await cp(join(BUILT_IN_DATA.root, FILE), join(root, FILE));
    await cp(join(BUILT_IN_DATA.root, 'document-types'), join(root, 'document-types'), { recursive: true });
    const text = await readFile(join(root, FILE), 'utf8');
    expect(text).toContain(find);
    await writeFile(join(root, FILE), text.replace(find, replace));
    return await loadTraceabilityRules(openDataFolder(root)).catch((error: unknown) => error);
  } finally {
    await rm(root, { recursive: true });
  }
}

describe('texts of the trace', () => {
  it('name nothing but what a gap can give', () => {
    const given = [
      ...['id', 'type', 'integrity', 'parent', 'child', 'method', 'related', 'missing', 'required'],
      ...['values', 'ratings', 'written', 'affected', 'above', 'stage', 'baseline', 'verified'],
    ];
    const keys = keysIn('en').filter((key) => /^trace\.(?:description|action|remark)\./.test(key));
    expect(keys.length).toBeGreaterThan(90);
    for (const key of keys) expect(given, key).toEqual(expect.arrayContaining([...placeholdersOf(key)]));
  });
});

describe('traceability rules', () => {
  const slips: readonly (readonly [name: string, find: string, replace: string, says: string])[] = [
    ['an unknown key', '  no_parent:\n', '  no_parent:\n    sevrity: low\n', 'Unknown key "sevrity"'],
    ['an unknown kind', '  no_parent:\n', '  no_parents:\n', 'Unknown key "no_parents"'],
    [
      'a severity that does not exist',
      '{ QM: low, A: low, B: low, C: low, D: low }',
      '{ QM: minor, A: low, B: low, C: low, D: low }',
      'Invalid',
    ],
    [
      'a remark where a gap has to be',
      'severity: { QM: medium, A: medium, B: medium, C: medium, D: medium }',
      'severity: { QM: info, A: medium, B: medium, C: medium, D: medium }',
      'cannot be a mere remark',
    ],
    [
      'an unknown obligation',
      'obligations: [hazard, downstream, validation]',
      'obligations: [hazards]',
      'Invalid option',
    ],
    ['an unknown document type', 'owners: [hara]', 'owners: [harra]', 'There is no document type "harra"'],
    ['a rank that ends before it begins', 'rank: [1, 3]', 'rank: [3, 1]', 'ends before it begins'],
    [
      'a wording that means two things',
      'inverse: [decomposed from]',
      'inverse: [satisfied by]',
      'The wording "satisfied by" is there twice',
    ],
  ];
  for (const [name, find, replace, says] of slips) {
    it(`refuses ${name}, with its line`, async () => {
      const error = await loadWith(find, replace);
      expect(error).toBeInstanceOf(DataError);
      expect((error as DataError).message).toContain(says);
      expect((error as DataError).message).toMatch(/traceability\.yaml:\d+/);
    });
  }

  it('reads the wordings of links in both directions', async () => {
    const rules = await loadTraceabilityRules();
    expect(linkOfWording('Verified by', rules)).toEqual({ type: 'verified_by', inverse: false });
    expect(linkOfWording('verified_by', rules)).toEqual({ type: 'verified_by', inverse: false });
    expect(linkOfWording(' is  parent of', rules)).toEqual({ type: 'derives_from', inverse: true });
    expect(linkOfWording('see also', rules)).toBeUndefined();
  });
});
