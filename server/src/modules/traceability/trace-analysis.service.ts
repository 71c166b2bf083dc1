import { engineIdentity } from '@normtrace/engine';
import type { z } from 'zod';
import { decideMode } from '../models/decide-mode.js';
import * as analyses from '../runs/analyses.repository.js';
import type { StartedAnalysis } from '../runs/analyses.schemas.js';
import { type Starting, startAnalysis } from '../runs/analyses.service.js';
import { inProjectScope, rememberScope } from '../runs/project-scope.js';
import { type ExtractionRow, requestExtraction, selectExtraction } from './extraction.repository.js';
import { type StartTraceAnalysis, TraceOptions } from './trace-views.schemas.js';

/** All runs over the trace of a workspace are compared with each other. */
export const TRACE_SERIES = 'traceability';

/**
 * Starts an analysis of the whole trace of a workspace. The run waits for an extraction that is under way; a trace that
 * another engine took out is taken out again first.
 */
export async function startTraceAnalysis(
  starting: Starting,
  input: z.output<typeof StartTraceAnalysis>,
): Promise<StartedAnalysis> {
  const { transaction, dependencies } = starting;
  const { workspace_id, mode, force, fresh_answers } = input;
  await rememberScope(starting, workspace_id, input.options ?? {});
  const inputs = await analyses.findInputs(transaction, workspace_id, undefined);
  let trace = await transaction.one<ExtractionRow>(selectExtraction(workspace_id));
  if (inputs.length > 0 && trace.engine_version !== (await engineIdentity())) {
    await requestExtraction(transaction, dependencies.queue, workspace_id);
    trace = await transaction.one<ExtractionRow>(selectExtraction(workspace_id));
  }
  return startAnalysis(starting, {
    type: 'traceability',
    series: TRACE_SERIES,
    workspace_id,
    inputs,
    mode,
    force,
    fresh_answers,
    // Opinions on proposals are asked for where somebody asks for them, not by themselves.
    model:
      mode === 'ai'
        ? await decideMode(transaction, {
            ...{ mode, workspaceId: workspace_id, standardId: null },
            ...{ documents: inputs.map(({ id }) => id), dependencies },
          })
        : undefined,
    options: await inProjectScope(transaction, workspace_id, input.options ?? TraceOptions.parse({})),
    dependsOn: [trace.requested, trace.revision],
  });
}
