import type { CorpusDocument } from '../../corpus/corpus.js';
import { quote } from '../../corpus/evidence.js';
import type { SectionState } from '../../corpus/section-state.js';
import { isHeadedOtherwise } from '../../corpus/unplaced-chapters.js';
import type { TemplateSection } from '../../document-types/document-type.js';
import { type FoundSection, probeSections } from '../../judgement/probe-sections.js';
import { type Sentence, say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import { applicabilityOf } from './applicability.js';
import { followReference } from './by-reference.js';
import type { CompletenessState, SectionResult } from './completeness.js';
import type { CheckContext, CheckedPart } from './context.js';
import { type Unlabelled, unlabelledContent } from './unlabelled.js';

/** Everything that `contentOf` can say, as one of the eight states of domain D.3. */
const STATES: Readonly<Record<SectionState, CompletenessState>> = {
  complete: 'complete',
  thin: 'thin',
  placeholder: 'placeholder',
  empty: 'empty',
  by_reference: 'by_reference',
  tailored_out: 'tailored_out',
  // Without a reason it is a hole like any other.
  declared_not_applicable: 'empty',
  // A figure with a caption and a sentence would be enough; this one has none.
  figure_only: 'thin',
};

/** Headings that name a section nearly as well as the best one does. */
const NAMED_ALIKE = 0.05;

/** The sections of a template in a document, in the order of the template (domain D.3). */
export function checkSections(checked: CheckedPart, context: CheckContext): readonly SectionResult[] {
  const { part, type, document } = checked;
  const references = type.sections.map((section) => `${type.id}.${section.key}`);
  const here = probeSections(context.corpus, references, [part]);
  const found = new Map<string, FoundSection>();
  for (const section of type.sections) {
    const reference = `${type.id}.${section.key}`;
    const own = here.filter((one) => one.reference === reference);
    const best = Math.max(0, ...own.map((one) => one.score));
    // The fullest comes first; one that is named worse does not stand in for an empty one that is named well.
    const first = own.find((one) => one.score >= best - NAMED_ALIKE);
    if (first) found.set(reference, first);
  }
  const absent = type.sections.filter((section) => !found.has(`${type.id}.${section.key}`));
  const unlabelled = unlabelledContent(checked, absent, context);
  const isElsewhere = absent.length > 0 && isHeadedOtherwise(context.corpus, part);
  return type.sections.map((section) => {
    const own = found.get(`${type.id}.${section.key}`);
    const base = {
      key: section.key,
      need: section.need,
      severity: section.severity,
      critical: section.critical,
      ...applicabilityOf(section, `${type.id}.${section.key}`, { document, context }),
    };
    const { reason, ...rest } = own
      ? labelled(section, own, { document, context })
      : withoutHeading(section, unlabelled.get(section.key), { document, isElsewhere });
    const { en, de } = section.heading;
    const title = written({ en: document.read.document.language === 'de' ? de : en, de });
    return { ...base, ...rest, ...worded({ reason, title }) };
  });
}

type Found = Omit<
  SectionResult,
  'key' | 'title' | 'need' | 'severity' | 'critical' | 'applies' | 'condition' | 'reason' | 'said'
> & { readonly reason: Sentence };

function labelled(
  section: TemplateSection,
  here: FoundSection,
  { document, context }: { readonly document: CorpusDocument; readonly context: CheckContext },
): Found {
  const { content, evidence, title } = here;
  const counts = {
    heading: title,
    words: content.words,
    rows: content.filledRows,
    instructions: content.guidance,
  };
  const isShort =
    section.minWords !== undefined && content.filledRows === 0 && content.words < section.minWords;
  const state = content.state === 'complete' && isShort ? 'thin' : STATES[content.state];
  if (state === 'by_reference') {
    const reference = followReference(section, here, { document, context });
    return {
      ...counts,
      state,
      reason: referenceReason(section, reference),
      needsPerson: reference.target === 'not_provided',
      reference,
      evidence,
    };
  }
  return {
    ...counts,
    state,
    reason: reasonFor(content.state, here, isShort),
    needsPerson: content.state === 'figure_only',
    evidence,
  };
}

function referenceReason(
  section: TemplateSection,
  { name, target }: NonNullable<SectionResult['reference']>,
): Sentence {
  if (target === 'not_provided') return say('completeness.pointed-document-not-given', { name });
  if (target === 'lacks_content') return say('completeness.pointed-document-does-not-treat-it', { name });
  return section.acceptsByReference
    ? say('completeness.pointed-document-treats-it', { name })
    : say('completeness.pointed-document-treats-it-not-here', { name });
}

function reasonFor(state: SectionState, { content }: FoundSection, isShort: boolean): Sentence {
  const { words, filledRows, emptyRows, guidance } = content;
  switch (state) {
    case 'complete':
      if (isShort) return say('completeness.it-has-words', { words });
      return filledRows > 0
        ? say('completeness.it-has-filled-rows-and-words', { filledRows, words })
        : say('completeness.it-has-words', { words });
    case 'thin':
      return emptyRows > 0
        ? say('completeness.of-rows-or-a-whole-column', { emptyRows, rows: emptyRows + filledRows })
        : say('completeness.it-has-words', { words });
    case 'placeholder':
      return say('completeness.it-holds-only-open-points');
    case 'tailored_out':
      return say('completeness.it-is-declared-not-applicable-with');
    case 'declared_not_applicable':
      return say('completeness.it-is-declared-not-applicable-without');
    case 'figure_only':
      return say('completeness.it-holds-a-figure-and-no');
    case 'by_reference':
      return say('completeness.it-points-to-another-document');
    case 'empty':
      return guidance > 0
        ? say('completeness.it-holds-only-the-instructions-of')
        : say('completeness.nothing-stands-under-its-heading');
  }
}

const MOST_TERMS = 12;

function withoutHeading(
  section: TemplateSection,
  elsewhere: Unlabelled | undefined,
  { document, isElsewhere }: { readonly document: CorpusDocument; readonly isElsewhere: boolean },
): Found {
  const counts = { words: 0, rows: 0, instructions: 0, needsPerson: false };
  if (elsewhere) {
    const { read } = document;
    const evidence = elsewhere.places.map(({ passage, start, end }) =>
      quote(read.document, passage, { start, end }, { role: 'support', note: elsewhere.reason }),
    );
    return { ...counts, state: 'present_unlabelled', reason: elsewhere.reason, evidence };
  }
  const terms = [section.heading.en, section.heading.de, ...section.synonyms];
  const { passages, sections } = document.read;
  return {
    ...counts,
    state: 'missing',
    needsPerson: isElsewhere,
    reason: say(
      isElsewhere
        ? 'completeness.no-heading-names-it-in-an-outline-of-other-words'
        : 'completeness.no-heading-names-it-and-nothing',
    ),
    evidence: [],
    search: {
      ...worded({
        statement: say('completeness.searched', {
          sections: sections.length,
          passages: passages.length,
          document: document.name,
          title: section.heading.en,
          others: terms.length - 1,
        }),
      }),
      documentIds: [document.id],
      passages: passages.length,
      terms: terms.slice(0, MOST_TERMS),
    },
  };
}
