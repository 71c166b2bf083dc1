import { describe, expect, it } from 'vitest';
import { documentOfLines } from '../../testing/document-fixture.js';
import { passagesOf, takeApart } from './passages-of.js';

/** Role of the passage that begins with the words. */
function roleOf(lines: readonly string[], begins: string): string | undefined {
  return passagesOf('d', documentOfLines(lines)).find((passage) => passage.text.startsWith(begins))?.role;
}

describe('roles by heading', () => {
  it.each([
    ['# 1.2 Scope', 'scope'],
    ['# Purpose of the safety plan', 'scope'],
    ['# 1 Zweck und Geltungsbereich', 'scope'],
    ['# References', 'references'],
    ['# Mitgeltende Unterlagen', 'references'],
    ['# Abkürzungsverzeichnis', 'glossary'],
    ['# Terms and definitions', 'glossary'],
    ['# Document history', 'history'],
    ['# Änderungshistorie', 'history'],
    ['# Examples', 'example'],
    ['# Hazard analysis guidewords', 'catalogue'],
    ['# Inhaltsverzeichnis', 'toc'],
    ['# Instructions', 'guidance'],
    // Content of their own, however near the words are.
    ['# Purpose of the item', 'body'],
    ['# Scope of the item', 'body'],
    ['# 4 Safety goals', 'body'],
    ['# Historie der Gefährdungen', 'body'],
    ['# Reference architecture', 'body'],
  ])('%s → %s', (heading, role) => {
    expect(roleOf([heading, 'Some words about the thing.'], 'Some words')).toBe(role);
  });

  it('takes rows about goals for statements, also below a heading that only announces', () => {
    const goals = ['| Goal | ASIL | FTTI |', '| Goal 1 | B | 30 s |'];
    expect(roleOf(['# 2 Overview', 'Words here.', ...goals], 'Goal 1')).toBe('body');
    expect(roleOf(['# Einleitung', '| Ziel | Sicherer Zustand |', '| Ziel A | Motor aus |'], 'Ziel A')).toBe(
      'body',
    );
    expect(roleOf(['# 2 Overview', '| Chapter | Content |', '| 3 | Goals |'], '3')).toBe('scope');
    expect(roleOf(['# 2 References', ...goals], 'Goal 1')).toBe('references');
  });

  it('passes the role of a list of references on to its subsections, that of a scope not', () => {
    expect(roleOf(['# References', '## Standards', 'Words here.'], 'Words')).toBe('references');
    expect(roleOf(['# Introduction', '## Item definition', 'Words here.'], 'Words')).toBe('body');
  });
});

describe('roles by kind, table and words', () => {
  it('knows tables that carry no evidence by their columns', () => {
    const history = ['| Version | Date | Author | Change |', '| 1.0 | 2026-01-02 | A. Berg | FSC added |'];
    const abkuerzungen = ['| Abkürzung | Bedeutung |', '| FTTI | Fehlertoleranzzeit |'];
    const findings = ['| Finding | Reviewer | Status |', '| FTTI missing | K. Osei | open |'];
    const goals = ['| ID | Safety goal | ASIL |', '| SG-01 | Avoid unintended braking | C |'];
    expect(roleOf(history, '1.0')).toBe('history');
    expect(roleOf(abkuerzungen, 'FTTI')).toBe('glossary');
    expect(roleOf(findings, 'FTTI missing')).toBe('comment');
    expect(roleOf(goals, 'SG-01')).toBe('body');
    // Who tested and what was noted: no review.
    const tests = [
      '| Nr. | Prüfer | gemessen | Urteil | Bemerkung |',
      '| P1 | K. Kern | 3 ms | bestanden | |',
    ];
    expect(roleOf(tests, 'P1')).toBe('body');
  });

  it('takes a reviewer’s remark, a comment, an example and a leader for what they are', () => {
    expect(roleOf(['Reviewer: FTTI missing'], 'Reviewer')).toBe('comment');
    expect(roleOf(['> FTTI missing'], 'FTTI')).toBe('comment');
    expect(roleOf(['Example: SG-01 Avoid braking.'], 'Example')).toBe('example');
    expect(roleOf(['6 Dependent failure analysis ........ 14'], '6 Dep')).toBe('toc');
  });

  const goal = ['| ID | Safety goal | ASIL |', '| SG-99 | Avoid something | C |'];
  it.each([
    [['Example', ...goal], 'example'],
    [['Beispiel 2:', 'So wird ein Ziel geschrieben:', ...goal], 'example'],
    [['Example of a goal:', ...goal], 'example'],
    [['# 3.2 Beispiel für ein Ziel', ...goal], 'example'],
    [['| Example | | |', ...goal], 'example'],
    // One table only, and only what follows directly.
    [['Example', '| ID | Text |', '| SG-98 | Words |', '', ...goal], 'body'],
    [['Example', 'SG-98 Avoid something else.', ...goal], 'body'],
    [['For example, goals are listed here.', ...goal], 'body'],
    [['Sample B2 was tested:', ...goal], 'body'],
    [['# Example vehicle', ...goal], 'body'],
  ])('takes a table announced as an example for one: %j', (lines, role) => {
    expect(roleOf(lines, 'SG-99')).toBe(role);
  });
});

describe('template instructions', () => {
  it('reach from the opening bracket to the closing one, over paragraphs and lists', () => {
    const lines = [
      '# Item definition',
      '[Instructions:',
      'Discuss these key points about the system:',
      '- What is the item in question?',
      ']',
      'The item alerts the driver.',
    ];
    const roles = passagesOf('d', documentOfLines(lines)).map((passage) => passage.role);
    expect(roles).toEqual(['heading', 'guidance', 'guidance', 'guidance', 'guidance', 'body']);
  });

  it('end at the next heading when the bracket is never closed', () => {
    const lines = ['# A', '[Instructions: describe the item', 'more', '# B', 'Content of B.'];
    expect(roleOf(lines, 'Content')).toBe('body');
  });

  it('end at the header of a table after a line that only says "Instructions:"', () => {
    const lines = ['INSTRUCTIONS:', 'Fill out the table below.', '| ID | Hazard |', '| H-1 | Fire |'];
    expect(roleOf(lines, 'Fill out')).toBe('guidance');
    expect(roleOf(lines, 'H-1')).toBe('body');
  });

  it.each([
    '[Hinweis: Beschreiben Sie das Item]',
    'Hier bitte die Schnittstellen beschreiben.',
    'Describe here the interfaces.',
  ])('%s', (text) => expect(roleOf([text], text.slice(0, 5))).toBe('guidance'));

  it.each([
    '[SG-01] Avoid unintended braking.',
    'The system shall describe its state to the driver.',
    '[1] ISO 26262-3',
  ])('spares %s', (text) => expect(roleOf([text], text.slice(0, 4))).toBe('body'));

  it('leaves content behind a closing bracket to its author', () => {
    expect(roleOf(['[Instructions: add the version] Version 1.0 of the concept'], '[Instr')).toBe('body');
  });
});

it('every passage names its block and range', () => {
  const document = documentOfLines(['# A', 'One.', '| a | b |', '| 1 | 2 |']);
  const { passages, tables } = takeApart('doc', document);
  for (const [index, passage] of passages.entries()) {
    expect(passage.id).toBe(`doc#${index}`);
    expect(document.text.slice(passage.start, passage.end)).toBe(passage.text);
  }
  expect(passages[3]?.columns).toEqual(['a', 'b']);
  expect(tables).toHaveLength(1);
});
