import { describe, expect, it } from 'vitest';
import { ownChecklist } from '../../checklists/own/read-checklist-file.js';
import type { Document } from '../../documents/document.js';
import { readDocument } from '../../documents/read-document.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import type { ItemResult } from './checklist-analysis.js';
import { checkChecklist } from './run.js';

interface Need {
  readonly id: string;
  readonly type?: string;
  readonly text?: string;
  readonly options?: readonly string[];
}

const analysed = (name: string, document: Document) => ({
  id: name,
  name,
  version: '1',
  sha256: name,
  document,
});

/** A document of directives, as tools for requirements in text files write it. */
async function needs(name: string, list: readonly Need[]) {
  const directives = list.map(
    ({ id, type = 'sw_req', text = 'The lamp driver shall report the fault.', options = [] }) =>
      [
        `.. ${type}:: ${id} title`,
        `   :id: ${id}`,
        ...options.map((option) => `   ${option}`),
        '',
        `   ${text}`,
        '',
      ].join('\n'),
  );
  const bytes = new TextEncoder().encode([name, '='.repeat(name.length), '', ...directives].join('\n'));
  return analysed(`${name}.rst`, await readDocument(bytes, { fileName: `${name}.rst` }));
}

async function answer(text: string, documents: Awaited<ReturnType<typeof needs>>[]): Promise<ItemResult> {
  const { checklist } = await ownChecklist({ id: 'T', title: 'T', items: [{ id: 'USR-1', text }] });
  const { items } = await checkChecklist({ checklist, documents });
  return items[0]!;
}
const quotes = ({ evidence }: ItemResult, role: string) =>
  evidence.filter((one) => one.role === role).map((one) => one.quote);

describe('wording of the requirements under inspection', () => {
  const vague = {
    id: 'SWR_2',
    text: 'The lamp driver shall ensure appropriate synchronisation of all threads.',
  };

  it('fails on vague words, with the sentence that has them', async () => {
    const result = await answer('Is the requirement unambiguous?', [
      await needs('reqs', [{ id: 'SWR_1' }, vague]),
    ]);
    expect(result).toMatchObject({
      verdict: 'fail',
      // A word is a reason to look: a person confirms.
      confidence: 'low',
      needsConfirmation: true,
      affectedItems: ['SWR_2'],
      instances: { met: 1, total: 2 },
    });
    expect(quotes(result, 'counter')).toEqual([vague.text]);
  });

  it('leaves what rules about words cannot see to a person', async () => {
    const result = await answer('Is the requirement unambiguous?', [await needs('reqs', [{ id: 'SWR_1' }])]);
    expect(result).toMatchObject({ verdict: 'pass', confidence: 'low', needsConfirmation: true });
    expect(quotes(result, 'support')).toEqual(['The lamp driver shall report the fault.']);
  });

  it('takes a name that is part of a technical term for no vague word', async () => {
    const text = 'The lamp driver shall offer a type-safe interface to its users.';
    const result = await answer('Is the requirement unambiguous?', [
      await needs('reqs', [{ id: 'SWR_1', text }]),
    ]);
    expect(result.verdict).toBe('pass');
  });

  it('looks at what is demanded, not at what explains it', async () => {
    const explained = [
      'The lamp driver shall report the fault.',
      'An appropriate reaction is usually necessary because drivers often overlook the lamp.',
    ];
    const document = await needs('reqs', [{ id: 'SWR_1', text: explained.join('\n\n   ') }]);
    const right = await answer('Is the requirement unambiguous?', [document]);
    expect(right.verdict).toBe('pass');
    expect(quotes(right, 'support')).toEqual([explained[0]]);
  });

  it('decides whether the binding verb is used', async () => {
    const text = 'The lamp driver reports the fault to the body controller.';
    const template = 'Is the formulation template used?';
    expect(
      await answer(template, [await needs('reqs', [{ id: 'SWR_1' }, { id: 'SWR_2', text }])]),
    ).toMatchObject({
      verdict: 'fail',
      affectedItems: ['SWR_2'],
    });
    expect(await answer(template, [await needs('reqs', [{ id: 'SWR_1' }])])).toMatchObject({
      verdict: 'pass',
      needsConfirmation: false,
    });
  });

  it('looks at the lowest level that is given, not at what it comes from', async () => {
    const upper = await needs('system', [{ ...vague, id: 'SYSREQ_1', type: 'sys_req' }]);
    const lower = await needs('software', [{ id: 'SWR_1', options: [':satisfies: SYSREQ_1'] }]);
    const both = await answer('Is the requirement unambiguous?', [upper, lower]);
    expect(both.instances).toEqual({ met: 1, total: 1 });
    expect((await answer('Is the requirement unambiguous?', [upper])).verdict).toBe('fail');
  });

  it('finds nothing where nothing is demanded', async () => {
    const document = analysedDocument('note.md', ['# Note', 'A nice day.']);
    expect(await answer('Is the requirement unambiguous?', [document])).toMatchObject({
      verdict: 'missing',
      evidence: [],
    });
  });
});

describe('links of the requirements under inspection', () => {
  const upper = () => needs('system', [{ id: 'SYSREQ_1', type: 'sys_req' }]);
  const linked = { id: 'SWR_1', options: [':satisfies: SYSREQ_1'] };
  const question = 'Is the linkage to the parent requirement correct?';

  it('fails where one has no parent and quotes it', async () => {
    const free = { id: 'SWR_2', text: 'The lamp driver shall switch the lamp off.' };
    const result = await answer(question, [await upper(), await needs('software', [linked, free])]);
    expect(result).toMatchObject({
      verdict: 'fail',
      affectedItems: ['SWR_2'],
      instances: { met: 1, total: 2 },
    });
    expect(quotes(result, 'counter')).toEqual([free.text]);
  });

  it('lets a person confirm that existing links are right, with the place that states them', async () => {
    const result = await answer(question, [await upper(), await needs('software', [linked])]);
    expect(result).toMatchObject({ verdict: 'pass', needsConfirmation: true });
    expect(quotes(result, 'support')).toEqual(['SYSREQ_1']);
  });

  it('does not hold against a requirement that its parent is not among the documents', async () => {
    const result = await answer(question, [await needs('software', [linked])]);
    expect(result.verdict).toBe('pass');
    expect(result.needsConfirmation).toBe(true);
  });

  it('finds requirements that no element of the architecture refers to', async () => {
    const requirements = await needs('software', [{ id: 'SWR_1' }, { id: 'SWR_2' }]);
    const design = await needs('design', [
      { id: 'COMP_1', type: 'component', text: 'The driver component.', options: [':fulfils: SWR_1'] },
    ]);
    expect(
      await answer('Is the traceability from architectural elements to requirements established?', [
        requirements,
        design,
      ]),
    ).toMatchObject({ verdict: 'fail', affectedItems: ['SWR_2'] });
  });
});

it('looks at the level that the architecture refers to', async () => {
  const upper = await needs('system', [
    { id: 'SYSREQ_1', type: 'sys_req' },
    { id: 'SYSREQ_2', type: 'sys_req' },
  ]);
  const lower = await needs('software', [{ id: 'SWR_1', options: [':satisfies: SYSREQ_1'] }]);
  const design = await needs('design', [
    { id: 'COMP_1', type: 'component', text: 'The driver component.', options: [':fulfils: SYSREQ_1'] },
  ]);
  expect(
    await answer('Is the traceability from architectural elements to requirements established?', [
      upper,
      lower,
      design,
    ]),
  ).toMatchObject({ verdict: 'fail', affectedItems: ['SYSREQ_2'] });
});

describe('attributes of the requirements under inspection', () => {
  it('fails where an attribute is not set', async () => {
    const result = await answer('Is the security attribute set?', [
      await needs('reqs', [{ id: 'SWR_1', options: [':security: NO'] }, { id: 'SWR_2' }]),
    ]);
    expect(result).toMatchObject({ verdict: 'fail', affectedItems: ['SWR_2'] });
  });

  it('fails where a requirement says no and what it refines says yes', async () => {
    const upper = await needs('system', [{ id: 'SYSREQ_1', type: 'sys_req', options: [':security: YES'] }]);
    const lower = (value: string) =>
      needs('software', [{ id: 'SWR_1', options: [':satisfies: SYSREQ_1', `:security: ${value}`] }]);
    const question = 'Is the attribute security set correctly?';
    expect(await answer(question, [upper, await lower('NO')])).toMatchObject({
      verdict: 'fail',
      affectedItems: ['SWR_1'],
    });
    const right = await answer(question, [upper, await lower('YES')]);
    expect(right.verdict).toBe('pass');
    expect(quotes(right, 'support')).toEqual(['YES']);
  });

  it('is missing where no requirement has it', async () => {
    const result = await answer('Is the security attribute set?', [await needs('reqs', [{ id: 'SWR_1' }])]);
    expect(result.verdict).toBe('missing');
  });
});

describe('questions about one kind of requirement', () => {
  const question = 'For stakeholder requirements: is the rationale correct?';

  it('do not apply where only other kinds are given, and a person confirms it', async () => {
    const result = await answer(question, [await needs('software', [{ id: 'SWR_1' }])]);
    expect(result).toMatchObject({ verdict: 'NA', confidence: 'low', needsConfirmation: true });
    expect(result.evidence.length).toBeGreaterThan(0);
  });

  it('apply where the kind is given', async () => {
    const result = await answer(question, [await needs('stakeholder', [{ id: 'STKR_1', type: 'stkh_req' }])]);
    expect(result.verdict).toBe('pass');
  });
});
