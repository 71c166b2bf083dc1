import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedFacts } from './stated-facts.js';

/** What is stated of ids in a document of lines, by kind. */
async function stated(...lines: readonly string[]) {
  const documents = [analysedDocument('Document.md', lines)];
  const { items } = statedFacts(await corpusOf({ documents, scope: {} }, async () => {}));
  return (id: string) =>
    Object.fromEntries(
      items
        .filter((item) => item.id === id)
        .flatMap((item) => [...item.values].map(([kind, { text }]) => [kind, text])),
    );
}

it('takes ids under any title for parents, or for what a test verifies, by what they are', async () => {
  const of = await stated(
    '# Requirements',
    '| No. | Upper | Requirement | ASIL |',
    '| FSR 1-0 | SG 1 | The event shall be reported. | C |',
    '| FSR 1-1 | FSR 1-0 | The sensor shall report. | B(C) |',
    '# Test',
    '| No. | Object | Procedure | Pass criterion |',
    '| VT 1 | FSR 1-0 | Open the vent | Reported in 12 s |',
    '| VT 2 | FSR 1-1 | Short the sensor | Reported in 10 s |',
  );
  expect(of('FSR 1-1')).toMatchObject({ parent: 'FSR 1-0' });
  expect(of('VT 2')).toMatchObject({ verifies: 'FSR 1-1' });
});

it('takes sentences under "zu S", "zu E", "zu C" for the reasons of an event', async () => {
  const of = await stated(
    '| GE | zu S | zu E | zu C |',
    '| GE-01 | Aufprall auf die Leitplanke, tödlich | kommt bei jeder Fahrt vor | Fahrer können nicht reagieren |',
    '| GE-02 | Quetschung der Hand, heilbar | wenige Male im Jahr | Hand wird rechtzeitig zurückgezogen |',
  );
  expect(of('GE-02')).toMatchObject({
    severity_rationale: 'Quetschung der Hand, heilbar',
    exposure_rationale: 'wenige Male im Jahr',
    controllability_rationale: 'Hand wird rechtzeitig zurückgezogen',
  });
});

it('reads the statement below a heading with an id, before the fields of the same paragraph', async () => {
  const of = await stated(
    '### 3.1 FS.1.0 No clamping',
    'Clamping shall be detected within 90 ms. Level: D. From: SZ1.',
    '### 3.2 FS.1.1 Command',
    'The control part shall command only with a request. ASIL: B(D), decomposed from FS.1.0.',
  );
  expect(of('FS.1.0')).toMatchObject({
    text: 'Clamping shall be detected within 90 ms',
    asil: 'D',
    parent: 'SZ1',
  });
  expect(of('FS.1.1')).toMatchObject({ asil: 'B(D)' });
});

it('reads level, time and state of a goal beside its words', async () => {
  const of = await stated(
    'SG-1 (ASIL D, FTTI 200 ms): The item shall not brake. Safe state SS-1, all requests zero.',
  );
  expect(of('SG-1')).toMatchObject({ asil: 'ASIL D', interval: '200 ms', safe_state: 'SS-1' });
});
