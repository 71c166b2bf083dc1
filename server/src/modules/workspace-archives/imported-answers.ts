import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { Dependencies } from '../../platform/dependencies.js';
import {
  type ChecklistResultRow,
  selectChecklistResults,
} from '../checklists/checklist-analysis.repository.js';
import { type StateRunRow, selectStateRun, settleGaps } from '../checklists/checklist-answers.repository.js';
import { placeInRun } from '../documents/find-quotes.js';
import { lockSeries } from '../runs/store-result.js';
import type { RowOf } from './archive-rows.schemas.js';

interface Waiting<Kind extends 'checklist_answers' | 'checklist_releases'> {
  readonly id: string;
  readonly content: RowOf<Kind>;
  readonly imported_by: string;
}

/**
 * Puts answers and approvals that people gave elsewhere beside the verdicts of a run here. An answer counts where what the
 * verdict rests on is the same as then; otherwise it shows as given on something else. What it quotes is looked up in the
 * documents as they were read here; what does not stand there is left out, and the audit event says how much that was.
 */
export async function answerItems(
  tools: { readonly transaction: Transaction; readonly dependencies: Dependencies },
  {
    workspaceId,
    series,
    checklistId,
    analysisId,
  }: {
    readonly workspaceId: string;
    readonly series: string;
    readonly checklistId: string;
    readonly analysisId: string;
  },
): Promise<void> {
  const { transaction } = tools;
  const waiting = <Kind extends 'checklist_answers' | 'checklist_releases'>(kind: Kind) =>
    transaction.many<Waiting<Kind>>(sql`
      select id, content, imported_by from imported_work
      where workspace_id = ${workspaceId} and kind = ${kind} and series = ${series} and outcome is null order by number`);
  await lockSeries(transaction, workspaceId, series);
  const [run] = await transaction.many<StateRunRow>(selectStateRun(workspaceId, series));
  const results = await transaction.many<ChecklistResultRow>(selectChecklistResults(analysisId));
  const verdicts = new Map(results.map(({ item_id, verdict }) => [item_id, verdict]));
  for (const { id, content: answer, imported_by } of await waiting('checklist_answers')) {
    // An item that is not asked any more has no verdict to stand beside.
    const machineVerdict = verdicts.get(answer.item_id);
    if (machineVerdict === undefined || !run) continue;
    const evidence = [];
    for (const { work_product_id, quote, note } of answer.evidence) {
      const version = run.documents.find((one) => one.work_product_id === work_product_id)?.version;
      const place =
        version === undefined
          ? undefined
          : await placeInRun(tools, workspaceId, { work_product_id, version, quote });
      if (place) evidence.push({ ...place, note });
    }
    await transaction.run(sql`
      insert into checklist_answers (workspace_id, id, checklist_id, item_id, item_revision, verdict, reason, evidence,
                                     analysis_id, machine_verdict, basis, documents, answered_by, answered_at)
      values (${workspaceId}, ${answer.id}, ${checklistId}, ${answer.item_id}, ${answer.item_revision}, ${answer.verdict},
              ${answer.reason}, ${JSON.stringify(evidence)}::jsonb, ${analysisId}, ${machineVerdict}, ${answer.basis},
              ${JSON.stringify(answer.documents)}::jsonb, ${answer.answered_by}, ${answer.answered_at})`);
    await transaction.run(sql`
      insert into audit_events (workspace_id, action, target_type, target_id, after)
      values (${workspaceId}, 'checklist.answer_imported', 'checklist_item', ${`${checklistId}/${answer.item_id}`},
              ${JSON.stringify({
                imported_by,
                verdict: answer.verdict,
                quotes_left_out: answer.evidence.length - evidence.length,
              })}::jsonb)`);
    await transaction.run(sql`delete from imported_work where workspace_id = ${workspaceId} and id = ${id}`);
  }
  for (const { id, content: release } of await waiting('checklist_releases')) {
    await transaction.run(sql`
      insert into checklist_releases (workspace_id, id, checklist_id, analysis_id, content_hash, counts, comment,
                                      released_by, released_at)
      values (${workspaceId}, ${release.id}, ${checklistId}, ${analysisId}, ${release.content_hash},
              ${JSON.stringify(release.counts)}::jsonb, ${release.comment}, ${release.released_by}, ${release.released_at})`);
    await transaction.run(sql`delete from imported_work where workspace_id = ${workspaceId} and id = ${id}`);
  }
  await settleGaps(transaction, { workspaceId, id: analysisId, series }, { checklistId });
}
