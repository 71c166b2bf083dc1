import { documentOf } from '../corpus/corpus.js';
import type { DocumentPart } from '../corpus/detect-document-types.js';
import { hitsOf, type PhraseHit } from '../corpus/mentions.js';
import type { Criterion } from '../standards/criterion.js';
import type { JudgementContext } from './judgement.js';
import { weigh } from './probe-terms.js';

const MOST_HITS = 200;

/**
 * Whether a document is about a group that has to be named: test reports of units, of the integration and of the
 * system are all test reports. A title that names some of the groups decides; else the document has to state it or
 * to say so in its scope. A mention in a list or a reference is not enough.
 */
export function isAboutGroup(part: DocumentPart, group: Criterion, context: JudgementContext): boolean {
  const named = [...context.criteria.values()].filter(
    (one) => one.kind === 'group' && one.identifiedBy === 'name' && isTitled(part, one, context),
  );
  if (named.length > 0) return named.some((one) => one.id === group.id);
  return hitsIn(part, group, context)
    .slice(0, MOST_HITS)
    .some((hit) => hit.passage.role === 'scope' || weigh(context.corpus, hit, true).worth === 'stated');
}

/** Whether the first heading, under which the whole document stands, names the group. */
function isTitled(part: DocumentPart, group: Criterion, context: JudgementContext): boolean {
  const { read } = documentOf(context.corpus, part.documentId);
  const [title] = read.sections.filter((section) => section.heading !== undefined);
  if (title === undefined || title.end < part.end) return false;
  return hitsIn(part, group, context).some((hit) => hit.passage.blockIndex === title.heading);
}

function hitsIn(part: DocumentPart, group: Criterion, { index }: JudgementContext): readonly PhraseHit[] {
  return hitsOf(index, (group.lookFor?.terms ?? []).flat()).filter(
    ({ document, passage }) =>
      document.id === part.documentId && passage.blockIndex >= part.start && passage.blockIndex < part.end,
  );
}
