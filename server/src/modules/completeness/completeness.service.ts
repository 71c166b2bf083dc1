import { listDocumentTypeIds, qualityWords } from '@normtrace/engine';
import type { z } from 'zod';
import { invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { refuseUnknownConditions } from '../gap-analysis/gap-analysis.service.js';
import { decideMode } from '../models/decide-mode.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import { type Starting, startAnalysis } from '../runs/analyses.service.js';
import { inProjectScope, rememberScope } from '../runs/project-scope.js';
import { findTemplatesOf } from '../templates/templates.repository.js';
import type { StartCompleteness, StoredCompletenessOptions } from './completeness.schemas.js';

/** Starts a completeness check, or answers with the run of the same inputs, templates, engine and options. */
export async function startCompleteness(
  context: Starting & Pick<WriteContext, 'now'>,
  input: z.output<typeof StartCompleteness>,
): Promise<StartedAnalysis> {
  await rememberScope(context, input.workspace_id, input.options);
  return startAnalysis(context, {
    ...input,
    type: 'completeness',
    series: 'completeness',
    options: await wantedOptions(context, input),
    // What it says of requirements is advice: it is asked where somebody asks for it, not by itself.
    model:
      input.mode === 'ai'
        ? await decideMode(context.transaction, {
            ...{ mode: 'ai', workspaceId: input.workspace_id, standardId: null },
            ...{ documents: input.work_product_ids, dependencies: context.dependencies },
          })
        : undefined,
    dependsOn: null,
  });
}

/** What a run keeps of its start. Throws for conditions, rules and templates that there are not. */
export async function wantedOptions(
  { transaction, now }: Pick<WriteContext, 'transaction' | 'now'>,
  input: Pick<z.output<typeof StartCompleteness>, 'workspace_id' | 'template_id' | 'options'>,
): Promise<StoredCompletenessOptions> {
  const { options, template_id: templateId = null, workspace_id } = input;
  await refuseUnknownConditions(options.conditions);
  refuseUnknownRules(options.requirement_quality.without);
  const own = await findTemplatesOf(transaction, workspace_id);
  if (templateId !== null) {
    const isKnown = own.some(({ id }) => id === templateId) || (await listDocumentTypeIds()).has(templateId);
    if (!isKnown) throw invalid('body.template_id', 'The workspace has no such template.', 'unknown');
  }
  return {
    ...(await inProjectScope(transaction, workspace_id, options)),
    today: options.today ?? now.toISOString().slice(0, 10),
    template_id: templateId,
    templates: own.map(({ id, type, revision }) => ({ id, type, revision })),
  };
}

function refuseUnknownRules(rules: readonly string[]): void {
  const unknown = rules.findIndex((rule) => !qualityWords().rules.has(rule));
  if (unknown === -1) return;
  throw invalid(
    `body.options.requirement_quality.without.${unknown}`,
    `There is no rule ${rules[unknown]}.`,
    'unknown',
  );
}
