import { type CorpusDocument, usableDocuments } from '../../corpus/corpus.js';
import { headingScore, headingTokens } from '../../corpus/passages/headings.js';
import { contentOf, HEADING_THRESHOLD, stateWords } from '../../corpus/section-state.js';
import type { TemplateSection } from '../../document-types/document-type.js';
import type { FoundSection } from '../../judgement/probe-sections.js';
import { normaliseText } from '../../text/normalise.js';
import { phraseFinder } from '../../text/phrases.js';
import { patternOf } from '../../words/read-words.js';
import type { SectionReference } from './completeness.js';
import type { CheckContext } from './context.js';

/** A name shorter than this, without separators, is in too many others. */
const SHORTEST_NAME = 4;
const VERSION = /^(?:v|version|rev\.?)\s?\d/iu;

/** Follows a section that points to another document (domain D.3 step 6). */
export function followReference(
  section: TemplateSection,
  here: FoundSection,
  { document, context }: { readonly document: CorpusDocument; readonly context: CheckContext },
): SectionReference {
  const text = here.content.content.map((passage) => passage.text).join(' ');
  const names = [...text.matchAll(patternOf(stateWords().documentName, 'gu'))].map((match) => match[0]);
  const name = names.find((one) => !VERSION.test(one)) ?? names[0] ?? 'another document';
  const others = usableDocuments(context.corpus).filter((other) => other.id !== document.id);
  const target = others.find((other) => isNamed(other, { text, names, context }));
  if (!target) return { name, target: 'not_provided' };
  const known = { name: target.name, documentId: target.id };
  return { ...known, target: treats(target, section, context) ? 'provided' : 'lacks_content' };
}

function compact(text: string): string {
  return normaliseText(text).replace(/[^\p{L}\p{N}]/gu, '');
}

/** By identifier, by file name, or by the name of its type. */
function isNamed(
  other: CorpusDocument,
  { text, names, context }: { text: string; names: readonly string[]; context: CheckContext },
): boolean {
  const file = compact(other.name.replace(/^.*[\\/]/, '').replace(/\.[^.]{1,8}$/, ''));
  const id = compact(context.documentIds.get(other.id) ?? '');
  const wanted = names.filter((name) => !VERSION.test(name)).map(compact);
  if (wanted.some((name) => name.length >= SHORTEST_NAME && (name === id || file.includes(name))))
    return true;
  const whole = compact(text);
  if (file.length > SHORTEST_NAME && whole.includes(file)) return true;
  if (id.length >= SHORTEST_NAME && whole.includes(id)) return true;
  return other.parts.some((part) => {
    const type = part.whole ? context.corpus.documentTypes.get(part.typeId) : undefined;
    const aliases = type ? [type.name.en, type.name.de, ...type.aliases] : [];
    return phraseFinder(aliases.filter((alias) => alias.includes(' ')))(text).length > 0;
  });
}

/** Whether a document has the content of a section: by its kind, a heading with something under it, or its words. */
function treats(target: CorpusDocument, section: TemplateSection, { corpus }: CheckContext): boolean {
  const phrases = [section.heading.en, section.heading.de, ...section.synonyms];
  const wanted = phrases.map(headingTokens);
  const names = (title: string, least: number) =>
    wanted.some((phrase) => headingScore(headingTokens(title), phrase) >= least);
  const isOfThatKind = target.parts.some((part) => {
    const type = corpus.documentTypes.get(part.typeId);
    return (
      part.whole &&
      type !== undefined &&
      [type.name.en, type.name.de, ...type.aliases].some((name) => names(name, 0.9))
    );
  });
  if (isOfThatKind) return true;
  const { read } = target;
  return read.sections.some((one) => {
    if (!names(one.title, HEADING_THRESHOLD)) return false;
    const { state } = contentOf(read, one.start, one.end);
    return state === 'complete' || state === 'thin' || state === 'figure_only';
  });
}
