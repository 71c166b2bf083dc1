import { expect, test } from 'vitest';
import { templateTablesOf } from '../corpus/corpus.js';
import { corpusOf } from '../corpus/corpus-of.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { owesNothing } from './table-rows.js';

test.each([
  ['Applied', [true, false, false]],
  ['Tailored', [false, false, false]],
])('under "%s", a part that is applied as it is owes no reason', async (title, expected) => {
  const document = analysedDocument('Safety plan.md', [
    '# Safety plan',
    '## Tailoring',
    `| Part | ${title} | Rationale |`,
    '| 3, 4, 6 | yes | – |',
    '| 5 | yes, without clause 9 | – |',
    '| 12 | no | – |',
  ]);
  const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
  const matches = corpus.documents[0]!.parts.flatMap((part) => templateTablesOf(corpus, part));
  const match = matches.find(({ template }) => template.key === 'tailoring_table')!;
  expect(match.table.rows.map((row) => owesNothing({ match, row }, 'rationale'))).toEqual(expected);
});
