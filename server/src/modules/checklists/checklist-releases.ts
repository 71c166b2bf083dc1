import { createHash } from 'node:crypto';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ChecklistState, ReviewedItem } from './checklist-answers.schemas.js';

export interface ReleaseRow {
  readonly id: string;
  readonly analysis_id: string;
  readonly content_hash: string;
  readonly comment: string;
  readonly released_by: string;
  readonly released_by_name: string;
  readonly released_at: string | Date;
}

/** Of what an approval is about: items, what their verdicts rest on, and what counts. The same for a run that says the same. */
export const contentHashOf = (items: readonly ReviewedItem[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        items.map(({ item_id, item, machine, answer, effective_verdict }) => [
          item_id,
          item.revision,
          machine?.basis ?? null,
          answer?.id ?? null,
          effective_verdict,
        ]),
      ),
    )
    .digest('hex');

/** Approvals of a checklist, newest first. */
export const selectReleases = (workspaceId: string, checklistId: string): Statement => sql`
  select r.id, r.analysis_id, r.content_hash, r.comment, r.released_by,
         coalesce(nullif(u.name, ''), u.email, i.name, '') as released_by_name, r.released_at
  from checklist_releases r
  left join profiles u on u.id = r.released_by
  left join imported_people i on i.workspace_id = r.workspace_id and i.id = r.released_by
  where r.workspace_id = ${workspaceId} and r.checklist_id = ${checklistId} order by r.number desc`;

export const insertRelease = (
  transaction: Transaction,
  release: {
    readonly workspaceId: string;
    readonly checklistId: string;
    readonly analysisId: string;
    readonly contentHash: string;
    readonly counts: ChecklistState['counts']['effective'];
    readonly comment: string;
    readonly releasedBy: string;
  },
): Promise<number> =>
  transaction.run(sql`
    insert into checklist_releases (workspace_id, checklist_id, analysis_id, content_hash, counts, comment, released_by)
    values (${release.workspaceId}, ${release.checklistId}, ${release.analysisId}, ${release.contentHash},
            ${JSON.stringify(release.counts)}::jsonb, ${release.comment}, ${release.releasedBy})`);
