import { expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { recordsOf } from './records.js';

/** Levels of the records that the lines of a document are, by id. */
async function levels(...lines: readonly string[]) {
  const documents = [analysedDocument('Concept.md', lines)];
  const records = recordsOf(await corpusOf({ documents, scope: {} }, async () => {}));
  return records.map(({ id, fields }) => [id, fields.get('asil')?.value]);
}

it('takes the first level of a line for that of its id, and not for one that stands right before the level', async () => {
  expect(await levels('SG-1 is kept with ASIL D.')).toEqual([['SG-1', 'ASIL D']]);
  expect(await levels('FSR-1 refines SG-1 of the winch and its brake at ASIL D.')).toEqual([
    ['FSR-1', 'ASIL D'],
  ]);
  expect(await levels('SG-1 is split between FSR-3 with QM(D), and FSR-4 with ASIL D(D).')).toEqual([
    ['SG-1', undefined],
  ]);
});
