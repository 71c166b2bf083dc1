import type { CheckOf } from '../../../checklists/check.js';
import { everyPhrase } from '../../../data/shared-schemas.js';
import { type ItemContext, partsFor } from '../context.js';
import type { Outcome } from '../outcome.js';
import { probeStatement } from '../statements.js';

/** The documents say it, through all traps of domain H.4. */
export function checkStatement(
  {
    terms,
    in: types,
    sections,
    columns,
    plan,
    topic_first,
  }: Omit<CheckOf<'statement'>, 'check' | 'severity' | 'confirm'>,
  context: ItemContext,
): Outcome {
  const { item } = context;
  const home = partsFor(context, types ?? item.documentTypes);
  const demand = { groups: terms.map(everyPhrase), home, sections, columns, plan: plan ?? false };
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
