import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractionOf } from '../artifacts/extraction-of.js';
import { statedFacts } from './stated-facts.js';

/** What the cards of a document state of an id, by kind, and what the trace takes it for. */
async function cards(...lines: readonly string[]) {
  const documents = [analysedDocument('Document.md', lines)];
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const { items } = statedFacts(corpus);
  const { artifacts, links } = extractionOf(corpus);
  return (id: string) => ({
    type: artifacts.find((one) => one.id === id)?.type,
    informational: artifacts.find((one) => one.id === id)?.informational,
    from: links.filter(({ sourceId }) => sourceId === id).map(({ targetId }) => targetId),
    ...Object.fromEntries(
      items
        .filter((item) => item.id === id && item.how === 'table')
        .flatMap((item) => [...item.values].map(([kind, { text }]) => [kind, text])),
    ),
  });
}

it('reads a card that begins with its id and has several fields in one line', async () => {
  const of = await cards(
    '| Ziel | Wortlaut | ASIL | FTTI |',
    '| QZ-1 | Das Tor darf nicht fallen. | C | 80 ms |',
    '',
    '## Anforderungen',
    '| QA-1 | Bremse |',
    '| Wortlaut | Die Bremse muss das Tor halten. |',
    '| Ziel / ASIL / Träger | QZ-1 / B(C) / Bremse |',
    '',
    '| QA-2 | Unabhängigkeit |',
    '| Wortlaut | Kein Fehler darf beide Wege stören. |',
    '| Ziel / ASIL / Träger | QZ-1 / C / Bremse und Winde |',
  );
  expect(of('QA-1')).toMatchObject({
    text: 'Die Bremse muss das Tor halten.',
    asil: 'B(C)',
    parent: 'QZ-1',
    allocation: 'Bremse',
    type: 'functional_safety_requirement',
  });
  expect(of('QA-1').from).toContain('QZ-1');
  expect(of('QA-2')).toMatchObject({ asil: 'C', allocation: 'Bremse und Winde' });
});

it('reads a card below a heading that ends with its id or is nothing else', async () => {
  const of = await cards(
    '### V1',
    '| Merkmal | Eintrag |',
    '| Fehlfunktion | Tor fällt |',
    '| Lage | Person steht darunter |',
    '| S | S3 – Quetschung des Kopfes, Überleben ungewiss |',
    '| E | E4 – bei nahezu jeder Durchfahrt |',
    '| C | C3 – niemand kann so schnell ausweichen |',
    '| ASIL | D |',
    '',
    '### Card QZ-1',
    '| Field | Entry |',
    '| Text | The gate shall not fall. |',
    '| Class and FTTI | ASIL C, 80 ms |',
    '| Safe state | brake closed |',
  );
  expect(of('V1')).toMatchObject({
    type: 'hazardous_event',
    severity: 'S3',
    exposure_rationale: 'bei nahezu jeder Durchfahrt',
    asil: 'D',
  });
  expect(of('QZ-1')).toMatchObject({ text: 'The gate shall not fall.', asil: 'ASIL C', interval: '80 ms' });
});

it('reads a card that has fields behind its id in the first line', async () => {
  const of = await cards(
    '# Functional safety concept',
    '| Goal | Wording | ASIL | FTTI |',
    '| SG-W | The gate shall not fall. | C | 80 ms |',
    '',
    '## Requirements',
    '| FR-W1 | Class: B(C) | Carrier: brake | Serves: SG-W, by FR-W0 |',
    '| Wording | The brake shall hold the gate. | | |',
    '| Time | within 20 ms | | |',
    '',
    '## Cards',
    '| T-01 | Class: B(C) | Carrier: valve | From: FR-W1 |',
    '| Wording | Close when the pressure falls. | | |',
  );
  expect(of('FR-W1')).toMatchObject({
    text: 'The brake shall hold the gate.',
    asil: 'B(C)',
    allocation: 'brake',
    type: 'functional_safety_requirement',
  });
  expect(of('FR-W1').from).toContain('SG-W');
  expect(of('T-01')).toMatchObject({ asil: 'B(C)' });
  expect(of('T-01').from).toContain('FR-W1');
});

it('reads a label with words behind a known one, and levels under a title that says little', async () => {
  const of = await cards(
    '| Ziel | Wortlaut | ASIL |',
    '| QZ-1 | Das Tor darf nicht fallen. | C |',
    '',
    '## Anforderungen',
    '| QA-3 | Meldung |',
    '| Text | Der Fall des Tors muss gemeldet werden. |',
    '| Stufe | B |',
    '| aus | QZ-1 |',
    '| Träger der Meldung | Winde |',
    '| Zustand danach | Tor steht |',
  );
  expect(of('QA-3')).toMatchObject({ asil: 'B', parent: 'QZ-1', allocation: 'Winde' });
});

it('takes no ids of situations for tests', async () => {
  const of = await cards(
    '## List',
    '| Sit | Description |',
    '|---|---|',
    '| ST-1 | Motorway at night |',
    '| ST-2 | Town with cyclists |',
  );
  expect(of('ST-1').type).not.toBe('test');
});

it('reads a split beside an allocation, and rows of information as no demands', async () => {
  const of = await cards(
    '# Functional safety concept',
    '| ID | Safety goal | ASIL |',
    '|---|---|---|',
    '| SG-1 | The gate shall not fall. | D |',
    '',
    '| ID | Requirement | Safety goal | ASIL | Allocated to |',
    '|---|---|---|---|---|',
    '| FSR-10 | The gate shall be held. | SG-1 | D | Pump and guard, split into FSR-11 and FSR-12 |',
    '| FSR-11 | The pump shall hold. | SG-1 | B(D) | Pump |',
    '| FSR-12 | The guard shall hold. | SG-1 | B(D) | Guard |',
    '| FSR-13 | Issue 1.2, written by A. Lee. | – | Information | – |',
  );
  expect(of('FSR-10').from).toEqual(expect.arrayContaining(['FSR-11', 'FSR-12']));
  expect(of('FSR-13').informational).toBe(true);
  expect(of('FSR-11').informational).toBeUndefined();
});

it('takes no cover for a card', async () => {
  const of = await cards(
    '# QX-01 Concept',
    '| Field | Entry |',
    '| Issue | 1.2 |',
    '| Author | Ann Lee |',
    '| Project | Gate |',
  );
  expect(of('QX-01').type).toBeUndefined();
});

it('reads cards in everyday words, ids that a letter counts, and parents that the heading names or brackets hold', async () => {
  const of = await cards(
    '| Goal | Text | ASIL | FTTI ms |',
    '| G1 | The gate must not fall. | C | 80 |',
    '',
    '## Requirements',
    '### G1',
    '| FR-1a | Brake |',
    '| Shall | The brake holds the gate. |',
    '| ASIL / on | B(C) / MC, BR |',
    '',
    '| FR-1b | Winch |',
    '| Shall | The winch holds the gate. |',
    '| ASIL / on | A(C) / SC |',
    '',
    '## Technical requirements',
    '| No | From | Requirement | ASIL | On |',
    '| TR-1 | [FR-1a] | MC opens BR within 10 ms. | B(C) | MC |',
    '| TR-2 | [FR-1b] | SC stops the winch within 10 ms. | A(C) | SC |',
  );
  expect(of('FR-1a')).toMatchObject({
    ...{ text: 'The brake holds the gate.', asil: 'B(C)', allocation: 'MC, BR' },
    from: expect.arrayContaining(['G1']),
  });
  expect(of('FR-1b').from).toContain('G1');
  expect(of('TR-1')).toMatchObject({ type: 'technical_safety_requirement', parent: '[FR-1a]' });
  expect(of('TR-2').from).toContain('FR-1b');
});

it('reads a card under a heading that is nothing but an id of letters that nobody knows', async () => {
  const card = (id: string, text: string) => [
    `### ${id}`,
    '| Merkmal | Wert |',
    `| Text | ${text} |`,
    '| Ziel | SZ-1 |',
    '| ASIL | B(C) |',
    '| Sicherer Zustand | Winde steht |',
    '',
  ];
  const of = await cards(
    '| Ziel | Sicherheitsziel | ASIL |',
    '| SZ-1 | Das Seil darf nicht reißen. | C |',
    '## Anforderungen',
    ...card('QUXA-11', 'Weg 1 muss das Seil bei 12 kN halten.'),
    ...card('QUXA-12', 'Weg 2 muss die Winde bei 14 kN abschalten.'),
  );
  expect(of('QUXA-11')).toMatchObject({
    text: 'Weg 1 muss das Seil bei 12 kN halten.',
    asil: 'B(C)',
    parent: 'SZ-1',
  });
  expect(of('SZ-1')).toMatchObject({ asil: 'C' });
});
