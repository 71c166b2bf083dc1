import { listChecklistIds } from '@normtrace/engine';
import type { z } from 'zod';
import { invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { refuseUnknownConditions } from '../gap-analysis/gap-analysis.service.js';
import { isUuid } from '../own-definitions/own-or-built-in.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import { hashOf, type Starting, startAnalysis } from '../runs/analyses.service.js';
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
  const { options, checklist_id: id, workspace_id } = input;
  await refuseUnknownConditions(options.conditions);
  const own = isUuid(id) ? await findChecklist(context.transaction, workspace_id, id) : undefined;
  if (!own && !(await listChecklistIds()).includes(id)) {
    throw invalid('body.checklist_id', 'The workspace has no such checklist.', 'unknown');
  }
  const templates = await findTemplatesOf(context.transaction, workspace_id);
  const stored: StoredChecklistOptions = {
    ...options,
    today: options.today ?? context.now.toISOString().slice(0, 10),
    checklist: { id, revision: own?.revision ?? 1 },
    templates: templates.map(({ id: template, type, revision }) => ({ id: template, type, revision })),
  };
  return startAnalysis(context, {
    ...input,
    type: 'checklist',
    series: checklistSeries(id),
    options: stored,
    dependsOn: hashOf(await findManualTrace(context.transaction, workspace_id)),
  });
}
