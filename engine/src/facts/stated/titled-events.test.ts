import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { checkCompleteness } from '../../engines/completeness/run.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractArtifacts } from '../artifacts/extract-artifacts.js';
import { statedFacts } from './stated-facts.js';
import { statedInPart } from './stated-in-part.js';

const event = (id: string, result: string) => [
  `${id} - The pump runs dry at night`,
  '',
  'The pump runs in an empty tank while nobody is there.',
  '',
  'The severity is S3, because the burst housing can kill; nobody is warned.',
  '',
  'The exposure is E3, because nights without a guard take one to ten percent of the time.',
  '',
  'The controllability is C2, because most people hear the noise.',
  '',
  `The result is ${result}. This situation leads to SO1.`,
  '',
];
const hara = () =>
  analysedDocument('Hazard analysis.md', [
    '# Hazard analysis and risk assessment',
    '## The dangerous situations',
    ...event('DS1', 'ASIL B'),
    ...event('DS2', 'QM'),
    '## The safety objectives',
    'SO1: the pump shall not run dry. ASIL B, from DS1 and DS2. The FTTI is 600 ms (study 4). The safe state is SS-A.',
    '',
    'SO2: the pump shall not leak. ASIL A, from DS1. The FTTI is 2 s. The safe state is SS-B.',
    '',
    'SO3: the pump shall not burst. ASIL A, from DS1. The FTTI is 3 s. The safe state is SS-B.',
  ]);

it('reads classes, reasons and the level of an event from the paragraphs behind its title', async () => {
  const corpus = await corpusOf({ documents: [hara()], scope: {} }, async () => {});
  const textsOf = (id: string) => {
    const { values } = statedFacts(corpus).items.find((one) => one.id === id && one.values.size > 1)!;
    return Object.fromEntries([...values].map(([kind, { text }]) => [kind, text]));
  };
  expect(textsOf('DS1')).toMatchObject({
    severity: 'S3',
    severity_rationale: 'the burst housing can kill; nobody is warned',
    exposure: 'E3',
    controllability: 'C2',
    asil: 'ASIL B',
  });
  expect(textsOf('DS2').asil).toBe('QM');
  expect(textsOf('SO1')).toMatchObject({ interval: '600 ms', safe_state: 'SS-A', parent: 'DS1 and DS2' });
});

it('links an event with the goal that a paragraph behind its title leads to', () => {
  const { id, document } = hara();
  const { artifacts, links } = extractArtifacts([{ id, document, documentType: 'hara' }]);
  expect(artifacts.map((one) => [one.id, one.type, one.asil])).toEqual([
    ['DS1', 'hazardous_event', 'ASIL B'],
    ['DS2', 'hazardous_event', 'QM'],
    ['SO1', 'safety_goal', 'ASIL B'],
    ['SO2', 'safety_goal', 'ASIL A'],
    ['SO3', 'safety_goal', 'ASIL A'],
  ]);
  const ends = links.map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' '));
  expect(new Set(ends)).toEqual(new Set(['DS1 SO1', 'DS2 SO1', 'DS1 SO2', 'DS1 SO3']));
});

it('misses no section whose content events and goals state', async () => {
  const { documents } = await checkCompleteness({ documents: [hara()] });
  const sections = documents[0]!.templates.flatMap((one) => one.sections);
  const stateOf = (key: string) => sections.find((one) => one.key === key)!.state;
  expect(['events', 'rationale', 'safety_goals', 'safe_states'].map(stateOf)).not.toContain('missing');
  expect(stateOf('misuse')).toBe('missing');
});

it('counts only ids of what a table lists', async () => {
  const corpus = await corpusOf({ documents: [hara()], scope: {} }, async () => {});
  const part = corpus.documents[0]!.parts.find(({ whole }) => whole)!;
  expect(statedInPart(corpus, part, ['severity'])).toHaveLength(2);
  expect(statedInPart(corpus, part, ['severity'], 'Hazard table')).toHaveLength(2);
  expect(statedInPart(corpus, part, ['severity'], 'Safety goal table')).toBeUndefined();
});
