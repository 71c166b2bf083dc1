import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { processStandard } from '../uploads/uploads.jobs.js';
import * as repository from './standards.repository.js';
import type { Attest, Standard } from './standards.schemas.js';
import { about, eraseEverywhere, tellStandard, toStandard } from './standards.service.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies' | 'grant' | 'now'
>;

/**
 * Records that the caller holds a licence for exactly the uploaded file (domain 0.2). A text that waited for it is
 * read from now on. An adopted standard has no file: then the record speaks of the standard alone.
 */
export async function attestStandard(
  { transaction, precondition, caller, request, dependencies, now }: Writing,
  id: string,
  input: z.output<typeof Attest>,
): Promise<Standard> {
  const row = await repository.lockStandard(transaction, id);
  if (!row) throw notFound('standard');
  precondition.check(toStandard(row));
  const file = row.file_id === null ? undefined : await repository.findFile(transaction, row);
  if (!file && row.catalog_id === null) {
    throw new ApiError('CONFLICT', 'Upload the file first: the attestation is bound to exactly that file.');
  }
  const given = input.file_sha256?.toLowerCase();
  if (given !== undefined && given !== file?.sha256) {
    throw invalid('body.file_sha256', 'This is not the SHA-256 of the uploaded file.', 'sha256_mismatch');
  }
  if (file && given === undefined && file.created_by !== caller.userId)
    await refuseIfKeptBack(transaction, file, caller);
  if (input.expires_at !== undefined && new Date(input.expires_at) <= now) {
    throw invalid('body.expires_at', 'The end of the licence lies in the past.', 'past');
  }
  const record = {
    user_id: caller.userId,
    organisation: input.organisation ?? (await repository.organisationOf(transaction, caller.userId)),
    standard_designation: input.standard_designation ?? row.name,
    edition: input.edition ?? row.version,
    file_sha256: file?.sha256 ?? null,
    licence_type: input.licence_type,
    licence_holder: input.licence_holder,
    statement_version: input.statement_version,
    allows_workspace_sharing: input.allows_workspace_sharing ?? input.licence_type !== 'single_user',
    allows_ai_processing: input.allows_ai_processing,
    expires_at: input.expires_at ?? null,
  };
  await repository.insertAttestation(transaction, {
    ...record,
    ...origin(request),
    workspace_id: row.workspace_id,
    standard_id: id,
    action: 'attested',
    revokes: null,
    reason: null,
  });
  const waited = row.processing_status === 'awaiting_attestation';
  const after = await repository.updateStandard(transaction, row, {
    attested: true,
    attestation_expires_at: record.expires_at,
    ...(waited ? { processing_status: 'queued' as const } : {}),
  });
  if (waited && row.file_id !== null) {
    await dependencies.queue.enqueue(transaction, processStandard, {
      workspaceId: row.workspace_id,
      standardId: id,
      fileId: row.file_id,
    });
  }
  await recordAudit(transaction, {
    ...about(row),
    action: 'standard.attested',
    actorId: caller.userId,
    after: { licence_type: record.licence_type, file_sha256: record.file_sha256 },
    requestId: request.id,
  });
  await tellStandard(transaction, row);
  return toStandard(after);
}

/** Withdraws the caller's own attestation, else the one in force: a record of its own; text, criteria and vectors are deleted. */
export async function revokeAttestation(
  { transaction, precondition, caller, request, dependencies, grant }: Writing,
  id: string,
  reason: string | undefined,
): Promise<Standard> {
  const row = await repository.lockStandard(transaction, id);
  if (!row) throw notFound('standard');
  const find = (statement: Statement) => transaction.maybeOne<repository.AttestationRow>(statement);
  // Everybody may withdraw what they declared themselves, also after somebody else attested the same file.
  const attestation =
    (await find(repository.selectAttestationOf(caller.userId, id))) ??
    (await find(repository.selectAttestation(id)));
  if (!attestation) throw new ApiError('CONFLICT', 'There is no attestation in force to withdraw.');
  if (grant.kind === 'own' && attestation.user_id !== caller.userId) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Engineers may withdraw the attestations that they gave.');
  }
  precondition.check(toStandard(row));
  await repository.insertAttestation(transaction, {
    ...attestation,
    ...origin(request),
    user_id: caller.userId,
    workspace_id: row.workspace_id,
    standard_id: id,
    action: 'revoked',
    revokes: attestation.id,
    reason: reason ?? null,
  });
  const after = await forgetText(dependencies, transaction, row);
  await recordAudit(transaction, {
    ...about(row),
    action: 'standard.attestation_revoked',
    actorId: caller.userId,
    reason,
    before: { licence_type: attestation.licence_type, file_sha256: attestation.file_sha256 },
    requestId: request.id,
  });
  return toStandard(after);
}

/** Takes an attestation back: the text of an uploaded copy is erased, and the standard waits for a file again. */
export async function forgetText(
  dependencies: Pick<WriteContext['dependencies'], 'queue'>,
  transaction: WriteContext['transaction'],
  row: repository.StandardRow,
): Promise<repository.StandardRow> {
  if (row.file_id !== null) await eraseEverywhere(dependencies, transaction, row);
  const after = await repository.updateStandard(transaction, row, {
    attested: false,
    attestation_expires_at: null,
    ...(row.catalog_id === null
      ? {
          file_id: null,
          criteria_hash: null,
          criteria_count: 0,
          licence_mark: false,
          processing_status: 'pending_upload' as const,
          processing_error: null,
        }
      : {}),
  });
  await tellStandard(transaction, row);
  return after;
}

/** Who has not uploaded a file that somebody else keeps to themselves shows by its hash that they have it, too. */
async function refuseIfKeptBack(
  transaction: WriteContext['transaction'],
  file: repository.StandardFileRow,
  caller: WriteContext['caller'],
): Promise<void> {
  const kept = repository.isKeptBack({
    standardId: sql`${file.standard_id}`,
    sha256: sql`${file.sha256}`,
    and: sql`a.user_id <> ${caller.userId}`,
  });
  const { is_kept } = await transaction.one<{ is_kept: boolean }>(sql`select ${kept} as is_kept`);
  if (!is_kept) return;
  throw invalid(
    'body.file_sha256',
    'Somebody else keeps this file to themselves. Name the SHA-256 of your own copy of it.',
    'proof_needed',
  );
}

const origin = (request: WriteContext['request']) => ({
  ip: request.ip,
  user_agent: request.headers['user-agent']?.slice(0, 500) ?? null,
});
