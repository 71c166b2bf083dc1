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
  }: Pick<CheckOf<'statement'>, 'terms' | 'in' | 'sections' | 'columns' | 'plan'>,
  context: ItemContext,
): Outcome {
  const { item } = context;
  return probeStatement(
    {
      groups: terms.map(everyPhrase),
      home: partsFor(context, types ?? item.documentTypes),
      sections,
      columns,
      plan: plan ?? false,
    },
    context,
  );
}
