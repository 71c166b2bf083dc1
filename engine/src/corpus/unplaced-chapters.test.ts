import { describe, expect, it } from 'vitest';
import { loadChecklists } from '../checklists/load-checklists.js';
import { checkChecklist } from '../engines/checklist/run.js';
import { checkCompleteness } from '../engines/completeness/run.js';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';

/** Sentences of their own under each heading: the same ones everywhere say nothing. */
const proseOn = (heading: string) => [
  `The people of the pump sit in one room, where ${heading} has a wall of its own with cards that they move each morning.`,
  `Whoever moved a card of ${heading} tells the others about it, and they put their names into the book on the table.`,
];
const chapters = (headings: readonly string[], level = '##') =>
  headings.flatMap((heading) => [`${level} ${heading}`, ...proseOn(heading)]);
const plan = (headings: readonly string[], more: readonly string[] = []) =>
  analysedDocument('Safety_Plan.docx', ['# Safety plan', ...chapters(headings), ...more]);
const OWN_WORDS = ['How the pump came about', 'Mornings and evenings', 'The book of names', 'Roles'];
const KNOWN_WORDS = [
  'Roles and responsibilities',
  'Confirmation measures',
  'Tailoring',
  'Mornings and evenings',
];
const of = async (document: ReturnType<typeof plan>) => {
  const documents = [document];
  const standard = await loadStandard('iso-26262-2-2018');
  const { verdicts } = await analyseGaps({ standard, documents, scope: {}, options: {} });
  const { findings } = await checkCompleteness({ documents });
  const checklist = (await loadChecklists()).get('FS-PLAN')!;
  const { items } = await checkChecklist({ checklist, documents });
  return {
    progress: verdicts.find(({ criterionId }) => criterionId === '26262-2:6.5.3-8')!,
    sections: findings.find(({ kind }) => kind === 'section_missing')!,
    answers: items.filter(({ verdict, rules }) => verdict === 'missing' && rules.includes('section-missing')),
  };
};

describe('what was not found', () => {
  it('is for a person where a third of the outline or more is in other words', async () => {
    const { progress, sections, answers } = await of(plan(OWN_WORDS));
    expect(progress).toMatchObject({ verdict: 'needs_review', confidence: 'low' });
    expect(progress.rules).toContain('headed-otherwise');
    expect(progress.reason).toContain('"Safety_Plan.docx" or more stands under headings that are not known');
    expect(sections.confidence).toBe('low');
    expect(answers.every(({ needsConfirmation }) => needsConfirmation)).toBe(true);
  });

  it('is missing where the outline is that of the template', async () => {
    const { progress, sections } = await of(plan(KNOWN_WORDS));
    expect(progress.verdict).toBe('missing');
    expect(sections.confidence).toBe('high');
  });

  it('takes headings of artifacts for no chapters', async () => {
    const artifacts = chapters(['PT-01 Walk to the pump', '2.1 PT-02 Look at the pump'], '###');
    const { progress } = await of(plan(['Roles and responsibilities', 'Tailoring'], artifacts));
    expect(progress.verdict).toBe('missing');
  });
});
