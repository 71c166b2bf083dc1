import { type Corpus, documentOf } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { quote } from '../corpus/evidence.js';
import type { Passage } from '../corpus/passages/passage.js';
import { contentOf, matchSections, type SectionContent, type SectionState } from '../corpus/section-state.js';
import type { Evidence } from '../findings/finding.js';
import { say } from '../sentences/sentence.js';

/** A wanted section as the documents have it. */
export interface FoundSection {
  /** `<document type>.<section>` */
  readonly reference: string;
  readonly title: string;
  /** All headings that mean the section of the template. */
  readonly names: readonly string[];
  readonly documentId: string;
  /** Half-open range of blocks, heading included. */
  readonly start: number;
  readonly end: number;
  /** How well the heading names it, 0.7 to 1. */
  readonly score: number;
  readonly state: SectionState;
  readonly content: SectionContent;
  readonly evidence: readonly Evidence[];
}

const PARAGRAPHS_QUOTED = 2;
/** From the state that shows most to the one that shows least. */
const STATE_ORDER: readonly SectionState[] = [
  'complete',
  'thin',
  'tailored_out',
  'figure_only',
  'by_reference',
  'declared_not_applicable',
  'placeholder',
  'empty',
];

/** The wanted sections that the parts of their type have, the fullest first. */
export function probeSections(
  corpus: Corpus,
  references: readonly string[],
  home: readonly DocumentPart[],
): readonly FoundSection[] {
  const found: FoundSection[] = [];
  for (const part of home) {
    const keys = references
      .filter((one) => one.startsWith(`${part.typeId}.`))
      .map((one) => one.slice(part.typeId.length + 1));
    const type = corpus.documentTypes.get(part.typeId);
    if (keys.length === 0 || !type) continue;
    const { read } = documentOf(corpus, part.documentId);
    for (const match of matchSections(read, part, type)) {
      if (!keys.includes(match.template.key)) continue;
      // The heading of a part names the whole work product, not one section of it.
      if (!part.whole && match.section.heading === part.start) continue;
      const { section } = match;
      const content = contentOf(read, section.start, section.end);
      const start = section.heading ?? section.start;
      found.push({
        reference: `${part.typeId}.${match.template.key}`,
        title: section.title.trim(),
        names: [match.template.heading.en, match.template.heading.de, ...match.template.synonyms],
        documentId: part.documentId,
        start,
        end: section.end,
        score: match.score,
        state: content.state,
        content,
        evidence: evidenceOf(corpus, part.documentId, { start, title: section.title.trim(), content }),
      });
    }
  }
  return found.sort(
    (a, b) => STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) || b.score - a.score,
  );
}

function evidenceOf(
  corpus: Corpus,
  documentId: string,
  section: { start: number; title: string; content: SectionContent },
): readonly Evidence[] {
  const { read } = documentOf(corpus, documentId);
  const { content, start, title } = section;
  const saysSomething =
    content.state === 'complete' || content.state === 'thin' || content.content.length > 0;
  if (!saysSomething) {
    const heading = read.passages[start]!;
    const state = say(`verdicts.section-${content.state}`);
    return heading.text.trim() === ''
      ? []
      : [
          quote(read.document, heading, heading, {
            role: 'counter',
            note: say('verdicts.heading-of-section-in-state', { state }),
          }),
        ];
  }
  return tellingFirst(content.content)
    .slice(0, PARAGRAPHS_QUOTED)
    .map((passage) => {
      const cells = read.document.blocks[passage.blockIndex]!.cells;
      const place = cells
        ?.filter((cell) => cell.text.trim() !== '')
        .sort((a, b) => b.text.length - a.text.length)[0];
      const role = content.state === 'complete' || content.state === 'thin' ? 'support' : 'context';
      return quote(read.document, passage, place ?? passage, {
        role,
        note: say('verdicts.in-the-section', { title }),
      });
    });
}

/** Whole sentences before short lines, each in order. */
function tellingFirst(passages: readonly Passage[]): readonly Passage[] {
  const isLong = (passage: Passage) => (passage.text.match(/\p{L}{2,}/gu) ?? []).length >= 6;
  return [...passages.filter(isLong), ...passages.filter((passage) => !isLong(passage))];
}
