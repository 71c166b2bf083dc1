import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedFacts } from './stated-facts.js';

/** Of each item that states something: its id, and its values by kind. */
async function itemsIn(...lines: readonly string[]) {
  const documents = [analysedDocument('Document.md', lines)];
  const { items } = statedFacts(await corpusOf({ documents, scope: {} }, async () => {}));
  return items.map(({ id, values, cells, document }) => {
    for (const { text, start, end } of [...values.values(), ...cells])
      expect(document.read.document.text.slice(start, end)).toBe(text);
    return { id, ...Object.fromEntries([...values].map(([kind, { text }]) => [kind, text])) };
  });
}

/** Who has which role. */
async function rolesIn(...lines: readonly string[]): Promise<readonly string[]> {
  const documents = [analysedDocument('Plan.md', ['# Safety plan', ...lines])];
  const { items } = statedFacts(await corpusOf({ documents, scope: {} }, async () => {}));
  return items
    .filter(({ how, cells }) => how === 'sentence' && cells.length > 0)
    .map(({ cells }) => cells.map(({ text }) => text).join(': '));
}

it('reads a level and links that are sentences of their own, and the level in brackets behind the id', async () => {
  expect(
    await itemsIn(
      '# Requirements',
      'TSR-1 – The monitor shall open the relay within 10 ms. ASIL C. Refines FSR-1, FSR-2. Allocated to: Monitor.',
      '',
      'FSR-1 (ASIL B): The unit shall stop the motor. Derived from: SG-01.',
    ),
  ).toEqual([
    {
      id: 'TSR-1',
      text: 'The monitor shall open the relay within 10 ms.',
      asil: 'ASIL C',
      parent: 'FSR-1, FSR-2',
      allocation: 'Monitor',
    },
    { id: 'FSR-1', asil: 'ASIL B', text: 'The unit shall stop the motor', parent: 'SG-01' },
  ]);
});

it('reads a goal behind the name of its kind, but no sentence about it', async () => {
  expect(
    await itemsIn('# Konzept', 'Sicherheitsziel SZ-01 (ASIL C): Der Motor darf nicht ungewollt anlaufen.'),
  ).toEqual([{ id: 'SZ-01', asil: 'ASIL C', text: 'Der Motor darf nicht ungewollt anlaufen.' }]);
  expect(await itemsIn('# Konzept', 'Das Sicherheitsziel SZ-01 wird in Kapitel 3 behandelt.')).toEqual([]);
  expect(await itemsIn('# Concept', 'FSR-01 (ASIL D) is decomposed into TSR-01 and TSR-02.')).toEqual([]);
});

it('reads keys and values under a heading with an id, and no cover', async () => {
  const card = [
    '| Goal statement | The motor shall not start without a request. |',
    '| --- | --- |',
    '| Integrity level | ASIL C |',
    '| Fault tolerant time interval | 200 ms |',
    '| Safe state | Motor off |',
  ];
  const read = await itemsIn('# Goals', '## 2.1 SG-01 Unintended start', ...card);
  expect(read).toContainEqual({
    id: 'SG-01',
    text: 'The motor shall not start without a request.',
    asil: 'ASIL C',
    interval: '200 ms',
    safe_state: 'Motor off',
  });
  expect((await itemsIn('# Goals', '## 2.1 Unintended start', ...card)).map(({ id }) => id)).not.toContain(
    'SG-01',
  );
});

it('reads safe state and times from sentences about the goal of their section', async () => {
  const about = async (...lines: readonly string[]) =>
    (await itemsIn('# Concept', '## Concept for SG-01', ...lines)).map(({ id: _, ...rest }) => rest);
  expect(await about('The safe state is reached when the motor is off.')).toEqual([
    { safe_state: 'the motor is off' },
  ]);
  expect(await about('Der sichere Zustand ist erreicht, wenn der Motor stromlos ist.')).toEqual([
    { safe_state: 'der Motor stromlos ist' },
  ]);
  expect(await about('A fault is detected after 100 ms, the motor is off 40 ms later.')).toEqual([
    { detection: '100 ms', reaction: '40 ms' },
  ]);
  expect(await about('Ein Fehler wird nach 1,5 s erkannt, das Abschalten dauert weitere 20 ms.')).toEqual([
    { detection: '1,5 s', reaction: '20 ms' },
  ]);
  expect(await about('A fault is detected after 100 ms, another one is detected after 90 ms.')).toEqual([]);
  expect(
    await itemsIn('# Concept', '## General', 'The safe state is reached when the motor is off.'),
  ).toEqual([]);
});

it('reads who has which role from sentences', async () => {
  expect(
    await rolesIn(
      'Grace Okafor leads the project and provides the resources. Tom Hallett is the lead systems engineer, Priya Raman the hardware architect and Lewis Crane is responsible for integration. The safety assessor is Dr. Ingrid Maas.',
    ),
  ).toEqual([
    'leads the project and provides the resources: Grace Okafor',
    'lead systems engineer: Tom Hallett',
    'hardware architect: Priya Raman',
    'is responsible for integration: Lewis Crane',
    'safety assessor: Ingrid Maas',
  ]);
  expect(await rolesIn('Jana Roth ist Sicherheitsmanagerin, der Gutachter ist Otto Lenz.')).toEqual([
    'Sicherheitsmanagerin: Jana Roth',
    'Gutachter: Otto Lenz',
  ]);
  expect(
    await rolesIn(
      'Tom Hallett reviewed the plan. Priya Raman is absent until May. Ein Ausfall der Straffung wird gemeldet.',
    ),
  ).toEqual([]);
});
