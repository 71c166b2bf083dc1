import { describe, expect, it } from 'vitest';
import { analysedDocument } from '../testing/document-fixture.js';
import { corpusOf } from './corpus-of.js';
import { fieldOf } from './metadata-fields.js';

async function fieldsOf(...lines: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const document = analysedDocument('HARA.md', lines);
  const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
  const keys = ['version', 'date', 'status', 'author', 'reviewer', 'approver'];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const { state, value } = fieldOf(corpus, key, document.id);
      return state === 'present' ? [[key, value!]] : [];
    }),
  );
}

describe('fields of a document that share a line', () => {
  it('are read without names where each part can be nothing else', async () => {
    expect(
      await fieldsOf(
        '# HARA',
        'Version 1.3, 2026-04-02, released. Author: Anna Keller. Reviewed by: T. Brandt.',
      ),
    ).toEqual({
      version: '1.3',
      date: '2026-04-02',
      status: 'released',
      author: 'Anna Keller',
      reviewer: 'T. Brandt',
    });
  });

  it('are read from front matter and short labels, with dates between dots', async () => {
    expect(
      await fieldsOf(
        '| Rev. | 3 |',
        '| Date | 14.01.2026 |',
        '| Checked | Domenico Farsi |',
        '| Released | A. Lind |',
      ),
    ).toEqual({ version: '3', date: '14.01.2026', reviewer: 'Domenico Farsi', approver: 'A. Lind' });
    expect(await fieldsOf('revision: "1.2"', 'updated: 2026-01-20', 'reviewed-by: Stefan Oye')).toEqual({
      version: '1.2',
      date: '2026-01-20',
      reviewer: 'Stefan Oye',
    });
  });

  it('are read in German', async () => {
    expect(
      await fieldsOf(
        '# Gefährdungsanalyse',
        'Ausgabe 2.0 vom 2. April 2026, freigegeben',
        'Erstellt von: Dr. A. Keller, Geprüft von: T. Brandt; Freigegeben von: P. Maurer',
      ),
    ).toEqual({
      version: '2.0',
      date: '2. April 2026',
      status: 'freigegeben',
      author: 'Dr. A. Keller',
      reviewer: 'T. Brandt',
      approver: 'P. Maurer',
    });
  });

  it('are read between dots, under German names', async () => {
    expect(
      await fieldsOf(
        '# Ziele',
        'Dokument-Nr.: HV-SZ-002 · Ausgabe: 1.0 · Stand: 20.01.2026 · Status: freigegeben · Verfasser: M. Sommer',
      ),
    ).toEqual({ version: '1.0', date: '20.01.2026', status: 'freigegeben', author: 'M. Sommer' });
  });

  it('are read behind the company, with names and no colon', async () => {
    expect(
      await fieldsOf(
        '# Sicherheitsplan',
        'Musterwerk Technik GmbH, Aurich – Dokument MW-PL – Ausgabe 3 – 14.02.2025 – Status: freigegeben',
      ),
    ).toEqual({ version: '3', date: '14.02.2025', status: 'freigegeben' });
    expect(
      await fieldsOf(
        '# Plan',
        'Marlow Sensing Ltd, Bristol. XSL-K-100, Issue 2.1, 9 Sept 2024, RELEASED.',
        'Authors Ann Lee, Sunita Ray; reviewer Dr Nora Obin; approver Mark Quill.',
      ),
    ).toEqual({
      version: '2.1',
      date: '9 Sept 2024',
      status: 'RELEASED',
      author: 'Ann Lee, Sunita Ray',
      reviewer: 'Dr Nora Obin',
      approver: 'Mark Quill',
    });
  });

  it('are read in covers of three columns', async () => {
    expect(
      await fieldsOf(
        '| Document | XN-030 Hazard list | |',
        '| Issue | B | |',
        '| Issue date | 23 May 2025 | |',
        '| Prepared by | Tom Hesk | Functional Safety |',
      ),
    ).toEqual({ version: 'B', date: '23 May 2025', author: 'Tom Hesk' });
  });

  it('are no words of a sentence', async () => {
    expect(
      await fieldsOf(
        '# HARA',
        'Version 2.0 of the tool is used, which was released on 2026-04-02.',
        'The author of a change names its reason. Version 3, the next one, follows.',
      ),
    ).toEqual({});
  });
});

it('shows an empty field by its name', async () => {
  const document = analysedDocument('HARA.md', ['| Number | 7100 |', '| Version |  |', '| State | valid |']);
  const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
  const { state, evidence } = fieldOf(corpus, 'version', document.id);
  expect(state).toBe('open');
  expect(evidence.map(({ quote }) => quote)).toEqual(['Version']);
  expect(fieldOf(corpus, 'status', document.id)).toMatchObject({ state: 'present', value: 'valid' });
});

describe('a cover of one row below its titles', () => {
  const number = async (name: string, ...lines: readonly string[]) => {
    const document = analysedDocument(name, lines);
    const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
    return fieldOf(corpus, 'document_id', document.id);
  };

  it.each([
    [
      [
        '# HARA',
        '| Document number | Version | Date | Status | Author |',
        '| PW-02 | 1.3 | 2026-04-02 | Approved | Ann Lee |',
      ],
    ],
    [
      [
        '# HARA',
        '| Version | Date | Status | Author | Input |',
        '| 1.3 | 2026-04-02 | Approved | Ann Lee | PW-01 |',
      ],
    ],
    [
      [
        '# HARA',
        '| Dokument | Ausgabe | Datum | Status | Autor |',
        '| PW-02 | 1.3 | 2026-04-02 | Approved | Ann Lee |',
      ],
    ],
  ])('gives its fields', async (lines) => {
    expect(await fieldsOf(...lines)).toEqual({
      ...{ version: '1.3', date: '2026-04-02', status: 'Approved', author: 'Ann Lee' },
    });
  });

  it.each([
    // A review, a list of several, and a table of other things.
    [
      [
        '# Log',
        '| Review ID | Document | Version | Date | Author |',
        '| R-1 | PW-02 | 1.3 | 2026-04-02 | Ann Lee |',
      ],
    ],
    [
      [
        '# Inputs',
        '| Document | Version | Date |',
        '| PW-01 | 1.0 | 2026-03-02 |',
        '| PW-02 | 1.3 | 2026-04-02 |',
      ],
    ],
    [['# Parts', '| Version | Part | Price | Size | Colour |', '| 1.3 | wheel | 2 | 3 | red |']],
  ])('is told from other tables', async (lines) => {
    expect(await fieldsOf(...lines)).toEqual({});
  });

  it('may have its number before its title, where its file has it, too', async () => {
    expect(await number('KD-010 item.md', '# KD-010 Item definition', 'Text.')).toMatchObject({
      value: 'KD-010',
    });
    expect(await number('PW_2.1-03 concept.md', 'PW_2.1-03 Concept of the pump')).toMatchObject({
      value: 'PW_2.1-03',
    });
    expect(await number('DOC-7.docx', '# DOC-7 Sicherheitsplan')).toMatchObject({ value: 'DOC-7' });
    expect((await number('item.md', '# KD-010 Item definition', 'Text.')).state).toBe('missing');
    expect((await number('KD-010b item.md', '# KD-010 Item definition')).state).toBe('missing');
    expect((await number('SG-01.md', '# Goals', 'SG-01 The pump stops.')).state).toBe('missing');
  });
});

describe('fields of a cover in forms of the house', () => {
  const days = async (...lines: readonly string[]) => {
    const document = analysedDocument('HARA.md', lines);
    const corpus = await corpusOf({ documents: [document], scope: {} }, async () => {});
    return Object.fromEntries(
      ['document_id', 'version', 'date', 'author', 'reviewer', 'approver', 'approval_date'].flatMap((key) => {
        const { state, value, evidence } = fieldOf(corpus, key, document.id);
        if (state !== 'present') return [];
        for (const { quote, start, end } of evidence)
          expect(document.document.text.slice(start, end)).toBe(quote);
        return [[key, value!]];
      }),
    );
  };

  it('are persons with their days: "K. Morita 2025/04/07", and number and version beside each other', async () => {
    expect(
      await days(
        '| Hazard analysis | BVW-HA-003 | Rev 3 |',
        '',
        '| Prepared | Checked | Approved |',
        '| K. Morita 2025/04/07 | T. Hayashi 2025/04/09 | A. Nishida 2025/04/16 |',
      ),
    ).toEqual({
      document_id: 'BVW-HA-003',
      version: '3',
      date: '2025/04/07',
      author: 'K. Morita',
      reviewer: 'T. Hayashi',
      approver: 'A. Nishida',
      approval_date: '2025/04/16',
    });
  });

  it('are "Dr. Katrin Holzapfel, 05.02.2024" and "Version and date"', async () => {
    expect(
      await days(
        '| Stand | V1.3 |',
        '| Verfasserin | Dr. Katrin Holzapfel, 05.02.2024 |',
        '| Bestätigungsprüfung | Henning Voss (I3), 12.02.2024 |',
        '| Freigabe | 14.02.2024, Jörg Wimmer |',
      ),
    ).toEqual({
      version: 'V1.3',
      date: '05.02.2024',
      author: 'Dr. Katrin Holzapfel',
      reviewer: 'Henning Voss',
      approver: 'Jörg Wimmer',
      approval_date: '14.02.2024',
    });
    expect(
      await days(
        '| Field | Entry |',
        '| Version and date | v1.0, June 20, 2025 |',
        '| Author | Hannah Voss |',
        '| Status | Released June 30, 2025 |',
      ),
    ).toMatchObject({ version: 'v1.0', date: 'June 20, 2025', approval_date: 'June 30, 2025' });
  });

  it('are sentences below the title, with days in words and names with initials', async () => {
    expect(
      await days(
        '# HARA',
        'Doc.-No. EPB4-SP, Version V1.3, dated 08.02.2024, author Dr. S. Ortlieb, released 23.02.2024.',
      ),
    ).toMatchObject({
      version: '1.3',
      date: '08.02.2024',
      author: 'Dr. S. Ortlieb',
      approval_date: '23.02.2024',
    });
    expect(
      await days(
        '# HARA',
        'Revision C, March 14, 2025. Author: Priya Raman, Chassis Systems. Prepared under Safety Plan v2.1.',
      ),
    ).toMatchObject({ version: 'C', date: 'March 14, 2025', author: 'Priya Raman, Chassis Systems' });
  });

  it('are the last row of a list of versions under whatever heading', async () => {
    expect(
      await days(
        '## Change sheet',
        '| Rev | Date | Contents of change | By |',
        '| 1 | 2025/04/21 | First issue | T. Hayashi |',
        '| 2 | 2025/05/12 | Cell added | T. Hayashi |',
      ),
    ).toMatchObject({ version: '2', date: '2025/05/12' });
  });
});
