import { recordAudit } from '../../platform/audit/audit.js';
import type { Dependencies } from '../../platform/dependencies.js';
import { type JobHandler, logGivenUp } from '../../platform/queue/queue.js';
import { forgetText } from '../standards/attestations.service.js';
import * as standards from '../standards/standards.repository.js';
import { about } from '../standards/standards.service.js';
import { eraseExpiredJob, type OfStandard } from './retention.jobs.js';

type Tools = Pick<Dependencies, 'database' | 'queue' | 'clock' | 'log' | 'configuration'>;

/** Erases the text of a standard whose attestation has ended and was not renewed in the time of grace. */
export const eraseExpired =
  (tools: Tools): JobHandler<OfStandard> =>
  async ({ workspaceId, standardId }) => {
    const { database, clock, configuration } = tools;
    const grace = configuration.retention.expiredAttestationDays * 86_400_000;
    await database.withWorkspace(workspaceId, async (transaction) => {
      const row = await standards.lockStandard(transaction, standardId);
      const end = row?.attestation_expires_at ?? null;
      if (!row || row.file_id === null || end === null) return;
      if (new Date(end).getTime() + grace >= clock().getTime()) return;
      await forgetText(tools, transaction, row);
      await recordAudit(transaction, {
        ...about(row),
        action: 'standard.attestation_expired',
        actorId: null,
        before: { attestation_expires_at: new Date(end).toISOString() },
      });
    });
  };

/** Nothing was lost: the text stays hidden, and the next look finds it again. */
export const giveUpErasing = ({ log }: Pick<Tools, 'log'>): JobHandler<OfStandard> =>
  logGivenUp(log, eraseExpiredJob, 'the text of a standard could not be erased');
