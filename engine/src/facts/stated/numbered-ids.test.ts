import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { readDocument } from '../../documents/read-document.js';
import { projectFiles } from '../../testing/project-files.js';
import { artifactsOf } from '../artifacts/extract-artifacts.js';
import { statementsOf } from '../artifacts/statements-of.js';
import { statedWords } from './stated-columns.js';
import { statedFacts } from './stated-facts.js';
import { idsIn, isIdsOnly, prefixOf } from './stated-item.js';

async function read(source: string) {
  const documents = [];
  for (const [name, bytes] of await projectFiles(source)) {
    const document = await readDocument(bytes, { fileName: name });
    documents.push({ id: name, name, version: '1', sha256: name, document });
  }
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const { artifacts, links } = artifactsOf(corpus.documents.map(statementsOf));
  return {
    types: Object.fromEntries(artifacts.map(({ id, type }) => [id, type])),
    links: links.map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`),
    items: statedFacts(corpus).items.filter(({ hasId }) => hasId),
  };
}

const ENGLISH = `
@@ Hazard analysis.xlsx
[[Events]]
| No. | Event | Rating | < | < | Level | Goal |
| ^ | ^ | S | E | C | ^ | ^ |
| 5101 | The awning opens in a storm | 3 | 2 | 3 | B | 5201 |
| 5102 | The awning closes on a hand | 2 | 3 | 2 | A | 5201, 5202 |
[[Goals]]
| No. | Goal | Level | FTTI | Safe state | From |
| 5201 | The awning shall not open in a storm | B | 2 s | 5301: drive blocked | 5101 |
| 5202 | The awning shall not close on a person | A | 300 ms | 5302: drive free | 5102 |

@@ Functional safety concept.docx
# Functional safety concept
## Requirements
| No. | Requirement | Level | Goal |
| 6001 | The wind sensor shall stop the drive within 1 s | B | 5201 |
| 6002 | The current limit shall stop the drive within 200 ms | A | 5202 |
## Times
| Goal | FTTI | Detection | Reaction |
| 5201 | 2 s | 800 ms | 200 ms |
| 5202 | 300 ms | 150 ms | 50 ms |

@@ Test instruction.xlsx
[[Tests]]
| No. | Covers | Steps | Expected |
| 7001 | 6001 | Blow with 20 m/s | Drive stops within 1 s |
| 7002 | 6002 | Hold the awning | Drive stops within 200 ms |
`;

describe('numbers that are ids', () => {
  it('name events, goals, requirements and tests under a title of ids', async () => {
    const { types, links } = await read(ENGLISH);
    expect(types).toMatchObject({
      5101: 'hazardous_event',
      5202: 'safety_goal',
      6001: 'functional_safety_requirement',
      7002: 'test',
    });
    expect(links).toEqual(
      expect.arrayContaining([
        '5201 derives_from 5101',
        '5202 derives_from 5102',
        '6002 derives_from 5202',
        '6001 verified_by 7001',
      ]),
    );
  });

  it('are what rows in other documents say more about', async () => {
    const { items } = await read(ENGLISH);
    const times = items.filter(({ id, values }) => id === '5202' && values.has('detection'));
    expect(times.map(({ values }) => values.get('reaction')?.text)).toEqual(['50 ms']);
    expect(items.find(({ id }) => id === '6002')?.values.get('parent')?.text).toBe('5202');
    expect(items.find(({ id }) => id === '7001')?.values.get('verifies')?.text).toBe('6001');
  });

  it('are linked by crosses in a matrix, as other ids are', async () => {
    const matrix = (ids: readonly string[]) => `
@@ Technical safety concept.xlsx
[[Requirements]]
| ID | Requirement | ASIL |
| ${ids[0]} | The comparator shall open the relay | B |
| ${ids[1]} | The software shall count the edges | A |
[[Origin]]
| Technical | ${ids[2]} | ${ids[3]} |
| ${ids[0]} | x |  |
| ${ids[1]} | x | x |

@@ Functional safety concept.xlsx
[[Requirements]]
| ID | Requirement | ASIL |
| ${ids[2]} | The drive shall be stopped | B |
| ${ids[3]} | The position shall be known | A |
`;
    for (const ids of [
      ['8001', '8002', '6001', '6002'],
      ['TSR-1', 'TSR-2', 'FSR-1', 'FSR-2'],
    ]) {
      const { links } = await read(matrix(ids));
      expect(links.sort()).toEqual([
        `${ids[0]} derives_from ${ids[2]}`,
        `${ids[1]} derives_from ${ids[2]}`,
        `${ids[1]} derives_from ${ids[3]}`,
      ]);
    }
  });

  it('are none where they count the rows', async () => {
    const { types } = await read(`
@@ Functional safety concept.docx
# Functional safety concept
| No. | Requirement | ASIL |
| 1 | The wind sensor shall stop the drive | B |
| 2 | The current limit shall stop the drive | A |
`);
    expect(Object.keys(types)).toEqual([]);
  });
});

describe('a cell of numbers', () => {
  it.each([
    ['3201', ['3201'], true],
    ['3201, 3203', ['3201', '3203'], true],
    ['3201 und 3203', ['3201', '3203'], true],
    ['3301: Motoren sind stromlos', ['3301'], false],
    ['1200 ms', [], false],
    ['120', [], false],
    ['0.3201', [], false],
    ['2024-06-25', [], false],
    ['at 3000 rpm', [], false],
  ])('%j', (text, ids, only) => {
    expect(idsIn(text).map(({ id }) => id)).toEqual(ids);
    expect(isIdsOnly(text)).toBe(only);
  });

  it('is not asked for where no digit stands: then ids are made of words, or counted by letters', () => {
    const ids = (text: string) => idsIn(text).map(({ id }) => id);
    expect(ids('Goal A and GOAL-PARK, not SG-ID')).toEqual(['Goal A', 'GOAL-PARK']);
    expect(ids('Goal A and GOAL-PARK come from HE-7')).toEqual(['Goal A', 'GOAL-PARK', 'HE-7']);
    expect(new RegExp(`^${statedWords().identifier}$`, 'u').test('ABC-DEF')).toBe(false);
  });

  it('has ids of one kind before the last two digits', () => {
    expect(['3201', '3204', '4001', 'SG-1'].map(prefixOf)).toEqual(['32', '32', '40', 'SG']);
  });
});
