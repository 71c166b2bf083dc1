import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { readDocument } from '../../documents/read-document.js';
import { projectFiles } from '../../testing/project-files.js';
import { artifactsOf } from '../artifacts/extract-artifacts.js';
import { statementsOf } from '../artifacts/statements-of.js';
import { statedAsils } from '../asil-of-documents.js';
import type { StatedKind } from './stated-columns.js';
import { statedFacts } from './stated-facts.js';

const FORMS = {
  'a row a record': `
| ID | Safety goal | ASIL | FTTI | Safe state | Hazard |
| SG-01 | The gate shall not close on a person. | B | 150 ms | Drive stopped | HZ-1 |
| SG-02 | The gate shall not open while driving. | C | 400 ms | Latch locked | HZ-2 |
`,
  'a column a record': `
| ID | SG-01 | SG-02 |
| Safety goal | The gate shall not close on a person. | The gate shall not open while driving. |
| ASIL | B | C |
| FTTI | 150 ms | 400 ms |
| Safe state | Drive stopped | Latch locked |
| Hazard | HZ-1 | HZ-2 |
`,
  'a column a record, nothing in the corner': `
| | SG-01 | SG-02 |
| Safety goal | The gate shall not close on a person. | The gate shall not open while driving. |
| ASIL | B | C |
| FTTI | 150 ms | 400 ms |
| Safe state | Drive stopped | Latch locked |
| Hazard | HZ-1 | HZ-2 |
`,
  'a table a record': `
| ID | SG-01 |
| Safety goal | The gate shall not close on a person. |
| ASIL | B |
| FTTI | 150 ms |
| Safe state | Drive stopped |
| Hazard | HZ-1 |

| ID | SG-02 |
| Safety goal | The gate shall not open while driving. |
| ASIL | C |
| FTTI | 400 ms |
| Safe state | Latch locked |
| Hazard | HZ-2 |
`,
  'two fields a row': `
| ID | SG-01 | ASIL | B |
| Safety goal | The gate shall not close on a person. | FTTI | 150 ms |
| Safe state | Drive stopped | Hazard | HZ-1 |

| ID | SG-02 | ASIL | C |
| Safety goal | The gate shall not open while driving. | FTTI | 400 ms |
| Safe state | Latch locked | Hazard | HZ-2 |
`,
  'below a line of titles': `
| Attribute | Value |
| ID | SG-01 |
| Safety goal | The gate shall not close on a person. |
| ASIL | B |
| FTTI | 150 ms |
| Safe state | Drive stopped |
| Hazard | HZ-1 |

| Attribute | Value |
| ID | SG-02 |
| Safety goal | The gate shall not open while driving. |
| ASIL | C |
| FTTI | 400 ms |
| Safe state | Latch locked |
| Hazard | HZ-2 |
`,
};
const FORMATS = ['md', 'docx', 'xlsx', 'pdf'] as const;
const KINDS: readonly StatedKind[] = ['asil', 'interval', 'safe_state'];

async function readForm(name: string, table: string) {
  const [[file, bytes]] = [
    ...(await projectFiles(`@@ ${name}\n# Hazard analysis\n\n[[Goals]]\n${table}`)),
  ] as [[string, Buffer]];
  const document = await readDocument(bytes, { fileName: file });
  const analysed = { id: 'd', name, version: '1', sha256: '0', document };
  return corpusOf({ documents: [analysed], scope: {} }, async () => {});
}

/** Rules of Markdown tables below their first rows. */
const ruled = (table: string) =>
  table.replace(/(^|\n\n|^\n)(\|[^\n]*\|)\n/g, (_, before: string, first: string) => {
    const columns = first.split('|').length - 2;
    return `${before}${first}\n|${'---|'.repeat(columns)}\n`;
  });

describe('the same facts', () => {
  const cases = Object.keys(FORMS).flatMap((form) => FORMATS.map((format) => [form, format] as const));
  it.each(cases)('%s, in %s', async (form, format) => {
    const table = FORMS[form as keyof typeof FORMS];
    const corpus = await readForm(`goals.${format}`, format === 'md' ? ruled(table) : table);
    const { text } = corpus.documents[0]!.read.document;
    const { items } = statedFacts(corpus);
    const facts = items
      .filter(({ hasId }) => hasId)
      .map(({ id, values }) => [id, ...KINDS.map((kind) => values.get(kind)?.text)]);
    expect(facts).toEqual([
      ['SG-01', 'B', '150 ms', 'Drive stopped'],
      ['SG-02', 'C', '400 ms', 'Latch locked'],
    ]);
    expect(statedAsils(corpus)).toMatchObject({ highest: 'C', evidence: [{ quote: 'C' }] });
    for (const { cells } of items)
      for (const cell of cells) expect(text.slice(cell.start, cell.end).trim()).toBe(cell.text);
    const { artifacts } = artifactsOf(corpus.documents.map(statementsOf));
    expect(artifacts.map(({ id, type, asil, text: own }) => [id, type, asil, own])).toEqual([
      ['SG-01', 'safety_goal', 'B', 'The gate shall not close on a person.'],
      ['SG-02', 'safety_goal', 'C', 'The gate shall not open while driving.'],
    ]);
  });
});
