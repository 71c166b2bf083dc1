import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_DATA, openDataFolder } from '../data/load-data.js';
import type { Criterion } from './criterion.js';
import { loadInformationItems } from './information-items.js';
import { loadStandard } from './load-standard.js';

const ofKind = (criteria: readonly Criterion[], kind: string) => criteria.filter((one) => one.kind === kind);

/** Base practices of each process: a lost or invented practice shows here. */
const PROCESS_MODELS = {
  'aspice-pam-4.0': {
    'ACQ.4': 5,
    'SPL.2': 8,
    'SYS.1': 4,
    'SYS.2': 6,
    'SYS.3': 5,
    'SYS.4': 5,
    'SYS.5': 5,
    'SWE.1': 6,
    'SWE.2': 5,
    'SWE.3': 5,
    'SWE.4': 5,
    'SWE.5': 7,
    'SWE.6': 5,
    'VAL.1': 5,
    'HWE.1': 6,
    'HWE.2': 6,
    'HWE.3': 6,
    'HWE.4': 6,
    'MLE.1': 6,
    'MLE.2': 7,
    'MLE.3': 5,
    'MLE.4': 7,
    'SUP.1': 7,
    'SUP.8': 8,
    'SUP.9': 7,
    'SUP.10': 6,
    'SUP.11': 6,
    'MAN.3': 10,
    'MAN.5': 7,
    'MAN.6': 6,
    'PIM.3': 8,
    'REU.2': 6,
  },
  'aspice-pam-3.1': {
    'ACQ.3': 7,
    'ACQ.4': 5,
    'ACQ.11': 10,
    'ACQ.12': 10,
    'ACQ.13': 15,
    'ACQ.14': 8,
    'ACQ.15': 5,
    'SPL.1': 8,
    'SPL.2': 13,
    'SYS.1': 6,
    'SYS.2': 8,
    'SYS.3': 8,
    'SYS.4': 9,
    'SYS.5': 7,
    'SWE.1': 8,
    'SWE.2': 9,
    'SWE.3': 8,
    'SWE.4': 7,
    'SWE.5': 9,
    'SWE.6': 7,
    'SUP.1': 6,
    'SUP.2': 5,
    'SUP.4': 8,
    'SUP.7': 8,
    'SUP.8': 9,
    'SUP.9': 9,
    'SUP.10': 8,
    'MAN.3': 10,
    'MAN.5': 7,
    'MAN.6': 11,
    'PIM.3': 9,
    'REU.2': 8,
  },
  'aspice-cs-4x': { 'ACQ.2': 4, 'MAN.7': 7, 'SEC.1': 3, 'SEC.2': 7, 'SEC.3': 5, 'SEC.4': 5 },
  'aspice-cs-1.0': { 'ACQ.2': 4, 'MAN.7': 8, 'SEC.1': 4, 'SEC.2': 10, 'SEC.3': 6, 'SEC.4': 6 },
} as const;
const MODELS = Object.keys(PROCESS_MODELS) as (keyof typeof PROCESS_MODELS)[];

const practicesOf = async (model: string) => ofKind((await loadStandard(model)).criteria, 'practice');
const basePracticesOf = async (model: string) =>
  (await practicesOf(model)).filter((one) => one.capabilityLevel === undefined);
const practice = async (model: string, id: string) =>
  (await practicesOf(model)).find((one) => one.clause === id)!;

describe('process models', () => {
  it.each(MODELS)('%s has each process with its practices, numbered without a gap', async (model) => {
    const expected = Object.entries(PROCESS_MODELS[model]).flatMap(([process, count]) =>
      Array.from({ length: count }, (_, index) => `${process}.BP${index + 1}`),
    );
    expect((await basePracticesOf(model)).map((one) => one.clause)).toEqual(expected);
  });

  it.each(MODELS)('%s keeps each practice in its process', async (model) => {
    const { criteria } = await loadStandard(model);
    const groups = new Map(ofKind(criteria, 'group').map((one) => [one.id, one.clause]));
    for (const { clause, parentId } of await basePracticesOf(model)) {
      expect(groups.get(parentId ?? '')).toBe(clause.replace(/\.BP\d+$/, ''));
    }
  });

  it.each(MODELS)('%s has titles of at most eight words, and phrases in both languages', async (model) => {
    for (const { id, title, lookFor } of await practicesOf(model)) {
      expect(title.split(/\s+/).length, id).toBeLessThanOrEqual(8);
      expect(lookFor?.terms?.length, id).toBeGreaterThan(0);
      for (const group of lookFor?.terms ?? []) {
        expect(group.length, `${id}: ${group[0]}`).toBeGreaterThanOrEqual(6);
      }
    }
  });

  it.each(['aspice-pam-4.0', 'aspice-pam-3.1'])(
    '%s holds the higher levels with less weight',
    async (model) => {
      const generic = (await practicesOf(model)).filter((one) => one.capabilityLevel !== undefined);
      const levels = generic.map((one) => one.capabilityLevel);
      expect(new Set(levels)).toEqual(new Set([2, 3]));
      for (const one of generic) expect(['medium', 'low'], one.id).toContain(one.severity);
    },
  );

  it('number generic practices differently in 3.1 and 4.0', async () => {
    const second = async (model: string) =>
      (await practicesOf(model)).filter((one) => one.capabilityLevel === 2).map((one) => one.clause);
    expect((await second('aspice-pam-4.0')).filter((clause) => clause.startsWith('GP 2.1'))).toHaveLength(6);
    expect((await second('aspice-pam-3.1')).filter((clause) => clause.startsWith('GP 2.1'))).toHaveLength(7);
  });

  it('give communication less weight than performance', async () => {
    const communicating = (await basePracticesOf('aspice-pam-4.0')).filter((one) =>
      /communicat/.test(one.title),
    );
    expect(communicating.length).toBeGreaterThan(20);
    expect(communicating.filter((one) => one.severity !== 'medium').map((one) => one.id)).toEqual([]);
  });
});

describe('what changed from PAM 3.1 to 4.0', () => {
  it('strategies are practices of level 1 only in 3.1', async () => {
    const strategies = async (model: string) =>
      (await basePracticesOf(model)).filter((one) => /strateg/i.test(one.title)).map((one) => one.clause);
    expect(await strategies('aspice-pam-4.0')).toEqual([]);
    const old = await strategies('aspice-pam-3.1');
    for (const id of ['SYS.4.BP1', 'SWE.4.BP1', 'SWE.6.BP1', 'SUP.1.BP1', 'SUP.8.BP1']) {
      expect(old).toContain(id);
    }
  });

  it('verification criteria are asked for in 3.1 only', async () => {
    const columns = async (model: string) =>
      (await basePracticesOf(model)).flatMap((one) => one.lookFor?.columns ?? []);
    const verification = 'software_requirements_spec.requirement_table.verification';
    expect(await columns('aspice-pam-3.1')).toContain(verification);
    expect(await columns('aspice-pam-4.0')).not.toContain(verification);
  });

  it('traceability and consistency are two practices in 3.1 and two parts of one in 4.0', async () => {
    const both = await practice('aspice-pam-4.0', 'SWE.2.BP4');
    const traceability = await practice('aspice-pam-3.1', 'SWE.2.BP7');
    const consistency = await practice('aspice-pam-3.1', 'SWE.2.BP8');
    expect(both.lookFor?.terms).toEqual([
      ...(traceability.lookFor?.terms ?? []),
      ...(consistency.lookFor?.terms ?? []),
    ]);
    expect(traceability.lookFor?.columns).toContain('software_architecture.component_table.requirements');
    expect(consistency.lookFor?.columns).toBeUndefined();
  });

  it('alternatives are demanded in 3.1, a rationale in 4.0', async () => {
    const phrases = async (model: string, id: string) => (await practice(model, id)).lookFor?.terms ?? [];
    expect((await phrases('aspice-pam-3.1', 'SWE.2.BP6'))[0]).toContain('alternatives were evaluated');
    const rationale = (await phrases('aspice-pam-4.0', 'SWE.2.BP3'))[1];
    expect(rationale).toContain('rationale for the decision');
    expect(rationale).not.toContain('alternatives were evaluated');
  });

  it('measures other than tests count in 4.0', async () => {
    const unit = (await practice('aspice-pam-4.0', 'SWE.4.BP1')).lookFor?.terms?.[0];
    expect(unit).toEqual(
      expect.arrayContaining(['static code analysis', 'code review', 'statische Codeanalyse']),
    );
  });
});

describe('information items', () => {
  it('are known for every process of both models', async () => {
    for (const model of ['aspice-pam-4.0', 'aspice-pam-3.1', 'aspice-cs-4x']) {
      const items = await loadInformationItems(model);
      const processes = ofKind((await loadStandard(model)).criteria, 'group').filter((one) =>
        /^[A-Z]{3}\.\d+$/.test(one.clause),
      );
      for (const { id, informationItems } of processes) {
        expect(informationItems?.length, id).toBeGreaterThan(0);
        for (const item of informationItems ?? [])
          expect(items.get(item)?.name, `${id} ${item}`).toBeTruthy();
      }
    }
  });

  it('are called differently in 3.1 and 4.0', async () => {
    expect((await loadInformationItems('aspice-pam-4.0')).get('13-19')?.name).toBe('Review evidence');
    expect((await loadInformationItems('aspice-pam-3.1')).get('13-19')?.name).toBe('Review record');
    expect((await loadInformationItems('aspice-pam-4.0')).get('17-54')?.documentTypes).toContain(
      'software_requirements_spec',
    );
  });

  it('are refused with their line where a process names one that is not there', async () => {
    const root = await mkdtemp(join(tmpdir(), 'data-'));
    try {
      await cp(BUILT_IN_DATA.root, root, { recursive: true });
      const file = join(root, 'standards', 'aspice-cs-4x.yaml');
      const text = await readFile(file, 'utf8');
      expect(text).toContain('17-53');
      await writeFile(file, text.replace('17-53', '99-99'));
      const loading = loadStandard('aspice-cs-4x', openDataFolder(root));
      await expect(loading).rejects.toThrow('There is no information item "99-99"');
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('are none for a standard without them', async () => {
    expect((await loadInformationItems('iso-26262-3-2018')).size).toBe(0);
  });
});

describe('ISO/SAE 21434', () => {
  const load = async () => (await loadStandard('iso-sae-21434-2021')).criteria;

  it('has 42 work products with 138 expectations', async () => {
    const criteria = await load();
    expect(ofKind(criteria, 'work_product')).toHaveLength(42);
    expect(ofKind(criteria, 'expectation')).toHaveLength(138);
  });

  it('numbers work products by clause without a gap', async () => {
    const perClause = {
      '05': 5,
      '06': 4,
      '07': 1,
      '08': 6,
      '09': 7,
      '10': 7,
      '11': 1,
      '12': 1,
      '13': 1,
      '14': 1,
      '15': 8,
    };
    const expected = Object.entries(perClause)
      .sort(([a], [b]) => Number(a) - Number(b))
      .flatMap(([clause, count]) =>
        Array.from({ length: count }, (_, index) => `21434:WP-${clause}-0${index + 1}`),
      );
    expect(ofKind(await load(), 'work_product').map((one) => one.id)).toEqual(expected);
  });

  it('names 118 provisions, each once', async () => {
    const numbers = ofKind(await load(), 'group').flatMap(({ text }) => {
      const range = /^Provisions (\d\d)-(\d\d)(?: to \1-(\d\d))?\.$/.exec(text);
      if (!range) return [];
      const [first, last] = [Number(range[2]), Number(range[3] ?? range[2])];
      return Array.from({ length: last - first + 1 }, (_, index) => `${range[1]}-${first + index}`);
    });
    expect(numbers).toHaveLength(118);
    expect(new Set(numbers).size).toBe(118);
  });

  it('reads the results of the risk assessment from its table', async () => {
    const columns = (await load())
      .filter((one) => one.id.startsWith('21434:WP-15-'))
      .flatMap((one) => one.lookFor?.columns ?? [])
      .map((reference) => reference.split('.').at(-1));
    expect(new Set(columns)).toEqual(
      new Set([
        'asset',
        'property',
        'damage',
        'impact',
        'threat',
        'attack_path',
        'feasibility',
        'risk',
        'treatment',
        'goal',
      ]),
    );
  });

  it('gives each work product something that it has to contain', async () => {
    const criteria = await load();
    const parents = new Set(ofKind(criteria, 'expectation').map((one) => one.parentId));
    expect(ofKind(criteria, 'work_product').filter((one) => !parents.has(one.id))).toEqual([]);
  });
});
