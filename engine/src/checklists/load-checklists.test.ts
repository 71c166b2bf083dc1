import { describe, expect, it } from 'vitest';
import { DataError } from '../data/data-error.js';
import { isGroup, leavesOf } from '../engines/checklist/check.js';
import { loadChecklist, loadChecklists, parseChecklist, UnknownChecklistError } from './load-checklists.js';

const OWN = `id: USR-A
title: { en: A list, de: Eine Liste }
domain: own
about: { document_types: [hara], names: { en: [hazard analysis] } }
items:
  - id: USR-A-01
    text: { en: Is it there?, de: Ist es da? }
    pass: { en: It is, de: Ist es }
    fail: { en: It is not, de: Ist es nicht }
    severity: high
    missing_severity: critical
    auto: full
    checks:
      - check: any
        of:
          - { check: section, of: [hara.misuse] }
          - { check: column, of: [hara.hazard_table.asil] }
`;
const problemsOf = async (text: string): Promise<readonly string[]> => {
  const error = await parseChecklist(text, 'own.yaml').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DataError);
  return (error as Error).message.split('\n');
};

describe('built-in checklists', () => {
  it('of functional safety are six with 77 items, each with checks, in two languages', async () => {
    const lists = [...(await loadChecklists()).values()].filter((one) => one.domain === 'functional_safety');
    expect(lists.map((one) => [one.id, one.items.length])).toEqual([
      ...[['FS-CASE', 12] as const, ['FS-FSC', 13] as const, ['FS-HARA', 14] as const],
      ...[['FS-PLAN', 14] as const, ['FS-SSR', 11] as const, ['FS-TSC', 13] as const],
    ]);
    for (const item of lists.flatMap((one) => one.items)) {
      expect(item.checks.length, item.id).toBeGreaterThan(0);
      expect(item.text.de, item.id).not.toBe(item.text.en);
      // Sub-clauses are not shown before they were compared with the standard.
      expect(item.refs.join(), item.id).not.toMatch(/, \d+\.\d/);
    }
  });

  it('are asked for by id', async () => {
    expect((await loadChecklist('FS-HARA')).items[0]!.id).toBe('FS-HARA-01');
    await expect(loadChecklist('FS-NONE')).rejects.toThrow(UnknownChecklistError);
  });
});

describe('a checklist of ones own', () => {
  it('is read with its defaults', async () => {
    const { source, about, items } = await parseChecklist(OWN, 'own.yaml');
    expect({ source, about }).toEqual({
      source: 'own',
      about: { documentTypes: ['hara'], names: ['hazard analysis'] },
    });
    expect(items[0]).toMatchObject({
      missingSeverity: 'critical',
      revision: 1,
      status: 'active',
      automation: 'full',
    });
    expect(isGroup(items[0]!.checks[0]!)).toBe(true);
    expect(leavesOf(items[0]!.checks)[1]).toMatchObject({ check: 'column', filled: 100, value: 'anything' });
  });

  it.each([
    ['a check that does not exist', 'check: section,', 'check: sections,', /own\.yaml:/],
    [
      'a parameter that a check does not have',
      '{ check: section,',
      '{ check: section, colour: red,',
      /own\.yaml:\d+: .*"colour"/,
    ],
    [
      'a section that no template has',
      'hara.misuse',
      'hara.misused',
      /own\.yaml:\d+: There is no section "hara\.misused"/,
    ],
    [
      'a column that no template has',
      'hazard_table.asil',
      'hazard_table.level',
      /There is no column "hara\.hazard_table\.level"/,
    ],
    [
      'a document type that does not exist',
      'document_types: [hara]',
      'document_types: [harra]',
      /There is no document type "harra"/,
    ],
    [
      'a condition that does not exist',
      '    auto: full',
      '    auto: full\n    applies_when: [rainy]',
      /There is no condition "rainy"/,
    ],
    ['an item of another list', 'id: USR-A-01', 'id: USR-B-01', /does not begin with that of its list/],
    ['a person who is asked nothing', 'auto: full', 'auto: manual', /has no question/],
    [
      'an unknown key',
      '    severity: high',
      '    severity: high\n    colour: red',
      /own\.yaml:\d+: Unknown key "colour"/,
    ],
  ])('is refused for %s', async (_, from, to, message) => {
    expect(OWN).toContain(from);
    expect((await problemsOf(OWN.replace(from, to))).join('\n')).toMatch(message);
  });

  it('is refused for an id that is there twice, with the line', async () => {
    const twice = `${OWN}${OWN.slice(OWN.indexOf('  - id:'))}`;
    expect(await problemsOf(twice)).toEqual([
      expect.stringMatching(/^own\.yaml:18: The id "USR-A-01" is there twice/),
    ]);
  });
});
