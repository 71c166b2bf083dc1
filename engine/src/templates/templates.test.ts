import { describe, expect, it } from 'vitest';
import { DataError } from '../data/data-error.js';
import { loadDocumentTypes, parseDocumentType } from '../document-types/load-document-types.js';
import { checkCompleteness } from '../engines/completeness/run.js';
import { analysedDocument, documentOfLines } from '../testing/document-fixture.js';
import { learnTemplate } from './learn-template.js';
import { printTemplate } from './print-template.js';
import { readTemplate } from './read-template.js';
import { TemplateError } from './template-error.js';

const EMPTY = [
  '# Calibration Report Template',
  '## Change history',
  '| Version | Date | Author | Change |',
  '| | | | |',
  '## 1 Purpose of the calibration',
  '[Instructions: say why the calibration was done]',
  '## 2 Parameter sets',
  '| Parameter | Unit | Old value | New value | Remark |',
  '| | | | | |',
  '## 3 Measured vehicles',
  'Describe here which vehicles were used.',
  '## 4 Photographs (optional)',
  '## Abbreviations',
];

describe('learning a template', () => {
  const learnt = learnTemplate(documentOfLines(EMPTY));

  it('takes sections from headings and tables from titled columns', () => {
    expect(learnt).toMatchObject({ id: 'calibration_report', name: { en: 'Calibration Report' } });
    expect(learnt.sections.map(({ key, need }) => [key, need])).toEqual([
      ['purpose_of_the_calibration', 'required'],
      ['parameter_sets', 'required'],
      ['measured_vehicles', 'required'],
      ['photographs', 'optional'],
    ]);
    expect(learnt.tables).toHaveLength(1);
    expect(learnt.tables[0]!.title).toBe('Parameter sets');
    expect(learnt.tables[0]!.columns.map(({ names, required }) => [names[0], required])).toEqual([
      ['Parameter', true],
      ['Unit', true],
      ['Old value', true],
      ['New value', true],
      ['Remark', false],
    ]);
  });

  it('is written as YAML and read back as the same', async () => {
    expect(await parseDocumentType(printTemplate(learnt), 'own.yaml')).toEqual(learnt);
    const [, hara] = [...(await loadDocumentTypes())].find(([id]) => id === 'hara')!;
    expect(await parseDocumentType(printTemplate(hara), 'hara.yaml')).toEqual(hara);
  });

  it('checks documents against what it learnt, and the template itself is empty', async () => {
    const filled = analysedDocument('Calibration Report of series 4.md', [
      '# Calibration Report of series 4',
      '## 1 Purpose of the calibration',
      'The engagement torque of the clutch was adapted because customers reported jerks at low speed in the cold.',
      '## 2 Parameter sets',
      '| Parameter | Unit | Old value |',
      '| Engagement torque | Nm | 40 |',
      '| Ramp | Nm/s | 12 |',
    ]);
    const empty = analysedDocument('empty.md', EMPTY, { documentType: learnt.id });
    const { documents, findings } = await checkCompleteness({
      documents: [filled, empty],
      templates: [learnt],
    });
    expect(documents[0]!.templates.map((one) => one.type)).toEqual(['calibration_report']);
    expect(documents[0]!.templates[0]!.sections.map((one) => one.state)).toEqual([
      'complete',
      'complete',
      'missing',
      'missing',
    ]);
    expect(documents[0]!.score.states.missing).toBe(1);
    expect(findings.find((one) => one.kind === 'table_columns')?.observed).toContain('"New value"');
    expect(findings.filter((one) => one.kind === 'empty_template')).toHaveLength(1);
  });

  it('takes the title once more for no section', () => {
    const { sections } = learnTemplate(
      documentOfLines(['# Work plan', 'K4711', '# Work plan of the door', '## Aims', '# Work plan']),
      {
        name: 'Work plan',
      },
    );
    expect(sections.map((section) => section.heading.en)).toEqual(['Work plan of the door', 'Aims']);
  });

  it('says so where nothing can be learnt', () => {
    expect(() => learnTemplate(documentOfLines(['Just a line.']), { name: 'Note' })).toThrow(TemplateError);
    expect(() => learnTemplate(documentOfLines(['## 1 One', '## 2 Two']))).toThrow(/no title/);
    expect(
      learnTemplate(documentOfLines(['## 1 Aims', '## 2 Means']), { fileName: '07_WorkPlan_Template.docx' }),
    ).toMatchObject({
      id: 'work_plan',
      sections: [{ key: 'aims' }, { key: 'means' }],
    });
  });
});

describe('own templates in YAML', () => {
  const yaml = (lines: readonly string[]) => new TextEncoder().encode(lines.join('\n'));
  const problems = async (lines: readonly string[]) =>
    readTemplate(yaml(lines), 'own.yaml').then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof DataError)) throw error;
        return error.problems.map(({ line, problem }) => `${line}: ${problem}`);
      },
    );
  const head = ['id: own', 'name: { en: Own plan, de: Eigener Plan }', 'aliases: [Own plan]', 'sections:'];
  const section = (key: string, more: string) =>
    `  - { key: ${key}, heading: { en: ${key} aims, de: ${key} Ziele }, ${more} }`;

  it('are read', async () => {
    const type = await readTemplate(
      yaml([...head, section('one', 'need: required, severity: high, min_words: 40')]),
      'own.yaml',
    );
    expect(type.sections[0]).toMatchObject({ minWords: 40, critical: false });
  });

  it.each([
    [
      'an unknown key',
      [...head, section('one', 'need: required, severity: high, colour: red')],
      /^5: Unknown key "colour"/,
    ],
    [
      'an unknown condition',
      [...head, section('one', 'need: conditional, condition: moon, severity: high')],
      /^5: There is no condition "moon"/,
    ],
    [
      'required and conditional at once',
      [...head, section('one', 'need: required, condition: variants, severity: high')],
      /^5: The section "one" is required and has a condition/,
    ],
    [
      'one heading for two sections',
      [
        ...head,
        section('one', 'need: required, severity: high, synonyms: [aims]'),
        section('two', 'need: optional, severity: low, synonyms: [Aims]'),
      ],
      /^6: "aims" means both "one" and "two"/,
    ],
    [
      'a key twice',
      [
        ...head,
        section('one', 'need: required, severity: high'),
        section('one', 'need: optional, severity: low'),
      ],
      /twice/,
    ],
    ['broken YAML', ['id: own', 'name: {'], /not valid YAML/],
  ])('are refused for %s, with the line', async (_, lines, expected) => {
    expect((await problems(lines)).join('\n')).toMatch(expected);
  });

  it('refuse one title for two columns', async () => {
    const lines = [
      ...head,
      section('one', 'need: required, severity: high'),
      'tables:',
      '  - key: t',
      '    title: Things',
      '    columns:',
      '      - { key: a, names: [Name] }',
      '      - { key: b, names: [name] }',
    ];
    expect(await problems(lines)).toEqual(['11: "name" means both "a" and "b"']);
  });
});
