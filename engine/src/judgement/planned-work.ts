import { z } from 'zod';
import type { AnalysedDocument } from '../corpus/analysed-document.js';
import {
  type AnalysisScope,
  type Corpus,
  type CorpusDocument,
  documentOf,
  partsOfTypes,
  templateTablesOf,
  usableDocuments,
} from '../corpus/corpus.js';
import { corpusOf } from '../corpus/corpus-of.js';
import { quote } from '../corpus/evidence.js';
import { fieldOf } from '../corpus/metadata-fields.js';
import type { Field } from '../facts/field.js';
import { areasIn, type Outside, outsideOf } from '../facts/project-scope.js';
import { readRows, type TemplateRow } from '../facts/table-rows.js';
import type { Evidence } from '../findings/finding.js';
import { NOT_DUE_RULES } from '../findings/not-due.js';
import { isFrom } from '../phases/lifecycle.js';
import { say } from '../sentences/sentence.js';
import type { Criterion } from '../standards/criterion.js';
import { readWords } from '../words/read-words.js';
import type { Judgement } from './judgement.js';

const schema = z.strictObject({
  open: z.string(),
  number: z.string(),
  activities: z.array(z.strictObject({ criteria: z.array(z.string()).min(1), says: z.string() })),
});

/** Rule of a verdict on what the plan has for later. */
export const NOT_DUE = NOT_DUE_RULES.planned;
/** The type, table and columns of a plan's activities. */
const PLAN = { type: 'safety_plan', table: 'activity_table' };

/** An activity of the plan whose result cannot be among the documents. */
interface Outstanding {
  readonly document: CorpusDocument;
  readonly entry: TemplateRow;
  /** Activity and result, for the words. */
  readonly says: string;
  /** Status as written of an activity to come, or the number of a result that is kept elsewhere. */
  readonly open?: string;
  readonly elsewhere?: string;
}

const known = new WeakMap<Corpus, readonly Outstanding[]>();

/**
 * What was not found because the plan has it for later, or keeps it in a document that was not given: the first is
 * not due, the second a question to whoever has the document. Undefined where the plan says neither.
 */
export function notDueYet(criterion: Criterion, corpus: Corpus): Judgement | undefined {
  const words = readWords('planned', schema);
  const outstanding = known.get(corpus) ?? outstandingWork(corpus);
  known.set(corpus, outstanding);
  if (outstanding.length === 0) return undefined;
  const about = words.activities
    .filter(({ criteria }) => criteria.some((prefix) => isFrom(criterion.id, prefix)))
    .map(({ says }) => new RegExp(says, 'iu'));
  const found = outstanding.filter(({ says }) => about.some((expression) => expression.test(says)));
  const work = found.find(({ open }) => open !== undefined) ?? found[0];
  if (!work) return undefined;
  const { document, entry } = work;
  const activity = entry.fields.get('activity')!;
  const evidence = [quoteOf(document, entry, activity)];
  const names = { activity: activity.value, name: document.name };
  if (work.open !== undefined) {
    return {
      verdict: 'not_applicable',
      confidence: 'medium',
      rules: [NOT_DUE],
      reason: say('verdicts.not-due-yet-by-the-plan', { ...names, status: work.open }),
      evidence,
    };
  }
  return {
    verdict: 'needs_review',
    confidence: 'low',
    rules: ['result-not-among-the-documents'],
    reason: say('verdicts.the-plan-keeps-it-elsewhere', { ...names, number: work.elsewhere! }),
    evidence,
  };
}

/** What is outside of a run by its scope and by the plans among its documents, for gaps of the trace. */
export async function outsideOfProject(
  documents: readonly AnalysedDocument[],
  scope: AnalysisScope,
): Promise<readonly Outside[]> {
  const corpus = await corpusOf({ documents, scope }, async () => undefined);
  return [...outsideOf(corpus), ...laterByThePlan(corpus)];
}

/** Gaps of the trace that are not due because the plan has the work for later. */
function laterByThePlan(corpus: Corpus): readonly Outside[] {
  const outstanding = known.get(corpus) ?? outstandingWork(corpus);
  known.set(corpus, outstanding);
  return outstanding.flatMap(({ document, entry, open }) => {
    const activity = entry.fields.get('activity')!;
    if (open === undefined) return [];
    return areasIn(activity.value).map((area): Outside => {
      const names = { activity: activity.value, name: document.name, status: open };
      return {
        ...{ area: area.id, name: area.name, because: 'planned', gaps: area.gaps },
        ...{ criteria: [], references: [], sections: [] },
        reason: say('verdicts.not-due-yet-by-the-plan', names),
        evidence: [quoteOf(document, entry, activity)],
      };
    });
  });
}

function quoteOf(document: CorpusDocument, { passage }: TemplateRow, activity: Field): Evidence {
  const note = say('verdicts.activity-of-the-plan');
  return quote(document.read.document, passage, activity, { role: 'context', note });
}

function outstandingWork(corpus: Corpus): readonly Outstanding[] {
  const words = readWords('planned', schema);
  const isOpen = new RegExp(words.open, 'iu');
  const given = new Set(
    usableDocuments(corpus).map((document) => fieldOf(corpus, 'document_id', document.id).value ?? ''),
  );
  const tables = partsOfTypes(corpus, [PLAN.type]).flatMap((part) =>
    templateTablesOf(corpus, part)
      .filter(({ template }) => template.key === PLAN.table)
      .map((match) => ({ document: documentOf(corpus, part.documentId), match })),
  );
  return tables.flatMap(({ document, match }) =>
    readRows(document, match).flatMap((entry): Outstanding[] => {
      const [activity, output, status] = ['activity', 'output', 'status'].map(
        (key) => entry.fields.get(key)?.value,
      );
      if (activity === undefined) return [];
      const says = `${activity} ${output ?? ''}`.replace(/\s+/g, ' ');
      if (status !== undefined && isOpen.test(status)) return [{ document, entry, says, open: status }];
      const number = new RegExp(words.number, 'u').exec(output ?? '')?.[0];
      return number !== undefined && given.size > 0 && !given.has(number)
        ? [{ document, entry, says, elsewhere: number }]
        : [];
    }),
  );
}
