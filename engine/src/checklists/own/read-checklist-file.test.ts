import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { xlsxFile } from '../../documents/testing/office-files.js';
import { ChecklistFileError } from './checklist-file-error.js';
import { readChecklistFile } from './read-checklist-file.js';

const read = (content: string | Uint8Array, fileName: string) =>
  readChecklistFile(typeof content === 'string' ? new TextEncoder().encode(content) : content, fileName, {
    readDocument: (bytes, name) => readDocument(bytes, { fileName: name }),
  });
const refused = async (content: string | Uint8Array, fileName: string): Promise<ChecklistFileError> => {
  const error = await read(content, fileName).catch((thrown: unknown) => thrown);
  if (!(error instanceof ChecklistFileError))
    throw new Error('expected a ChecklistFileError', { cause: error });
  return error;
};
const rows = (...lines: (readonly string[])[]): string => {
  const cell = (text: string, column: number, row: number) =>
    `<c r="${String.fromCharCode(65 + column)}${row + 1}" t="inlineStr"><is><t>${text}</t></is></c>`;
  const line = (texts: readonly string[], row: number) =>
    `<row r="${row + 1}">${texts.map((text, column) => (text === '' ? '' : cell(text, column, row))).join('')}</row>`;
  return `<sheetData>${lines.map(line).join('')}</sheetData>`;
};

describe('tables', () => {
  it('takes items and what a person answered, and keeps the answers as claims', async () => {
    const csv = [
      'No;Question;Standard;Severity;Hint;Result;Comment;Evidence',
      'R1;Is every requirement testable?;WI-7 4.2;high;Look at limits.;yes;fine;',
      'R2;Are all roles named?;;;;OK;;Safety plan 2.1',
      'R3;Is the plan approved?;;;;N/A;no plan;',
      'R4;Is the tool list complete?;;;;NOK;two are missing;',
      'R5;Is the budget known?;;;;open;;',
    ].join('\n');
    const { checklist, answers } = await read(csv, 'our review.csv');
    expect(checklist).toMatchObject({ id: 'USR-OUR-REVIEW', source: 'own', domain: 'own' });
    expect(checklist.items.map((item) => item.id)).toEqual([
      'USR-R1',
      'USR-R2',
      'USR-R3',
      'USR-R4',
      'USR-R5',
    ]);
    expect(checklist.items[0]).toMatchObject({
      text: { en: 'Is every requirement testable?' },
      refs: ['WI-7 4.2'],
      severity: 'high',
      pass: { en: 'Look at limits.' },
      claimed: { result: 'pass', remark: 'fine' },
    });
    expect(checklist.items[1]!.severity).toBe('medium');
    expect(
      answers.map(({ itemId, result, standing, confidence }) => [itemId, result, standing, confidence]),
    ).toEqual([
      ['USR-R1', 'pass', 'claimed', 'low'],
      ['USR-R2', 'pass', 'referenced', 'medium'],
      ['USR-R3', 'NA', 'claimed', 'low'],
      ['USR-R4', 'fail', 'claimed', 'low'],
    ]);
    expect(answers[1]!.location?.line).toBe(3);
  });

  it.each([
    ['ja', 'pass'],
    ['Erfüllt', 'pass'],
    ['✓', 'pass'],
    ['i.O.', 'pass'],
    ['nein', 'fail'],
    ['n.i.O.', 'fail'],
    ['✗', 'fail'],
    ['entf.', 'NA'],
    ['Entfällt', 'NA'],
  ])('reads the German answer "%s" as %s', async (written, result) => {
    const { answers } = await read(
      `Nr.;Prüffrage;Ergebnis\n1;Sind alle Rollen benannt?;${written}\n`,
      'prüfung.csv',
    );
    expect(answers.map((answer) => answer.result)).toEqual([result]);
  });

  it('reads columns that are crossed, passes over titles of groups and reads every sheet', async () => {
    const file = xlsxFile([
      {
        name: 'Part 1',
        content: rows(
          ['ID', 'Question', 'Yes', 'No', 'N/A'],
          ['Planning activities'],
          ['A1', 'Is there a plan?', 'x'],
          ['A2', 'Is it approved?', '', 'x'],
        ),
      },
      { name: 'Part 2', content: rows(['ID', 'Question', 'Remark'], ['B1', 'Is it tested?', 'later']) },
    ]);
    const { checklist, answers } = await read(file, 'both.xlsx');
    expect(checklist.items.map((item) => item.id)).toEqual(['USR-A1', 'USR-A2', 'USR-B1']);
    expect(answers.map((answer) => answer.result)).toEqual(['pass', 'fail']);
  });

  it('takes a status that says how far a document is for no answer', async () => {
    const { answers } = await read(
      'ID,Question,Status\n1,Is there a plan?,draft\n2,And a test?,released\n',
      'a.csv',
    );
    expect(answers).toEqual([]);
  });

  it('makes ids from the words where there are none, whatever row they stand in', async () => {
    const first = await read('Question,Remark\nIs there a plan?,a\nIs it tested?,b\n', 'a.csv');
    const second = await read('Question,Remark\nIs it new?,c\nIs it  TESTED?,b\n', 'a.csv');
    expect(first.checklist.items[1]!.id).toMatch(/^USR-[0-9a-f]{8}$/);
    expect(second.checklist.items[1]!.id).toBe(first.checklist.items[1]!.id);
  });

  it('names sheet, row and column of everything that is wrong', async () => {
    const file = xlsxFile([
      {
        name: 'Review',
        content: rows(
          ['Item no', 'Question', 'Priority', 'Result'],
          ['1', 'Is there a plan?', 'urgent', 'yes'],
          ['', 'Is it approved by somebody else?', '', 'perhaps'],
          ['1', 'Is it tested?', '', ''],
          ['4', '', 'high', ''],
        ),
      },
    ]);
    const error = await refused(file, 'review.xlsx');
    expect(error.problems.map(({ sheet, row, column }) => [sheet, row, column])).toEqual([
      ['Review', 2, 'Priority'],
      ['Review', 3, 'Item no'],
      ['Review', 3, 'Result'],
      ['Review', 4, 'Item no'],
      ['Review', 5, 'Question'],
    ]);
    expect(error.message).toContain(
      'sheet "Review", row 4, column "Item no": It is the same as in sheet "Review", row 2',
    );
    expect(error.message).toContain('critical, high, medium, low');
    expect(error.message).not.toContain('urgent');
    expect(error.hint).not.toBe('');
  });

  it('says which columns it needs, and which files it reads', async () => {
    expect((await refused('Colour,Size\nred,7\n', 'a.csv')).message).toContain(
      'No table has a column with the questions',
    );
    expect((await refused('Just words.', 'a.txt')).hint).toContain('XLSX');
  });
});

describe('YAML', () => {
  it('reads the short form', async () => {
    const { checklist, answers } = await read(
      'checklist: {title: House review}\nitems:\n  - {id: A, text: Is there a plan?, result: "yes", evidence: PP 2}\n  - {id: B, text: Is it approved?, severity: low}\n',
      'house.yaml',
    );
    expect(checklist).toMatchObject({ id: 'USR-HOUSE-REVIEW', title: { en: 'House review' } });
    expect(checklist.items.map(({ id, severity }) => [id, severity])).toEqual([
      ['USR-A', 'medium'],
      ['USR-B', 'low'],
    ]);
    expect(answers).toMatchObject([{ itemId: 'USR-A', result: 'pass', standing: 'referenced' }]);
  });

  it.each([
    ['an unknown key', '  - {id: A, text: Plan there?}\n  - {id: B, text: x y, colour: red}', 4],
    ['an answer that nobody knows', '  - {id: A, text: Plan there?, result: perhaps}', 3],
    ['an id that is there twice', '  - {id: A, text: Plan there?}\n  - {id: A, text: Again there?}', 4],
    ['an alias', '  - {id: A, text: &t Plan there?}\n  - {id: B, text: *t}', 4],
  ])('names the line of %s', async (_, items, line) => {
    const error = await refused(`checklist: {title: T}\nitems:\n${items}\n`, 'a.yaml');
    expect(error.problems[0]!.line).toBe(line);
  });

  it('reads the form of the lists that come with the engine, with ids of its own', async () => {
    const text = (id: string) =>
      [
        `id: ${id}`,
        'title: { en: Own list, de: Eigene Liste }',
        'domain: own',
        'about: { document_types: [safety_plan], names: { en: [safety plan], de: [Sicherheitsplan] } }',
        'items:',
        `  - id: ${id}-01`,
        '    text: { en: A manager is named, de: Ein Manager ist benannt }',
        '    pass: { en: A name, de: Ein Name }',
        '    fail: { en: A role only, de: Nur eine Rolle }',
        '    severity: high',
        '    auto: full',
        '    checks:',
        '      - { check: section, of: [safety_plan.roles] }',
      ].join('\n');
    const { checklist } = await read(text('USR-PLAN'), 'plan.yaml');
    expect(checklist.items[0]).toMatchObject({ id: 'USR-PLAN-01', automation: 'full' });
    expect((await refused(text('FS-PLAN'), 'plan.yaml')).hint).toContain('USR-');
    await expect(
      read(text('USR-PLAN').replace('safety_plan.roles', 'safety_plan.rolls'), 'p.yaml'),
    ).rejects.toThrow(/p\.yaml:\d+: There is no section "safety_plan\.rolls"/);
  });
});

describe('files that nobody could use', () => {
  it('refuses too many items, long ids and bytes that are no text', async () => {
    const many = Array.from({ length: 2_001 }, (_, n) => `${n},Is ${n} done?`).join('\n');
    expect((await refused(`ID,Question\n${many}\n`, 'a.csv')).message).toContain('at most 2000');
    expect((await refused(`ID,Question\n${'x'.repeat(200)},Is it done?\n`, 'a.csv')).message).toMatch(
      /more than 100/,
    );
    expect((await refused(new Uint8Array([0xff, 0xfe, 0xfd]), 'a.yaml')).message).toContain('UTF-8');
  });
});
