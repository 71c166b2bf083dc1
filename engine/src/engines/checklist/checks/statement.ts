import { z } from 'zod';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { type ItemContext, partsFor } from '../context.js';
import { type CheckParameters, defineCheck } from '../define-check.js';
import type { Outcome } from '../outcome.js';
import { columns, documentTypes, groups, sections } from '../parameters.js';
import { probeStatement } from '../statements.js';

/** The documents say it: each group of phrases is one part; all traps of domain H.4 apply. */
const parameters = {
  terms: groups,
  in: documentTypes.optional(),
  sections: sections.default([]),
  columns: columns.default([]),
  /** An announcement is what is demanded. */
  plan: z.literal(true).optional(),
  /** The first group is the topic: where nothing treats it, the words of the others say nothing about it. */
  topic_first: z.literal(true).optional(),
};
type Check = CheckParameters<typeof parameters>;

export const statement = defineCheck('statement', parameters, checkStatement);

/** The documents say it, through all traps of domain H.4. */
export function checkStatement(
  { terms, in: types, sections, columns, plan, topic_first }: Check,
  context: ItemContext,
): Outcome {
  const { item } = context;
  const home = partsFor(context, types ?? item.documentTypes);
  const german = terms.map(({ de }) => de);
  const demand = { groups: terms.map(everyPhrase), german, home, sections, columns, plan: plan ?? false };
  if (topic_first && terms.length > 1) {
    const topic = probeStatement({ ...demand, groups: demand.groups.slice(0, 1) }, context);
    if (topic.state === 'missing') return topic;
  }
  const found = probeStatement(demand, context);
  // A denial in documents of other kinds may be about something else.
  return home.length === 0 && found.state === 'fail'
    ? { ...found, state: 'missing', confidence: 'low', evidence: asNeutral(found.evidence) }
    : found;
}

const asNeutral = (evidence: Outcome['evidence']) =>
  evidence.map((one) => ({ ...one, role: 'context' as const }));
