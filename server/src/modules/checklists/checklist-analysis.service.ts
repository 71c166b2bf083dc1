import { listChecklistIds } from '@normtrace/engine';
import type { z } from 'zod';
import { invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { refuseUnknownConditions } from '../gap-analysis/gap-analysis.service.js';
import { decideMode } from '../models/decide-mode.js';
import { isUuid } from '../own-definitions/own-or-built-in.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import { hashOf, type Starting, startAnalysis } from '../runs/analyses.service.js';
import { inProjectScope, rememberScope } from '../runs/project-scope.js';
import { findTemplatesOf } from '../templates/templates.repository.js';
import { checklistSeries } from './checklist-analysis.kind.js';
import type { StartChecklist, StoredChecklistOptions } from './checklist-analysis.schemas.js';
import { findChecklist } from './checklists.repository.js';
import { findManualTrace } from './manual-trace.js';

/** Starts a run of a checklist, or answers with the run of the same inputs, checklist, engine and options. */
export async function startChecklist(
  context: Starting & Pick<WriteContext, 'now'>,
  input: z.output<typeof StartChecklist>,
): Promise<StartedAnalysis> {
  await rememberScope(context, input.workspace_id, input.options);
  const options = await optionsOf(context, input);
  return startAnalysis(context, {
    ...input,
    type: 'checklist',
    series: checklistSeries(input.checklist_id),
    options,
    model: await decideMode(context.transaction, {
      ...{ mode: input.mode, workspaceId: input.workspace_id, standardId: null },
      ...{ documents: input.work_product_ids, dependencies: context.dependencies },
    }),
    dependsOn: hashOf(await findManualTrace(context.transaction, input.workspace_id)),
  });
}

/** What a run keeps of its start. Throws 422 for conditions and checklists that nobody knows. */
export async function optionsOf(
  { transaction, now }: Pick<WriteContext, 'transaction' | 'now'>,
  {
    options,
    checklist_id: id,
    workspace_id,
  }: Pick<z.output<typeof StartChecklist>, 'options' | 'checklist_id' | 'workspace_id'>,
): Promise<StoredChecklistOptions> {
  await refuseUnknownConditions(options.conditions);
  const own = isUuid(id) ? await findChecklist(transaction, workspace_id, id) : undefined;
  if (!own && !(await listChecklistIds()).includes(id)) {
    throw invalid('body.checklist_id', 'The workspace has no such checklist.', 'unknown');
  }
  const templates = await findTemplatesOf(transaction, workspace_id);
  return {
    ...(await inProjectScope(transaction, workspace_id, options)),
    today: options.today ?? now.toISOString().slice(0, 10),
    checklist: { id, revision: own?.revision ?? 1 },
    templates: templates.map(({ id: template, type, revision }) => ({ id: template, type, revision })),
  };
}
