import { describe, expect, it } from 'vitest';
import { loadDocumentType } from '../document-types/load-document-types.js';
import { documentOfLines } from '../testing/document-fixture.js';
import { takeApart } from './passages/passages-of.js';
import { isThatTable, matchTable } from './template-columns.js';

async function columnsOf(header: string, type: string, table: string) {
  const read = takeApart('d', documentOfLines([header, header.replace(/[^|]+/g, ' x ')]));
  const match = matchTable(read.tables[0]!, await loadDocumentType(type)).find(
    (one) => one.template.key === table,
  );
  return match && { columns: Object.fromEntries(match.columns), sure: isThatTable(match) };
}

describe('columns are matched by their names', () => {
  it('English, with what stands in brackets', async () => {
    const found = await columnsOf(
      '| Hazard ID | Operational Mode | Hazardous Event (resulting effect) | Severity (of potential harm) | Rationale (for severity) | ASIL Determination | Safety Goal |',
      'hara',
      'hazard_table',
    );
    expect(found).toMatchObject({
      sure: true,
      columns: {
        id: [0],
        situation: [1],
        hazard: [2],
        severity: [3],
        severity_rationale: [4],
        asil: [5],
        safety_goal: [6],
      },
    });
  });

  it('German', async () => {
    const found = await columnsOf(
      '| Kennung | Fehlfunktion | Betriebssituation | Schwere | Häufigkeit | Beherrschbarkeit | ASIL | Sicherheitsziel |',
      'hara',
      'hazard_table',
    );
    expect(found).toMatchObject({
      sure: true,
      columns: {
        malfunction: [1],
        situation: [2],
        severity: [3],
        exposure: [4],
        controllability: [5],
        asil: [6],
        safety_goal: [7],
      },
    });
  });

  it('a column "Rationale" justifies the one left of it', async () => {
    const found = await columnsOf(
      '| ID | Hazard | S | Rationale | E | Rationale | C | Rationale | ASIL |',
      'hara',
      'hazard_table',
    );
    expect(found?.columns).toMatchObject({
      severity_rationale: [3],
      exposure_rationale: [5],
      controllability_rationale: [7],
    });
  });

  it('the head of a title counts: "Assumption on the partner"', async () => {
    const found = await columnsOf(
      '| Interface | Partner | Assumption on the partner |',
      'item_definition',
      'interface_list',
    );
    expect(found?.columns).toMatchObject({ partner: [1], assumption: [2] });
  });

  it('a table that shares two columns by chance is not taken for the template', async () => {
    const found = await columnsOf(
      '| ID | Degradation Mode | Trigger | Driver Warning |',
      'functional_safety_concept',
      'fsr_table',
    );
    expect(found?.sure ?? false).toBe(false);
  });
});

describe('columns are matched by what stands in them', () => {
  const matched = async (...lines: readonly string[]) => {
    const read = takeApart('d', documentOfLines(lines));
    const type = await loadDocumentType('functional_safety_concept');
    const match = matchTable(read.tables[0]!, type).find((one) => one.template.key === 'fsr_table');
    return match && Object.fromEntries(match.columns);
  };

  it('different ids in the first column, ids of others in another one', async () => {
    expect(
      await matched(
        '| Lfd. | Requirement | ASIL | Purpose | Allocated to |',
        '| FSR-1 | It detects. | C | SG1 | DCU |',
        '| FSR-2 | It stops. | C | SG1, SG2 | DCU |',
      ),
    ).toMatchObject({ id: [0], parent: [3] });
  });

  it('not ratings, words, and numbers that repeat', async () => {
    const found = await matched(
      '| Group | Requirement | ASIL | Class | Allocated to |',
      '| 1 | It detects. | C | E3 | DCU |',
      '| 1 | It stops. | C | E4 | DCU |',
    );
    expect(found).not.toHaveProperty('id');
    expect(found).not.toHaveProperty('parent');
    expect(
      await matched(
        '| ID | Mode | Trigger | Safe state |',
        '| WDC-1 | Off | Malfunction_01 | yes |',
        '| WDC-2 | On | Malfunction_02 | no |',
      ),
    ).not.toHaveProperty('parent');
  });
});
