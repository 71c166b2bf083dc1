import { isDeepStrictEqual } from 'node:util';
import type { AnalysisScope, NotDue } from '@normtrace/engine';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Transaction } from '../../platform/database/database.js';
import type { ProjectScope } from '../workspaces/project-scope.schemas.js';
import { findProjectScope, rememberProjectScope } from '../workspaces/workspaces.repository.js';
import type { Starting } from './analyses.service.js';

/**
 * The options of a run with the phase and what is tailored out: as it is told, else as the workspace remembers them. Without either
 * they stay as they are.
 */
export async function inProjectScope<Options extends ProjectScope>(
  transaction: Transaction,
  workspaceId: string,
  { phase: told, tailored_out: leftOut, ...options }: Options,
): Promise<Omit<Options, keyof ProjectScope> & ProjectScope> {
  const known = await findProjectScope(transaction, workspaceId);
  const phase = told === undefined ? known?.phase : told;
  const tailoredOut = leftOut ?? known?.tailored_out ?? [];
  return {
    ...options,
    ...(phase ? { phase } : {}),
    ...(tailoredOut.length === 0 ? {} : { tailored_out: [...tailoredOut] }),
  };
}

/** What a run is told holds for those that follow. */
export async function rememberScope(
  { transaction, caller }: Pick<Starting, 'transaction' | 'caller'>,
  workspaceId: string,
  told: ProjectScope,
): Promise<void> {
  const known = await findProjectScope(transaction, workspaceId);
  if (!known) return;
  const { phase = known.phase, tailored_out: tailoredOut = known.tailored_out } = told;
  const now = { phase, tailored_out: tailoredOut };
  if (isDeepStrictEqual(now, known)) return;
  await rememberProjectScope(transaction, workspaceId, now);
  await recordAudit(transaction, {
    ...{ workspaceId, targetType: 'workspace', targetId: workspaceId },
    ...{ action: 'workspace.changed', actorId: caller.userId, before: known, after: now },
  });
}

/** As the summary of a run keeps it, with what it says in every language. */
export const toNotDue = (lines: readonly NotDue[]) =>
  lines.map(({ because, reason, items, said }) => ({ because, reason, items, said }));

/** As the engine takes it. */
export const projectScopeOf = ({
  phase,
  tailored_out: tailoredOut,
}: ProjectScope): Pick<AnalysisScope, 'phase' | 'tailoredOut'> => ({
  ...(phase ? { phase } : {}),
  ...(tailoredOut && tailoredOut.length > 0 ? { tailoredOut } : {}),
});
