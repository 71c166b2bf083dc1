import { beforeAll, describe, expect, it } from 'vitest';
import type { DocumentType } from '../document-types/document-type.js';
import { loadDocumentType } from '../document-types/load-document-types.js';
import { documentOfLines } from '../testing/document-fixture.js';
import { takeApart } from './passages/passages-of.js';
import { contentOf, matchSections } from './section-state.js';

let hara: DocumentType;
let concept: DocumentType;
beforeAll(async () => {
  hara = await loadDocumentType('hara');
  concept = await loadDocumentType('functional_safety_concept');
});

function keysFor(heading: string, type: DocumentType): string[] {
  const read = takeApart('d', documentOfLines(['# Document', `## ${heading}`, 'Words.']));
  return matchSections(read, { start: 0, end: 3 }, type).map((match) => match.template.key);
}

describe('headings are matched to the sections of a template', () => {
  it.each([
    ['4.2 Safety Goals', 'safety_goals'],
    ['List of safety goals', 'safety_goals'],
    ['5 Foreseeable misuse', 'misuse'],
    ['Hazard identification', 'malfunctions'],
    ['Driving situations', 'situations'],
    ['Rationale for S, E, C', 'rationale'],
    ['3. Sicherheitsziele', 'safety_goals'],
    ['Vorhersehbarer Fehlgebrauch', 'misuse'],
    ['Betriebssituationen', 'situations'],
    ['Begründung der Einstufung', 'rationale'],
    ['Annahmen', 'assumptions'],
  ])('HARA: %s → %s', (heading, key) => expect(keysFor(heading, hara)).toEqual([key]));

  it.each([
    ['Functional Safety Requirements', 'fsr'],
    ['Allocation of functional safety requirements to architecture elements', 'allocation'],
    ['Warning and degradation concept', 'warning'],
    ['Funktionale Sicherheitsanforderungen', 'fsr'],
    ['Zuordnung', 'allocation'],
    ['Fehlerreaktionszeit', 'timing'],
  ])('FSC: %s → %s', (heading, key) => expect(keysFor(heading, concept)).toContain(key));

  it.each(['Change history', 'Abbreviations', 'Distribution list', 'Approval', 'Annex A Drawings'])(
    '%s is no section of content',
    (heading) => expect(keysFor(heading, hara)).toEqual([]),
  );

  it('the title of the document is none', () => {
    const read = takeApart('d', documentOfLines(['# Hazard Analysis and Risk Assessment', 'Words.']));
    expect(matchSections(read, { start: 0, end: 2 }, hara)).toEqual([]);
  });
});

describe('the state of a section', () => {
  const stateOf = (lines: readonly string[]) => {
    const document = documentOfLines(lines);
    return contentOf(takeApart('d', document), 0, document.blocks.length).state;
  };
  it.each<[string, string[], string]>([
    [
      'prose',
      [
        'The safety goals were derived from the hazardous events that are listed in the table of chapter four.',
      ],
      'complete',
    ],
    ['a filled row', ['| ID | Goal |', '| SG-01 | Avoid braking |'], 'complete'],
    ['a short line', ['See the drawing.'], 'thin'],
    ['nothing', [], 'empty'],
    ['only instructions', ['[Instructions: describe the item]'], 'empty'],
    ['only an open point', ['To be defined with the customer.'], 'placeholder'],
    ['TBD', ['TBD'], 'placeholder'],
    ['a form nobody filled in', ['| ID | Goal | ASIL |', '| SG-01 | | |', '| SG-02 | | |'], 'empty'],
    [
      'rows without one column',
      ['| Activity | Owner | Date |', '| Plan | | May |', '| Audit | | June |'],
      'thin',
    ],
    ['a table of marks', ['| Requirement | ECU | Motor |', '| FSR-1 | X | |', '| FSR-2 | X | |'], 'complete'],
    ['a picture', ['! '], 'figure_only'],
    ['a pointer', ['See SYS-ARC-003 v1.2.'], 'by_reference'],
    [
      'N/A with a reason',
      ['Not applicable, because the item has no variants in this project.'],
      'tailored_out',
    ],
    ['entfällt mit Grund', ['Entfällt, da das Item in diesem Projekt keine Varianten hat.'], 'tailored_out'],
    ['N/A', ['Not applicable.'], 'declared_not_applicable'],
    [
      'what such sections could hold',
      ['A safety plan could have other sections that are not included here, for example a schedule.'],
      'empty',
    ],
  ])('%s', (_name, lines, state) => expect(stateOf(lines)).toBe(state));
});

describe('a list of few words under the line that leads to it', () => {
  const stateOf = (...lines: readonly string[]) => {
    const document = documentOfLines(['# Modes', ...lines]);
    return contentOf(takeApart('d', document), 0, document.blocks.length).state;
  };
  it.each([
    ['The item has these modes:', ['Motor off', 'Motor ready', 'Limp home']],
    ['Das Item hat diese Betriebsarten:', ['Motor aus', 'Motor bereit', 'Notlauf aktiv']],
  ])('%s', (lead, items) => {
    expect(stateOf(lead, ...items.map((one) => `- ${one}`))).toBe('complete');
    // Without the line nobody knows what they are; one word, or what is open, says nothing.
    expect(stateOf(...items.map((one) => `- ${one}`))).toBe('thin');
    expect(stateOf(lead, ...items.map((one) => `- ${one.split(' ')[0]}`))).toBe('thin');
    expect(stateOf(lead, '- TBD', '- TBD', '- TBD')).not.toBe('complete');
  });
});
