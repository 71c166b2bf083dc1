import { expect, test } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import type { Finding } from '../findings/finding.js';
import { fakeModel } from '../models/fake-model.js';
import type { ModelRequest } from '../models/language-model.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { isGrounded } from './grounded.js';

const INPUT = ['FSR-12 has no safe state (ISO 26262-3, 7.4.2.1), ASIL C, due 2026-03-15, within 20 ms.'];
test.each([
  ['Add the safe state to FSR-12.', true],
  ['Follow 7.4.2.1 for ASIL C within 20 ms by 2026-03-15.', true],
  ['Name who decides, and when.', true],
  ['Add it to FSR-13.', false],
  ['Follow 7.4.2.2.', false],
  ['Raise it to ASIL D.', false],
  ['React within 2 ms.', false],
  ['Finish by 2026-03-16.', false],
  ['It is QM.', false],
])('%s is grounded: %s', (text, expected) => {
  expect(isGrounded(text, INPUT)).toBe(expected);
});

const standard = await loadStandard('iso-26262-3-2018');
const documents = [
  analysedDocument('HARA.md', [
    '# Hazard analysis and risk assessment',
    '| ID | Malfunction | Hazardous event | S | E | C | ASIL | Safety goal |',
    '| HE-01 | Brakes too late | Vehicle does not stop | S3 | E4 | C3 | D | SG-01 |',
  ]),
];
const answering = (answer: object) => {
  const asked: ModelRequest[] = [];
  const model = fakeModel((request) => {
    if (request.task !== 'remedy') return { failed: 'not_recorded' };
    asked.push(request);
    return JSON.stringify(answer);
  });
  return { asked, model };
};
const withRemedies = async (answer: object, rest: object = {}) => {
  const { asked, model } = answering(answer);
  const { findings } = await analyseGaps({
    standard,
    documents,
    model: { model, remediesIn: 'en', ...rest },
  });
  return { asked, findings, remedies: findings.flatMap(({ remedy }) => remedy ?? []) };
};

test('gaps from medium up get steps, without what the model made up', async () => {
  const steps = [
    '1. Name who writes it.',
    'Write it into SG-99.',
    'See [this](http://evil/x) for **more**.',
    'Review it with the team.',
  ];
  const { asked, findings, remedies } = await withRemedies({ steps, effort: 'hours' });
  const shown = findings.filter(({ severity }) => severity !== 'low');
  expect(remedies).toHaveLength(shown.length);
  expect(asked).toHaveLength(shown.length);
  expect(remedies[0]).toEqual({
    language: 'en',
    steps: ['Name who writes it.', 'See this for more.', 'Review it with the team.'],
    effort: 'hours',
  });
});

test('without two steps that are left there is none, and the recommendation of the rules stays', async () => {
  const { findings, remedies } = await withRemedies({
    steps: ['Do it by 2031-01-01.', 'Do it.'],
    effort: 'cannot_tell',
  });
  expect(remedies).toEqual([]);
  expect(findings.every(({ recommendation }) => recommendation !== '')).toBe(true);
});

test('words of withheld documents and of an uploaded standard are not sent', async () => {
  const quoting = ({ evidence }: Finding) => evidence.length > 0;
  const { asked, findings } = await withRemedies({ steps: [], effort: 'days' }, { withheld: ['HARA.md'] });
  expect(findings.some(quoting)).toBe(true);
  for (const { sends } of asked) expect(sends).toEqual([]);
  const own = answering({ steps: [], effort: 'days' });
  await analyseGaps({
    standard: { ...standard, source: 'uploaded' },
    documents,
    model: { model: own.model, remediesIn: 'de' },
  });
  expect(own.asked).toEqual([]);
});
