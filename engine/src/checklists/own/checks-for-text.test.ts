import { describe, expect, it } from 'vitest';
import { type LeafCheck, leavesOf } from '../../engines/checklist/check.js';
import { loadChecksForText, subjectOf } from './checks-for-text.js';

const nameOf = (check: LeafCheck) => {
  if (check.check === 'linked') return `linked ${check.to}`;
  return check.check === 'inherited' ? `inherited ${check.attribute}` : check.check;
};

describe('what the words of an item ask for', () => {
  it.each([
    ['Does every requirement use "shall" from the sentence template?', ['wording']],
    ['Are the requirements unambiguous and free of weak words?', ['wording']],
    ['Each requirement is atomic.', ['wording']],
    ['Ist jede Anforderung eindeutig formuliert?', ['wording']],
    ['Sind alle Anforderungen testbar?', ['wording']],
    ['Is every requirement linked to its parent requirement?', ['linked parent']],
    ['Are all requirements allocated to the architecture?', ['linked design']],
    ['Is there a test case for each requirement?', ['linked test']],
    ['Do all requirements have a unique identifier?', ['identified']],
    ['Is the ASIL assigned to every requirement?', ['inherited safety']],
    ['Ist das Security-Attribut richtig gesetzt?', ['inherited security']],
    ['Does the document have a version number?', ['metadata']],
    ['Is the document free of TBD?', ['no_placeholder']],
    ['Was the specification reviewed and is there a review record?', ['record']],
    ['Have all tests passed?', ['results']],
    ['Are timing constraints considered?', ['inspect']],
    // In words that no phrase holds, one of each group.
    ['Was each requirement phrased along the agreed pattern?', ['wording']],
    ['Hat jede Anforderung die richtige Kennzeichnung der Sicherheitsstufe?', ['inherited safety']],
    ['Does the cybersecurity level stand beside every requirement?', ['inherited security']],
    ['Can one follow a reference from each component to its requirement?', ['linked design']],
    // A word of one group alone asks for nothing.
    ['Is the pattern of the release agreed?', []],
    ['Is the safety of the plant discussed?', []],
  ])('%s', async (text, wanted) => {
    const { checks } = (await loadChecksForText())(text);
    expect(leavesOf(checks).map(nameOf)).toEqual(wanted);
  });

  it('uses the guidance only where the item itself names nothing', async () => {
    const checksFor = await loadChecksForText();
    expect(leavesOf(checksFor('Is the wording right?', 'Look for weak words.').checks).map(nameOf)).toEqual([
      'wording',
    ]);
    expect(
      leavesOf(checksFor('Is each one atomic?', 'See the document version.').checks).map(nameOf),
    ).toEqual(['wording']);
    expect(checksFor('Is the seat comfortable?')).toEqual({ automation: 'assisted', checks: [] });
  });

  it('looks at the kind of requirement that the item names first', async () => {
    const [check] = (await loadChecksForText())(
      'Is every software requirement linked to its parent requirement?',
    ).checks;
    expect(check).toMatchObject({ check: 'linked', to: 'parent', types: ['software_requirement'] });
  });

  it.each([
    ['Are the confirmation measures planned?', 'section', 'safety_plan.confirmation'],
    ['Sind die Bestätigungsmaßnahmen geplant?', 'section', 'safety_plan.confirmation'],
    ['Is a development interface agreement described in the safety plan?', 'section', 'safety_plan.dia'],
    [
      'Does each hazardous event have an exposure rationale?',
      'column',
      'hara.hazard_table.exposure_rationale',
    ],
  ])('takes "%s" for what templates call so', async (text, name, reference) => {
    const [check] = (await loadChecksForText())(text).checks;
    expect(check).toMatchObject({ check: name });
    expect(check && 'of' in check ? check.of : []).toContain(reference);
    expect(check && 'confirm' in check ? check.confirm : undefined).toBeUndefined();
  });

  it('lets a person confirm what is asked beyond whether something is there', async () => {
    const [check] = (await loadChecksForText())('Are the confirmation measures effective?').checks;
    expect(check).toMatchObject({ check: 'section', confirm: true });
  });

  it('leaves to a person what only a person can answer', async () => {
    const checksFor = await loadChecksForText();
    expect(checksFor('Is each requirement feasible?').automation).toBe('manual');
    expect(checksFor('Is each requirement unambiguous and feasible?').automation).toBe('manual');
    expect(checksFor('Is each requirement unambiguous?').automation).toBe('assisted');
  });
});

it.each([
  ['For stakeholder requirements: is the rationale right?', ['functional_safety_requirement']],
  [
    'For system/software requirements: are they linked?',
    ['technical_safety_requirement', 'software_requirement'],
  ],
  ['Für Softwareanforderungen: sind sie verknüpft?', ['software_requirement']],
  ['For other requirements: are they linked?', []],
  ['For each item, a name is given.', []],
  ['Are stakeholder requirements there?', []],
])('knows what "%s" is about', (text, types) => {
  expect(subjectOf(text)).toEqual(types);
});
