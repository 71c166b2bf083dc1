import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

async function told(rules: readonly string[], ...files: readonly (readonly string[])[]) {
  const documents = files.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus).filter(({ rule }) => rules.includes(rule));
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return found;
}

describe('a state that one place names and all others do not', () => {
  const states = [
    '## Safe states',
    '| State | What it is |',
    '| HOLD | The drum is stopped and its brake is closed. |',
    '| CREEP | The drum turns with a tenth of its speed. |',
  ];
  const goals = (state: string) => [
    '# Hazard analysis',
    '| ID | Safety goal | ASIL | Safe state |',
    `| SG-1 | The drum shall not turn without a request. | C | ${state} |`,
    '| SG-2 | The drum shall not turn too fast. | B | CREEP |',
  ];
  const concept = (state: string) => [
    '# Functional safety concept',
    ...states,
    '## Requirements',
    '| ID | Requirement | ASIL | Goal | Safe state |',
    '| FSR-11 | Stop the drum within 50 ms after the request ends. | C | SG-1 | HOLD |',
    `| FSR-12 | Cut the supply of the bridge within 80 ms. | C | SG-1 | ${state} |`,
    '| FSR-21 | Limit the speed within 100 ms. | B | SG-2 | CREEP |',
  ];
  const tests = [
    '# Test specification',
    '| Test | Verifies | Stimulus | Expected result |',
    '| T-12 | FSR-12 | bridge shorted | HOLD within 80 ms |',
  ];
  const said = async (...files: readonly (readonly string[])[]) =>
    (await told(['state-named-otherwise', 'safe-state-differs', 'safe-state-of-goal-twice'], ...files)).map(
      ({ words }) => `${words.item ?? words.child ?? words.goal}: ${words.own ?? words.one}`,
    );

  it('is told of a goal and of a requirement', async () => {
    expect(await said(goals('HOLD'), concept('HOLD'), tests)).toEqual([]);
    expect(await said(goals('CREEP'), concept('HOLD'), tests)).toContain('SG-1: CREEP');
    expect(await said(goals('HOLD'), concept('CREEP'), tests)).toContain('FSR-12: CREEP');
  });
});

describe('a split that is told', () => {
  const split = (level: string) => [
    '# Functional safety concept',
    '| ID | Requirement | ASIL |',
    '| FSR-10 | The drum shall not turn without a request. | D |',
    '| FSR-11 | The drive shall stop the drum. | A(D) |',
    '| FSR-12 | The guard shall cut the supply. | C(D) |',
    `FSR-10 is split into FSR-11 with A(D) and FSR-12 with ${level}; their independence is FSR-13.`,
  ];

  it('has to be a permitted combination', async () => {
    expect(await told(['decomposition-not-permitted'], split('C(D)'))).toEqual([]);
    expect(await told(['decomposition-not-permitted'], split('B(D)'))).toHaveLength(1);
  });
});

describe('a row of an analysis without measure and evidence', () => {
  const rows = (measure: string, evidence: string) => [
    '# Dependent failures',
    '| No | Cause | What could happen | What we did about it | Shown by | Verdict |',
    '| D-1 | Supply | Overvoltage destroys both parts | Separate regulators with own clamps | T-05 | independent |',
    '| D-2 | Clock | Both run at a wrong speed | Own quartz for each of the two parts | T-06 | independent |',
    '| D-3 | Heat | Both fail above their range | Parts are placed 45 mm apart on the board | T-07 | independent |',
    `| D-4 | Software | The same mistake in both | ${measure} | ${evidence} | independent |`,
    '| D-5 | Water | Both inputs are shorted | Two plugs that are sealed one by one | T-08 | independent |',
  ];

  it.each([
    ['–', '–'],
    ['tbd', 'T-09'],
  ])('%s and %s', async (measure, evidence) => {
    const found = await told(['cell-left-empty'], rows(measure, evidence));
    expect(found.map(({ words }) => `${words.item} ${words.column}`)).toContain('D-4 What we did about it');
    expect(
      await told(['cell-left-empty'], rows('Different persons and different compilers', 'T-09')),
    ).toEqual([]);
  });
});

describe('a reviewer who is the author', () => {
  const reviews = (reader: string) => [
    '# Readings',
    '| Subject | Version | Author | Reader | Result |',
    '| Plan | 2.1 | Tasch | Kuhlmann | accepted |',
    `| Concept | 1.3 | Tasch | ${reader} | accepted |`,
  ];

  it('is told by a family name alone', async () => {
    expect(await told(['confirmed-by-author'], reviews('Kuhlmann'))).toEqual([]);
    expect(await told(['confirmed-by-author'], reviews('Tasch'))).toHaveLength(1);
  });
});
