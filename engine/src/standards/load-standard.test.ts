import { describe, expect, it } from 'vitest';
import { BUILT_IN_DATA, listDataFiles, openDataFolder, readDataFile } from '../data/load-data.js';
import { listCatalog } from './catalog.js';
import type { Criterion } from './criterion.js';
import { loadConfirmationIndependence, loadHardwareMetrics } from './integrity-facts.js';
import { loadGeneralExpectations, loadStandard, UnknownStandardError } from './load-standard.js';
import { standardFileSchema } from './standard-schema.js';

/** Work products and expectations of each part: a lost line shows here. */
const ISO_26262 = [
  { part: '2', workProducts: 11, expectations: 62 },
  { part: '3', workProducts: 5, expectations: 42 },
  { part: '4', workProducts: 11, expectations: 63 },
  { part: '5', workProducts: 14, expectations: 34 },
  { part: '6', workProducts: 18, expectations: 70 },
  { part: '7', workProducts: 9, expectations: 45 },
  { part: '8', workProducts: 27, expectations: 61 },
  { part: '9', workProducts: 7, expectations: 23 },
] as const;

const builtIn = async () => {
  const ids = await listDataFiles(BUILT_IN_DATA, 'standards');
  return Promise.all(ids.map((id) => loadStandard(id)));
};
const ofKind = (criteria: readonly Criterion[], kind: string) => criteria.filter((one) => one.kind === kind);

describe('ISO 26262', () => {
  it.each(ISO_26262)(
    'part $part has $workProducts work products with $expectations expectations',
    async (row) => {
      const { criteria } = await loadStandard(`iso-26262-${row.part}-2018`);
      expect(ofKind(criteria, 'work_product')).toHaveLength(row.workProducts);
      expect(ofKind(criteria, 'expectation')).toHaveLength(row.expectations);
    },
  );

  it('as a series holds the parts one after the other, each under its own group', async () => {
    const series = await loadStandard('iso-26262-2018');
    const part = await loadStandard('iso-26262-3-2018');
    const tops = series.criteria.filter((one) => one.parentId === undefined).map((one) => one.id);
    expect(tops).toEqual(
      ['2', '3', '4', '5', '6', '7', '8', '9'].map((number) => `iso-26262-${number}-2018`),
    );
    expect(series.criteria.find((one) => one.id === '26262-3:6')?.parentId).toBe('iso-26262-3-2018');
    expect(series.criteria.filter((one) => one.id.startsWith('26262-3:'))).toHaveLength(part.criteria.length);
  });

  it('turns an entry of the file into a criterion with everything that the entry says', async () => {
    const { criteria } = await loadStandard('iso-26262-3-2018');
    const goals = criteria.find((one) => one.id === '26262-3:6.5.1-8')!;
    expect(goals).toMatchObject({
      kind: 'expectation',
      parentId: '26262-3:6.5.1',
      clause: '6',
      severity: 'critical',
      obligation: 'shall',
      documentTypes: ['hara'],
    });
    expect(goals.lookFor?.sections).toContain('hara.safety_goals');
    expect(goals.lookFor?.columns).toContain('hara.safety_goal_table.asil');
    expect(goals.lookFor?.terms?.[0]).toEqual(expect.arrayContaining(['safety goal', 'Sicherheitsziel']));
  });

  it('hands condition and plan of a work product down to its expectations, which may name their own condition', async () => {
    const { criteria } = await loadStandard('iso-26262-2-2018');
    const ofPlan = criteria.filter((one) => one.parentId === '26262-2:6.5.3');
    expect(ofPlan.every((one) => one.plan === true)).toBe(true);
    expect(ofPlan.find((one) => one.title.startsWith('Interface agreement'))?.condition).toBe(
      'distributed_development',
    );
    const ofSafetyCase = criteria.filter((one) => one.parentId === '26262-2:6.5.4');
    expect(ofSafetyCase.every((one) => one.condition === 'asil_a_or_higher')).toBe(true);
  });

  it('keeps its marks of what has to be compared with a licensed copy', async () => {
    const seven = await loadStandard('iso-26262-7-2018');
    expect(ofKind(seven.criteria, 'work_product').every((one) => one.verified === 'uncertain')).toBe(true);
    expect((await loadConfirmationIndependence()).verified).toBe('uncertain');
  });
});

describe('every built-in standard', () => {
  it('has ids that are unique over all of them', async () => {
    const ids = (await builtIn()).flatMap((standard) => standard.criteria.map((one) => one.id));
    expect(ids.length).toBeGreaterThan(500);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('names parents before their children', async () => {
    for (const { criteria } of await builtIn()) {
      const seen = new Set<string>();
      for (const one of criteria) {
        if (one.parentId !== undefined) expect(seen, one.id).toContain(one.parentId);
        seen.add(one.id);
      }
    }
  });

  it('gives each expectation, practice and work product a way to be found', async () => {
    const unfindable = (await builtIn())
      .flatMap((standard) => standard.criteria)
      .filter((one) => one.kind !== 'group' && one.kind !== 'clause' && one.lookFor === undefined);
    expect(unfindable.map((one) => one.id)).toEqual([]);
  });

  it('gives no phrase twice within one group', async () => {
    const criteria = (await builtIn()).flatMap((standard) => standard.criteria);
    for (const { id, lookFor } of criteria) {
      for (const group of lookFor?.terms ?? []) {
        const plain = group.map((phrase) => phrase.toLowerCase());
        expect(new Set(plain).size, `${id}: ${group.join(', ')}`).toBe(group.length);
      }
    }
  });

  it('knows German words for nearly every part of a demand', async () => {
    const ids = await listDataFiles(BUILT_IN_DATA, 'standards');
    const files = ids.map((id) => readDataFile(BUILT_IN_DATA, `standards/${id}.yaml`, standardFileSchema));
    const groups = (await Promise.all(files)).flatMap(({ value }) => {
      const demands = [...value.practices, ...value.clauses, ...value.work_products];
      const all = [...demands, ...[...value.groups, ...demands].flatMap((entry) => entry.expectations)];
      return all.flatMap((entry) => entry.terms);
    });
    const german = groups.filter((group) => group.de.length > 0);
    expect(german.length / groups.length).toBeGreaterThan(0.95);
  });

  it('has titles short enough for a list', async () => {
    const long = (await builtIn())
      .flatMap((standard) => standard.criteria)
      .filter((one) => one.kind === 'expectation' && one.title.split(/\s+/).length > 10);
    expect(long.map((one) => one.title)).toEqual([]);
  });

  it('is what its catalog entry says it is', async () => {
    const kinds = {
      work_products: 'work_product',
      processes_and_practices: 'practice',
      clauses: 'clause',
    } as const;
    for (const entry of await listCatalog()) {
      if (entry.builtinStructure === 'none') {
        await expect(loadStandard(entry.id)).rejects.toThrow(UnknownStandardError);
        continue;
      }
      const standard = await loadStandard(entry.id);
      expect(standard.designation).toBe(entry.designation);
      expect(ofKind(standard.criteria, kinds[entry.builtinStructure]).length, entry.id).toBeGreaterThan(0);
    }
  });
});

describe('general expectations', () => {
  it('are eight, with ids of their own', async () => {
    const general = await loadGeneralExpectations();
    expect(general.map((one) => one.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `general-${n}`));
  });
});

describe('an unknown standard', () => {
  it('is refused with what to do', async () => {
    await expect(loadStandard('iso-8800')).rejects.toThrow('The catalog has no standard "iso-8800".');
    await expect(loadStandard('misra-c-2025')).rejects.toThrow('upload your own copy');
  });
});

describe('facts about integrity levels', () => {
  it('demand more independence the higher the level', async () => {
    const { measures } = await loadConfirmationIndependence();
    expect(measures).toHaveLength(11);
    for (const { id, independence } of measures) {
      const order = ['A', 'B', 'C', 'D'] as const;
      const levels = order.map((asil) => independence[asil] ?? '');
      expect([...levels].sort(), id).toEqual(levels);
    }
    expect(measures.find((one) => one.id === 'audit')?.independence.QM).toBeUndefined();
  });

  it('set stricter metric targets the higher the level', async () => {
    for (const { direction, targets } of await loadHardwareMetrics()) {
      const sign = direction === 'at_least' ? 1 : -1;
      expect(sign * (targets.D - targets.C)).toBeGreaterThan(0);
      expect(sign * (targets.C - targets.B)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('loading', () => {
  it('reads only the files that are needed', async () => {
    const data = openDataFolder(BUILT_IN_DATA.root);
    await loadStandard('iso-26262-3-2018', data);
    const read = [...data.cache.keys()];
    expect(read).toContain('document type hara');
    expect(read).not.toContain('document type tara');
    expect(read).not.toContain('standard iso-26262-6-2018');
  });
});
