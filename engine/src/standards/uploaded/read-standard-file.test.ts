import { describe, expect, it } from 'vitest';
import { assembleBlocks, type BlockDraft } from '../../documents/block.js';
import type { Document, DocumentFormat } from '../../documents/document.js';
import { processorTime } from '../../testing/processor-time.js';
import { hasLicenceMark } from './licence-mark.js';
import { readStandardFile } from './read-standard-file.js';
import { StandardFileError } from './standard-file-error.js';

function documentOf(drafts: BlockDraft[], format: DocumentFormat = 'markdown'): Document {
  return { format, ...assembleBlocks(drafts), language: 'en', properties: {}, notes: [] };
}
const heading = (text: string, level: number): BlockDraft => ({ kind: 'heading', text, level, location: {} });
const paragraph = (text: string): BlockDraft => ({ kind: 'paragraph', text, location: {} });
const item = (text: string): BlockDraft => ({ kind: 'list_item', text, level: 1, location: {} });
const row = (header: boolean, number: number, ...texts: string[]): BlockDraft => ({
  kind: 'table_row',
  text: '',
  table: { id: 0, row: number - 1, header },
  location: { line: number },
  cells: texts.map((text, column) => ({ text, column, location: {} })),
});

const read = (content: string | Document, fileName: string) =>
  readStandardFile(
    typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(),
    fileName,
    {
      id: 'own',
      readDocument: async () => {
        if (typeof content === 'string') throw new Error('not expected to be read as a document');
        return content;
      },
    },
  );
const problemsOf = async (content: string | Document, fileName: string) => {
  const error = await read(content, fileName).catch((thrown: unknown) => thrown);
  if (!(error instanceof StandardFileError))
    throw new Error('expected a StandardFileError', { cause: error });
  return error.problems;
};

describe('OSCAL', () => {
  const catalog = {
    catalog: {
      metadata: { title: 'House rules', version: '2' },
      groups: [
        {
          id: 'ac',
          title: 'Access',
          controls: [
            {
              id: 'ac-1',
              title: 'Accounts',
              props: [{ name: 'label', value: 'AC-1' }],
              params: [{ id: 'p1', label: 'time span' }],
              parts: [
                {
                  name: 'statement',
                  prose: 'Remove accounts:',
                  parts: [{ name: 'item', prose: 'after {{ insert: param, p1 }}.' }],
                },
                { name: 'guidance', prose: 'Not a demand.' },
              ],
              controls: [{ id: 'ac-1.1', title: 'Automation' }],
            },
            { id: 'ac-9', title: 'Gone', props: [{ name: 'status', value: 'withdrawn' }] },
          ],
        },
      ],
    },
  };

  it('takes controls in order, fills in parameters, leaves out withdrawn ones and guidance', async () => {
    const standard = await read(JSON.stringify(catalog), 'house.json');
    expect(standard.designation).toBe('House rules');
    expect(standard.edition).toBe('2');
    expect(standard.criteria.map(({ id }) => id)).toEqual(['group:ac', 'AC-1', 'AC-1.1']);
    expect(standard.criteria[1]).toMatchObject({
      text: 'Remove accounts: after time span.',
      parentId: 'group:ac',
    });
  });

  it('names the path of what does not fit', async () => {
    const wrong = { catalog: { metadata: { title: 'x' }, controls: [{ id: 7, title: 'Seven' }] } };
    expect((await problemsOf(JSON.stringify(wrong), 'a.json'))[0]?.path).toBe('catalog.controls.0.id');
    expect(await problemsOf('{"a":1}', 'a.json')).toHaveLength(1);
    expect((await problemsOf('{"a":', 'a.json'))[0]?.message).toMatch(/not valid JSON/);
  });

  it('refuses a catalog nested deeper than the stack', async () => {
    const depth = 40_000;
    const text = `{"catalog":{"metadata":{"title":"x"},"groups":${'[{"title":"g","groups":'.repeat(depth)}[]${'}]'.repeat(depth)}}}`;
    expect((await problemsOf(text, 'deep.json')).length).toBeGreaterThan(0);
  });
});

describe('YAML', () => {
  it('reads criteria with groups and phrases', async () => {
    const standard = await read(
      'standard: {designation: WI-7, edition: 3}\ncriteria:\n  - {id: R1, group: Reviews, text: Each change is reviewed., terms: [[review record]]}\n  - {id: R2, text: Logs are kept., obligation: should}\n',
      'wi.yaml',
    );
    expect(standard).toMatchObject({ designation: 'WI-7', edition: '3', source: 'uploaded' });
    expect(standard.criteria.map(({ id, severity }) => [id, severity])).toEqual([
      ['group:Reviews', 'low'],
      ['R1', 'high'],
      ['R2', 'medium'],
    ]);
    expect(standard.criteria[1]?.lookFor?.terms).toEqual([['review record']]);
  });

  it('names the line of an unknown key, of a doubled id, and refuses aliases', async () => {
    const unknown = await problemsOf(
      'standard: {designation: A}\ncriteria:\n  - id: R1\n    text: x y\n    prio: 1\n',
      'a.yml',
    );
    expect(unknown[0]).toMatchObject({ path: 'criteria.0', line: 3 });
    const doubled =
      'standard: {designation: A}\ncriteria:\n  - {id: R1, text: one}\n  - {id: R1, text: two}\n';
    expect((await problemsOf(doubled, 'a.yml'))[0]?.message).toContain('"R1"');
    const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n';
    expect((await problemsOf(bomb, 'a.yml'))[0]?.message).toMatch(/aliases/);
    const twice = 'standard: {designation: A}\ncriteria:\n  - id: R1\n    text: x\n    text: y\n';
    expect((await problemsOf(twice, 'a.yml'))[0]).toMatchObject({ line: 5 });
  });

  it.each([
    ['keys in keys', '? '.repeat(3_000)],
    ['lists in lists', `standard: ${'['.repeat(400_000)}`],
    ['items in items', '- '.repeat(100_000)],
    ['many keys', Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join('\n')],
  ])('gives up at once on %s', async (_, text) => {
    const taken = processorTime();
    await expect(read(text, 'a.yaml')).rejects.toThrow();
    expect(taken()).toBeLessThan(2_000);
  });
});

it('refuses more criteria than anybody could judge', async () => {
  const many = Array.from({ length: 20_001 }, (_, n) => `  - {id: R${n}, text: It shall ${n}.}`).join('\n');
  const [problem] = await problemsOf(`standard: {designation: A}\ncriteria:\n${many}\n`, 'a.yaml');
  expect(problem?.message).toMatch(/20001 criteria/);
});

describe('ids and texts that nobody could store', () => {
  const yaml = (id: string, text: string): string =>
    `standard: {designation: A}\ncriteria:\n  - {id: ${id}, text: ${text}}\n`;

  it('takes zero bytes and halves of characters out', async () => {
    expect((await read(yaml('R1', '"a\\0b"'), 'a.yaml')).criteria[0]?.text).toBe('ab');
    const json = '{"catalog":{"metadata":{"title":"t"},"controls":[{"id":"a","title":"a\\u0000b\\ud800"}]}}';
    expect((await read(json, 'a.json')).criteria[0]?.text).toBe('ab\uFFFD');
  });

  it('refuses an id that is too long, without repeating it', async () => {
    const [problem] = await problemsOf(yaml('x'.repeat(5_000), 'one'), 'a.yaml');
    expect(problem?.message).toMatch(/more than 300/);
    expect(problem?.message.length).toBeLessThan(200);
  });
});

describe('table', () => {
  it('reads ids, texts, groups and severities under German titles', async () => {
    const table = documentOf(
      [
        row(true, 1, 'Nr.', 'Anforderung', 'Kapitel', 'Schweregrad'),
        row(false, 2, 'A1', 'Prüfen.', 'K1', 'niedrig'),
      ],
      'xlsx',
    );
    const standard = await read(table, 'katalog.xlsx');
    expect(standard.criteria.map(({ id, kind }) => [id, kind])).toEqual([
      ['group:K1', 'group'],
      ['A1', 'clause'],
    ]);
    expect(standard.criteria[1]).toMatchObject({ severity: 'low', text: 'Prüfen.' });
  });

  it('names row and column of what is missing', async () => {
    const table = documentOf(
      [
        row(true, 1, 'ID', 'Text', 'Severity'),
        row(false, 2, '', 'No id', ''),
        row(false, 3, 'B', '', 'urgent'),
      ],
      'csv',
    );
    expect(await problemsOf(table, 'a.csv')).toMatchObject([
      { row: 2, column: 'ID' },
      { row: 3, column: 'Text' },
      { row: 3, column: 'Severity' },
    ]);
  });

  it('names both rows of an id that stands twice', async () => {
    const table = documentOf(
      [
        row(true, 1, 'ID', 'Text'),
        row(false, 2, 'A', 'One'),
        row(false, 3, 'B', 'Two'),
        row(false, 4, 'A', 'Three'),
      ],
      'xlsx',
    );
    expect(await problemsOf(table, 'a.xlsx')).toEqual([
      { row: 4, column: 'ID', message: 'The id is that of row 2.' },
    ]);
  });

  it('says which columns are needed', async () => {
    const table = documentOf([row(true, 1, 'Colour', 'Size'), row(false, 2, 'red', '7')], 'csv');
    expect((await problemsOf(table, 'a.csv'))[0]?.message).toMatch(/id column and a text column/);
  });
});

describe('document', () => {
  it('finds demands with clause and id, and leaves out what only explains', async () => {
    const standard = await read(
      documentOf([
        heading('1 Scope', 1),
        paragraph('This standard shall apply to bridges.'),
        heading('4 Design', 1),
        heading('4.1 Loads', 2),
        paragraph('4.1.2 The designer shall record all loads. [BR-010]'),
        paragraph('NOTE 1 The loads shall not be confused with forces.'),
        paragraph('Loads are interesting.'),
        paragraph('The report shall contain:'),
        item('the date'),
        item('the author'),
        paragraph('A drawing should be added.'),
        heading('Anhang A (informativ)', 1),
        paragraph('Hier muss nichts getan werden.'),
        heading('5 Prüfung', 1),
        paragraph('Die Prüfung ist vor der Freigabe zu wiederholen.'),
      ]),
      'bridge.md',
    );
    const clauses = standard.criteria.filter(({ kind }) => kind === 'clause');
    expect(clauses.map(({ id, clause, obligation }) => [id, clause, obligation])).toEqual([
      ['BR-010', '4.1.2', 'shall'],
      ['4.1-1', '4.1', 'shall'],
      ['4.1-2', '4.1', 'should'],
      ['5-1', '5', 'shall'],
    ]);
    expect(clauses[0]?.text).toBe('The designer shall record all loads.');
    expect(clauses[1]?.text).toBe('The report shall contain:\nthe date\nthe author');
    expect(standard.criteria.map(({ title }) => title).slice(0, 2)).toEqual(['Design', 'Loads']);
  });

  it('separates numbered statements that stand in one paragraph', async () => {
    const text = '6.1.1 The team shall plan. [W-1] 6.1.2 The team shall test version 2.0 first. [W-2]';
    const standard = await read(documentOf([heading('6.1 Work', 1), paragraph(text)]), 'w.md');
    expect(standard.criteria.map(({ id }) => id)).toEqual(['group:6.1', 'W-1', 'W-2']);
    expect(standard.criteria[2]?.text).toBe('The team shall test version 2.0 first.');
  });

  it('says so when nothing is demanded', async () => {
    const problems = await problemsOf(documentOf([paragraph('A nice text.')]), 'a.md');
    expect(problems[0]?.message).toMatch(/No demand was found/);
  });
});

it('recognises personal licences', () => {
  expect(hasLicenceMark(`${'x '.repeat(10)}Licensed to Example Ltd`)).toBe(true);
  expect(hasLicenceMark('An ordinary text about a licence plate')).toBe(false);
});
