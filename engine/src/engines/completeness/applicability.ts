import type { CorpusDocument } from '../../corpus/corpus.js';
import { statusWord } from '../../corpus/document-status.js';
import type { TemplateSection } from '../../document-types/document-type.js';
import { outsideOf, outsideSection } from '../../facts/project-scope.js';
import type { ConditionAnswer } from '../../judgement/conditions.js';
import { say, written } from '../../sentences/sentence.js';
import { worded } from '../../sentences/worded.js';
import type { SectionResult } from './completeness.js';
import type { CheckContext } from './context.js';
import { completenessRules } from './rules.js';

/**
 * Whether a section is demanded of a document, and who says so. Optional sections never are, nor what is not due in the phase
 * of the project or not done in it.
 * @param reference `<type>.<key>` of the section.
 */
export function applicabilityOf(
  section: Pick<TemplateSection, 'need' | 'conditionId'>,
  reference: string,
  { document, context }: { readonly document: CorpusDocument; readonly context: CheckContext },
): Pick<SectionResult, 'applies' | 'condition'> {
  if (outsideSection(outsideOf(context.corpus), reference)) return { applies: 'no' };
  if (section.need === 'required') return { applies: 'yes' };
  const id = section.conditionId;
  if (section.need === 'optional' || id === undefined) return { applies: 'no' };
  const answer = answerFor(id, document, context);
  const condition = {
    id,
    ...worded({
      question: say('general.written', { text: context.conditions.get(id)?.question ?? id }),
      reason: answer?.reason ?? written(''),
    }),
  };
  if (!answer || answer.holds === 'unknown') return { applies: 'unknown', condition };
  return { applies: answer.holds ? 'yes' : 'no', condition };
}

/** A person's word, then the status of the document itself, then the answer for the whole set. */
export function answerFor(
  id: string,
  document: CorpusDocument,
  context: CheckContext,
): ConditionAnswer | undefined {
  const given = context.answers.get(id);
  const from = completenessRules().statusConditions[id];
  if (from === undefined || given?.source === 'person') return given;
  const holds = document.status === 'released' || document.status === from;
  return {
    holds,
    source: 'documents',
    reason: say('completeness.the-status-of-the-document-is', { status: statusWord(document.status) }),
    evidence: [],
  };
}
