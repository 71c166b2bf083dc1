import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { projectFiles } from '../../testing/project-files.js';
import { takeApart } from './passages-of.js';
import { cellText } from './tables.js';

async function tableIn(source: string) {
  const [[fileName, bytes]] = [...(await projectFiles(`@@ a.docx\n# Tables\n${source}`))] as [
    [string, Buffer],
  ];
  return takeApart('d', await readDocument(bytes, { fileName })).records.at(-1)!;
}

describe('titles under the title of a group', () => {
  it('stay what they are where they say it themselves', async () => {
    const { columns } = await tableIn(`
| ID | Requirement | Timing | < | < |
| ^ | ^ | Detection | Reaction | FTTI |
| FSR-1 | The motor shall stop. | 40 ms | 60 ms | 200 ms |
| FSR-2 | The motor shall start. | 40 ms | 60 ms | 200 ms |
`);
    expect(columns).toEqual(['ID', 'Requirement', 'Detection', 'Reaction', 'FTTI']);
  });

  it('are named by the group where they say the same of each', async () => {
    const { columns } = await tableIn(`
| ID | Severity | < | Exposure | < | ASIL |
| ^ | Class | Reason | Class | Reason | ^ |
| HE-1 | S1 | Bruises | E3 | Often | A |
| HE-2 | S2 | Fractures | E4 | Always | B |
`);
    expect(columns).toEqual(['ID', 'Severity', 'Severity Reason', 'Exposure', 'Exposure Reason', 'ASIL']);
  });

  it('are the names of elements under an allocation', async () => {
    const { columns } = await tableIn(`
| ID | Allocation | < |
| ^ | Controller | Sensor |
| FSR-1 | X | |
| FSR-2 | | X |
`);
    expect(columns).toEqual(['ID', 'Controller', 'Sensor']);
  });
});

describe('a cell of the first column that covers several rows', () => {
  const columnOf = ({ rows }: Awaited<ReturnType<typeof tableIn>>) => rows.map((row) => cellText(row, 0));

  it('stands in each of them where they have ids of their own', async () => {
    const table = await tableIn(`
| Goal | ID | Requirement |
| SG-1 | FSR-1 | The motor shall stop. |
| ^ | FSR-2 | The motor shall start. |
`);
    expect(columnOf(table)).toEqual(['SG-1', 'SG-1']);
  });

  it('is the id of the first one else', async () => {
    const table = await tableIn(`
| ID | Step | Expected |
| TC-1 | Press the pedal | Torque rises |
| ^ | Release the pedal | Torque falls |
`);
    expect(columnOf(table)).toEqual(['TC-1', '']);
    expect(table.rows.map(({ under }) => under?.text)).toEqual([undefined, 'TC-1']);
  });
});

describe('titles of groups of rows', () => {
  const rowsOf = async (source: string) => (await tableIn(source)).rows.map((row) => cellText(row, 0));

  it('are no records, merged or not', async () => {
    const rows = ['FSR-1', 'FSR-2'];
    expect(
      await rowsOf(
        '\n| ID | Requirement | ASIL |\n| Motor | < | < |\n| FSR-1 | It shall stop. | A |\n| FSR-2 | It shall start. | B |\n',
      ),
    ).toEqual(rows);
    expect(
      await rowsOf(
        '\n| ID | Requirement | ASIL |\n| Motor | | |\n| FSR-1 | It shall stop. | A |\n| FSR-2 | It shall start. | B |\n',
      ),
    ).toEqual(rows);
  });

  it('are not records with an id, nor with a name, of which nothing else is said', async () => {
    expect(
      await rowsOf('\n| ID | Requirement | ASIL |\n| FSR-1 | It shall stop. | A |\n| FSR-2 | | |\n'),
    ).toEqual(['FSR-1', 'FSR-2']);
    expect(
      await rowsOf('\n| Role | Person | Company |\n| Safety manager | M. Lund | Tago |\n| Assessor | | |\n'),
    ).toEqual(['Safety manager', 'Assessor']);
  });
});

describe('forms', () => {
  it('are neither crosses between ids, nor covers, nor lists of attributes', async () => {
    const crosses = await tableIn('\n| | SG-1 | SG-2 |\n| FSR-1 | X | |\n| FSR-2 | | X |\n');
    expect(crosses.rows).toHaveLength(2);
    const cover = await tableIn(
      '\n| ID | FSC-3 |\n| Version | 1.2 |\n| Date | 2026-03-02 |\n| Author | M. Lund |\n',
    );
    expect(cover.columns).not.toContain('Author');
    const attributes = await tableIn(
      '\n| Attribute | Meaning | Mandatory |\n| ID | Name of the requirement | yes |\n| ASIL | Level | yes |\n| Text | Words | yes |\n',
    );
    expect(attributes.columns).toEqual(['Attribute', 'Meaning', 'Mandatory']);
  });

  it('give a merged value to every record that it covers, each at its cell', async () => {
    const { columns, rows } = await tableIn(`
| ID | TSR-1 | TSR-2 | TSR-3 |
| ASIL | B | < | A |
| Text | One shall be. | Two shall be. | Three shall be. |
`);
    expect(columns).toEqual(['ID', 'ASIL', 'Text']);
    expect(rows.map((row) => [0, 1].map((column) => cellText(row, column)))).toEqual([
      ['TSR-1', 'B'],
      ['TSR-2', 'B'],
      ['TSR-3', 'A'],
    ]);
    expect(rows.map((row) => row.cells.get(2)!.location.cell)).toEqual(['R3C2', 'R3C3', 'R3C4']);
  });
});
