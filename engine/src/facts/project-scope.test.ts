import { expect, it } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { analysedDocument } from '../testing/document-fixture.js';
import { outsideOf } from './project-scope.js';

async function outsideIn(...table: readonly string[]): Promise<readonly string[]> {
  const plan = analysedDocument('Safety Plan.md', ['# Safety plan', '## Tailoring', ...table]);
  const corpus = await corpusOf({ documents: [plan], scope: {} }, async () => {});
  return outsideOf(corpus).map(({ area }) => area);
}

it('leaves out parts by their number that are done later or not applied, with a reason', async () => {
  expect(
    await outsideIn(
      '| Part of ISO 26262 | Applied | Because |',
      '| 4 | yes | the system is new and safety-relevant |',
      '| 5 | later | own plan after the system design |',
      '| 7 | no | production is the task of the cell plant |',
      '| 6 | no | costs |',
    ),
  ).toEqual(['hardware', 'production']);
  expect(
    await outsideIn(
      '| Teil der ISO 26262 | Angewendet | Begründung |',
      '| 6 | später | eigener Plan nach dem Systementwurf folgt |',
      '| 4 | ja | das System ist neu und sicherheitsrelevant |',
    ),
  ).toEqual(['software']);
});

it('takes "no" under "Tailored" for no decision to leave out', async () => {
  expect(
    await outsideIn(
      '| Part | Tailoring decision | Reason |',
      '| Part 5 | no | everything of the part is applied here |',
    ),
  ).toEqual([]);
});

it('leaves out parts that sentences say to be planned elsewhere or done by others', async () => {
  expect(
    await outsideIn(
      'Parts 3 and 4 of ISO 26262 are applied to the full extent. Part 5 is planned in EAX-SP-010 and part 6 in EAX-SP-011, both due at gate G3. Part 7 is the responsibility of the Lodz plant.',
    ),
  ).toEqual(['hardware', 'software', 'production']);
  expect(
    await outsideIn('Teil 6 wird im Plan GS-SIP-SW geplant. Teil 7 liegt in der Verantwortung des Werks.'),
  ).toEqual(['software', 'production']);
  expect(
    await outsideIn(
      'Part 4 is planned in chapter 5 of this plan. Part 5 is covered in section 3. Part 6 is applied by the team in full.',
    ),
  ).toEqual([]);
});
