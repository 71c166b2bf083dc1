import { type Corpus, documentOf, isWithin, partsOfTypes, usableDocuments } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { quote } from '../corpus/evidence.js';
import { hitsOf, sentenceOf } from '../corpus/mentions.js';
import { fieldOf } from '../corpus/metadata-fields.js';
import { headingScore, headingTokens } from '../corpus/passages/headings.js';
import type { ReadDocument } from '../corpus/passages/passages-of.js';
import { contentOf, type SectionContent, stateWords } from '../corpus/section-state.js';
import type { Evidence } from '../findings/finding.js';
import { type Sentence, say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { patternOf } from '../words/read-words.js';
import { judgeExpectation } from './judge-expectation.js';
import type { Judgement, JudgementContext } from './judgement.js';
import { probeTerms, type WeighedHit, weigh } from './probe-terms.js';

/** A document with less than this much content is a title, not a work product. */
const MIN_WORDS = 40;
const MIN_ROWS = 3;
/** Evidence that a document has content is a sentence, not its version line. */
const TELLING_WORDS = 9;
const MOST_HITS = 200;
/** Fewer words are a name or a value. */
const STATEMENT_WORDS = 4;
/** A paragraph that says that something does not apply, and in so many words beside that, gives a reason. */
const REASON_WORDS = 10;
/** Rule of a heading that names it and has nothing under it. */
const HOLLOW = 'T8-heading-without-content';
/** First rule of a work product that stands as a section of another one. */
export const AS_SECTION = 'section-of-another-document';
/** First rule of a work product whose kind of document was given about something else only. */
export const ABOUT_SOMETHING_ELSE = 'document-of-the-type-about-something-else';
/** Rule of a work product that a document says not to apply, with the reason. */
export const DECLARED = 'declared-not-applicable';
/** Past this share of empty sections a document is a template that nobody filled in. */
const EMPTY_SHARE = 0.6;

/** Whether a work product exists among the documents, as a document or a substantial section, with content. */
export function judgeWorkProduct(
  criterion: Criterion,
  home: readonly DocumentPart[],
  context: JudgementContext,
): Judgement {
  const { corpus, index } = context;
  const about = home.filter((part) => isAbout(part, criterion, context));
  const judged = about.map((part) => ({ part, ...fillingOf(part, context) }));
  const filled = judged.find((entry) => entry.filling === 'filled');
  if (filled) {
    const { part } = filled;
    const name = documentOf(corpus, part.documentId).name;
    const where = say(part.whole ? 'general.quoted' : 'verdicts.a-section-of', { text: name });
    const isSure = part.whole && part.confidence !== 'low';
    return {
      verdict: 'covered',
      confidence: isSure ? 'high' : 'medium',
      rules: [part.whole ? 'document-of-the-type' : 'section-of-the-type'],
      reason: say('verdicts.it-exists-as-its-content-is', { where, reasons: part.reasons }),
      evidence: filled.evidence,
    };
  }
  const thin = judged.find((entry) => entry.filling === 'thin');
  if (thin) {
    const name = documentOf(corpus, thin.part.documentId).name;
    return {
      verdict: 'partial',
      confidence: 'medium',
      rules: [thin.part.whole ? 'document-thin' : 'section-thin'],
      reason: say('verdicts.document-holds-little', { name, whole: thin.part.whole }),
      evidence: thin.evidence,
    };
  }
  const idle = judged.find((entry) => entry.filling === 'says_nothing');
  if (idle) {
    const name = documentOf(corpus, idle.part.documentId).name;
    return {
      verdict: 'missing',
      confidence: 'high',
      rules: ['T17-says-nothing'],
      reason: say('verdicts.is-there-and-says-nothing', { name, summary: idle.summary }),
      evidence: [],
    };
  }
  const empty = judged[0];
  if (empty) {
    const name = documentOf(corpus, empty.part.documentId).name;
    return {
      verdict: 'missing',
      confidence: 'high',
      rules: ['T8-template-not-filled-in'],
      reason: say('verdicts.is-a-template-that-was-not', { name, summary: empty.summary }),
      evidence: empty.evidence,
    };
  }
  const asSection = judgeAsSection(criterion, context);
  if (asSection) return asSection;
  const [terms] = probeTerms(corpus, index, {
    groups: [(criterion.lookFor?.terms ?? []).flat()],
    home: [],
    plan: false,
  });
  const excused = declaredNotApplicable([
    ...(terms?.stated ?? []),
    ...(terms?.ignored ?? []),
    ...(terms?.denied ?? []),
    ...(terms?.elsewhere ?? []),
  ]);
  if (excused) return excused;
  const denied = terms?.denied ?? [];
  if (denied.length > 0) {
    return {
      verdict: 'missing',
      confidence: 'high',
      rules: [...new Set(denied.map((hit) => hit.rule))],
      reason: say('verdicts.there-is-no-such-document-and'),
      evidence: denied.flatMap((hit) => hit.evidence),
    };
  }
  const hollow = (terms?.ignored ?? []).filter((hit) => hit.rule === HOLLOW);
  if (home.length > 0 && hollow.length > 0 && terms?.stated.length === 0) {
    const others = terms.ignored.filter((hit) => !hollow.includes(hit));
    return {
      verdict: 'missing',
      confidence: 'high',
      rules: [HOLLOW, ...new Set(others.map((hit) => hit.rule))],
      reason: say('verdicts.it-is-announced-but-nothing-stands'),
      evidence: [
        ...hollow.flatMap((hit) => hit.evidence).map((one) => ({ ...one, role: 'counter' as const })),
        ...others.flatMap((hit) => hit.evidence),
      ],
    };
  }
  const stated = [...(terms?.stated ?? []), ...(terms?.announced ?? [])];
  if (home.length > 0) {
    const names = [...new Set(home.map((part) => documentOf(corpus, part.documentId).name))].map((text) =>
      say('general.quoted', { text }),
    );
    return {
      verdict: 'needs_review',
      confidence: 'low',
      rules: [ABOUT_SOMETHING_ELSE],
      reason: say('verdicts.is-of-this-kind-but-does', { names }),
      evidence: stated.flatMap((hit) => hit.evidence).map((one) => ({ ...one, role: 'context' as const })),
    };
  }
  return {
    verdict: 'missing',
    confidence: terms && terms.stated.length > 0 ? 'medium' : 'high',
    rules: ['no-document-of-the-type'],
    reason:
      stated.length > 0
        ? say('verdicts.other-documents-speak-of-it-but')
        : say('verdicts.no-document-or-section-among-those'),
    evidence: stated
      .flatMap((hit) => hit.evidence)
      .map((one) => ({ ...one, role: one.role === 'counter' ? one.role : 'context' })),
  };
}

/** "… is a new development. An impact analysis is therefore not applicable", "… and therefore no analysis was needed": somebody said so, and why. */
function declaredNotApplicable(hits: readonly WeighedHit[]): Judgement | undefined {
  const expression = patternOf(stateWords().notApplicable);
  const found = hits.find(({ hit }) => {
    const { sentence } = sentenceOf(hit);
    if (patternOf(stateWords().noNeed).test(sentence)) return true;
    const paragraph = hit.passage.text.replace(expression, ' ');
    return expression.test(sentence) && (paragraph.match(/\p{L}{2,}/gu) ?? []).length >= REASON_WORDS;
  });
  if (!found) return undefined;
  return {
    verdict: 'not_applicable',
    confidence: 'medium',
    rules: [DECLARED],
    reason: say('verdicts.a-document-says-why-it-does-not-apply'),
    evidence: found.evidence.map((one) => ({ ...one, role: 'context' as const })),
  };
}

/** A work product may stand as a section of another document, where its data name such sections. */
function judgeAsSection(criterion: Criterion, context: JudgementContext): Judgement | undefined {
  const sections = criterion.lookFor?.sections ?? [];
  const types = [...new Set(sections.map((reference) => reference.split('.')[0]!))];
  const home = partsOfTypes(context.corpus, types);
  const judgement = judgeExpectation({ ...criterion, lookFor: { sections } }, home, context);
  if (judgement.rules.includes('nothing-found')) return undefined;
  return { ...judgement, rules: [AS_SECTION, ...judgement.rules] };
}

/**
 * Where the data say so, or where several work products share a document type (verification reports), the
 * document has to name its object in a heading or in its body; else being of the type is enough.
 */
export function isAbout(
  part: DocumentPart,
  criterion: Criterion,
  { corpus, criteria, index }: JudgementContext,
): boolean {
  const shared = [...criteria.values()].some(
    (other) =>
      other.kind === 'work_product' &&
      other.id !== criterion.id &&
      other.documentTypes?.includes(part.typeId) === true,
  );
  const hasToBeNamed = shared || criterion.identifiedBy === 'name';
  if (!hasToBeNamed || isReviewOf(part, criterion.reviews ?? [], corpus)) return true;
  const { read } = documentOf(corpus, part.documentId);
  const phrases = (criterion.lookFor?.terms ?? []).flat();
  const hits = hitsOf(index, phrases).filter(
    (hit) =>
      hit.document.id === part.documentId && hit.passage.role !== 'toc' && hit.passage.role !== 'references',
  );
  const weighed = hits.slice(0, MOST_HITS).map((hit) => weigh(corpus, hit, false));
  if (weighed.some((hit) => hit.worth === 'stated')) return true;
  // Announced by a heading under which nothing stands: the report is about something else (trap T1).
  if (weighed.some((hit) => hit.rule === HOLLOW)) return false;
  if (hits.length > 0) return true;
  const titles = read.sections.slice(0, 3).map((section) => headingTokens(section.title));
  return titles.some((title) => headingScore(title, headingTokens(criterion.title)) >= 0.7);
}

/** A list of reviews names what was reviewed by its number or by its kind; it need not be titled after it. */
function isReviewOf(part: DocumentPart, types: readonly string[], corpus: Corpus): boolean {
  if (types.length === 0) return false;
  const numbers = usableDocuments(corpus)
    .filter((document) => document.parts.some(({ whole, typeId }) => whole && types.includes(typeId)))
    .map((document) => fieldOf(corpus, 'document_id', document.id))
    .flatMap(({ state, value }) => (state === 'present' && value ? [value] : []));
  const kinds = types.flatMap((id) => {
    const type = corpus.documentTypes.get(id);
    return type ? [type.name.en, type.name.de, ...type.aliases].map((name) => headingTokens(name)) : [];
  });
  const { read } = documentOf(corpus, part.documentId);
  return read.document.blocks.slice(part.start, part.end).some((block) => {
    if (!block.cells || read.passages[block.index]!.role !== 'body') return false;
    return block.cells.some(
      ({ text }) =>
        numbers.some((number) => text.includes(number)) ||
        kinds.some((name) => headingScore(headingTokens(text), name) === 1),
    );
  });
}

/** Whether a part was filled in, and what shows it. */
export function fillingOf(
  part: DocumentPart,
  { corpus }: Pick<JudgementContext, 'corpus'>,
): {
  filling: 'filled' | 'thin' | 'empty' | 'says_nothing';
  evidence: readonly Evidence[];
  summary: Sentence;
} {
  const { read, emptyTalk } = documentOf(corpus, part.documentId);
  const idle = (emptyTalk?.places ?? []).filter(({ passage }) => isWithin([part], passage)).length;
  const talking = idle === 0 ? 0 : tellingPlaces(read, part).length;
  if (idle > talking) {
    const summary = say('verdicts.places-that-say-nothing', { idle, places: idle + talking });
    return { filling: 'says_nothing', evidence: [], summary };
  }
  const whole = contentOf(read, part.start, part.end);
  const leaves = read.sections.filter(
    (section) =>
      (section.heading ?? section.start) >= part.start &&
      section.end <= part.end &&
      section.ownEnd === section.end &&
      isContentSection(read.passages.slice(section.start, section.end).map((passage) => passage.role)),
  );
  const states = leaves.map((section) => contentOf(read, section.start, section.end));
  const open = states.filter(
    (state) => state.state === 'empty' || state.state === 'placeholder' || isUnfilled(state),
  );
  const tableStates = whole.filledRows + whole.emptyRows;
  const isTemplate =
    (open.length > 0 && open.length >= leaves.length * EMPTY_SHARE) ||
    (whole.guidance > 0 && tableStates > 0 && whole.filledRows === 0 && whole.words < MIN_WORDS);
  const summary =
    open.length > 0
      ? say('verdicts.sections-hollow', { open: open.length, leaves: leaves.length })
      : say('verdicts.holds-little', { words: whole.words, rows: whole.filledRows });
  if (isTemplate) {
    const guidance = read.passages.filter(
      (passage) =>
        passage.blockIndex >= part.start && passage.blockIndex < part.end && passage.role === 'guidance',
    );
    const evidence = guidance.slice(0, 3).flatMap((passage) => {
      const cells = read.document.blocks[passage.blockIndex]!.cells;
      const place = cells?.find((cell) => cell.text.trim() !== '') ?? passage;
      const note = say('verdicts.the-template-s-instruction-is-still');
      return [quote(read.document, passage, place, { role: 'counter', note })];
    });
    return { filling: 'empty', evidence, summary };
  }
  const hasContent = whole.words >= MIN_WORDS || whole.filledRows >= MIN_ROWS;
  const isTelling = ({ role, text }: (typeof whole.content)[number]) =>
    role === 'body' && (text.match(/\p{L}{2,}/gu) ?? []).length >= TELLING_WORDS;
  const telling = whole.content.filter(isTelling);
  // Sentences before address blocks and lines of a cover.
  const first = [
    ...telling.filter((passage) => /[.!]\s*$/.test(passage.text)),
    ...telling.filter((passage) => !/[.!]\s*$/.test(passage.text)),
  ].slice(0, 2);
  const evidence = first.map((passage) => {
    const cells = read.document.blocks[passage.blockIndex]!.cells;
    const place = cells ? [...cells].sort((a, b) => b.text.length - a.text.length)[0]! : passage;
    return quote(read.document, passage, place, {
      role: 'support',
      note: say('verdicts.content-of-the-document'),
    });
  });
  return { filling: hasContent ? 'filled' : 'thin', evidence, summary };
}

/** Cells and paragraphs of a part that have the words of a statement. */
function tellingPlaces(read: ReadDocument, part: DocumentPart): readonly string[] {
  return read.passages
    .filter((passage) => (passage.role === 'body' || passage.role === 'scope') && isWithin([part], passage))
    .filter(({ header }) => !header)
    .flatMap((passage) => {
      const { cells } = read.document.blocks[passage.blockIndex]!;
      return cells ? cells.map(({ text }) => text) : [passage.text];
    })
    .filter((text) => (text.match(/\p{L}{2,}/gu) ?? []).length >= STATEMENT_WORDS);
}

/** Sections that list, refer or record are no content, filled or not. */
function isContentSection(roles: readonly string[]): boolean {
  const beside = new Set(['toc', 'history', 'references', 'glossary', 'example', 'catalogue']);
  return !roles.some((role) => beside.has(role));
}

/** A form whose rows carry only their prepared first cells. */
function isUnfilled(state: SectionContent): boolean {
  return state.filledRows === 0 && state.emptyRows > 0 && state.words < 15;
}
