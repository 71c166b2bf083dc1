import { randomUUID } from 'node:crypto';
import {
  type CatalogEntry,
  type Criterion,
  catalogEntry,
  criterionIn,
  findInCatalog,
  listCatalog,
  loadStandard,
} from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { Language } from '../../platform/http/language.js';
import type { GuardedContext, WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { withdrawReportJob } from '../reports/reports.jobs.js';
import { withdrawWords } from '../reports/reports.repository.js';
import { endRunsOfStandard } from '../runs/analyses.repository.js';
import { tellWorkspace } from '../runs/tell-workspace.js';
import { deleteObjects, processStandard } from '../uploads/uploads.jobs.js';
import { claimCompletion, findStandardUpload, type UploadRow } from '../uploads/uploads.repository.js';
import {
  completing,
  discardLeftover,
  openUpload,
  readAnnouncement,
  settleUnlessDone,
} from '../uploads/uploads.service.js';
import { discardExports } from '../workspace-archives/discard-exports.js';
import * as repository from './standards.repository.js';
import type {
  CatalogStandard,
  NewStandard,
  Standard,
  StandardCriterion,
  StandardUpload,
} from './standards.schemas.js';
import { eraseText } from './words.repository.js';

type Writing = Pick<
  WriteContext,
  'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies' | 'grant' | 'now'
>;

export const toStandard = (row: repository.StandardRow): Standard => ({
  id: row.id,
  workspace_id: row.workspace_id,
  catalog_id: row.catalog_id,
  name: row.name,
  version: row.version,
  category: row.category,
  description: row.description,
  attested: row.attested,
  requires_attestation: row.requires_attestation,
  licence_mark: row.licence_mark,
  processing_status: row.processing_status,
  processing_error: row.processing_error,
  criteria_count: row.criteria_count,
  created_at: timestamp(row.created_at),
  updated_at: timestamp(row.updated_at),
});

/** Entries of the catalog under filters, in its own order. */
export async function searchCatalog(filters: {
  readonly search?: string | undefined;
  readonly category?: string | undefined;
  readonly group?: string | undefined;
}): Promise<readonly CatalogStandard[]> {
  const wanted = filters.search?.toLowerCase();
  const words = (entry: CatalogEntry) =>
    [entry.id, entry.designation, entry.shortName, entry.title, entry.description, ...entry.aliases]
      .join('\n')
      .toLowerCase();
  return (await listCatalog())
    .filter((entry) => filters.category === undefined || entry.category === filters.category)
    .filter((entry) => filters.group === undefined || entry.group === filters.group)
    .filter((entry) => wanted === undefined || words(entry).includes(wanted))
    .map(toCatalogStandard);
}

/** Adds a standard: adopted from the catalog with its built-in structure, or an own one that waits for its file. */
export async function createStandard(
  { transaction, caller, request }: Writing,
  input: z.output<typeof NewStandard>,
): Promise<Standard> {
  const entry = input.catalog_id === undefined ? undefined : await catalogEntry(input.catalog_id);
  if (input.catalog_id !== undefined && !entry) {
    throw invalid('body.catalog_id', 'The catalog has no such standard. See /standards/common.', 'unknown');
  }
  const builtIn = entry !== undefined && entry.builtinStructure !== 'none';
  const row = await repository.insertStandard(transaction, {
    workspace_id: input.workspace_id,
    id: randomUUID(),
    catalog_id: builtIn ? entry.id : null,
    name: input.name ?? entry?.designation ?? '',
    version: input.version ?? entry?.edition ?? '',
    category: input.category ?? entry?.category ?? 'other',
    description: input.description ?? entry?.description ?? '',
    processing_status: builtIn ? 'completed' : 'pending_upload',
    requires_attestation: !builtIn && (entry?.requiresAttestation ?? (await isPaid(input.name ?? ''))),
    criteria_count: builtIn ? (await loadStandard(entry.id)).criteria.length : 0,
    created_by: caller.userId,
  });
  await recordAudit(transaction, {
    ...about(row),
    action: 'standard.created',
    actorId: caller.userId,
    after: { name: row.name, version: row.version, catalog_id: row.catalog_id },
    requestId: request.id,
  });
  await tellStandard(transaction, row);
  return toStandard(row);
}

/** Announces the file of an own standard. */
export async function announceStandardFile(
  { transaction, caller, dependencies }: Writing,
  id: string,
  input: z.output<typeof StandardUpload>,
) {
  const announcement = readAnnouncement(input, dependencies.configuration.maxUploadBytes);
  const row = await repository.lockStandard(transaction, id);
  if (!row) throw notFound('standard');
  if (row.catalog_id !== null) {
    throw new ApiError(
      'CONFLICT',
      'This standard was adopted from the catalog and needs no file. Add an own standard for your copy.',
      { reason: 'built_in' },
    );
  }
  const { uploadId, signed } = await openUpload(dependencies, transaction, {
    ...announcement,
    workspaceId: row.workspace_id,
    standardId: id,
    createdBy: caller.userId,
  });
  return {
    upload_id: uploadId,
    upload_url: signed.url,
    headers: { ...signed.headers },
    expires_at: timestamp(signed.expiresAt),
  };
}

/** Completes the upload of a standard's file. A paid text then waits for its attestation, others are read. */
export async function completeStandardFile(
  { caller, dependencies, log }: Pick<GuardedContext, 'caller' | 'dependencies' | 'log'>,
  id: string,
  uploadId: string,
): Promise<Standard> {
  const { database, queue } = dependencies;
  const find = (): Promise<UploadRow | undefined> =>
    database.withActor(caller, (transaction) => findStandardUpload(transaction, id, uploadId));
  const upload = await find();
  if (!upload) throw notFound('upload');
  const settled = await settleUnlessDone(dependencies, upload, {
    folder: folderOf(id, uploadId),
    again: find,
  });
  const complete = () =>
    database.withActor(caller, async (transaction) => {
      const row = await repository.lockStandard(transaction, id);
      if (!row) throw notFound('standard');
      if (!settled || !(await claimCompletion(transaction, upload))) return { row, claimed: false };
      const fileId = randomUUID();
      await repository.insertFile(transaction, row, {
        id: fileId,
        fileName: upload.file_name,
        fileSize: Number(upload.file_size),
        fileType: upload.file_type,
        sha256: settled.sha256,
        objectKey: settled.objectKey,
        createdBy: caller.userId,
      });
      const attestation = await transaction.maybeOne<repository.AttestationRow>(
        repository.selectAttestation(id),
      );
      const attested = attestation?.file_sha256 === settled.sha256;
      const waits = row.requires_attestation && !attested;
      const changed = await repository.updateStandard(transaction, row, {
        file_id: fileId,
        attested,
        attestation_expires_at: attested ? (attestation?.expires_at ?? null) : null,
        processing_status: waits ? 'awaiting_attestation' : 'queued',
        processing_error: null,
      });
      if (!waits) {
        await queue.enqueue(transaction, processStandard, {
          workspaceId: row.workspace_id,
          standardId: id,
          fileId,
        });
      }
      await tellStandard(transaction, row);
      return { row: changed, claimed: true };
    });
  const done = await completing({ dependencies, log }, settled, complete);
  await discardLeftover({ dependencies, log }, upload, { settled, claimed: done.claimed });
  return toStandard(done.row);
}

/** Reads the newest file again. */
export async function reprocessStandard(
  { transaction, dependencies }: Writing,
  id: string,
): Promise<Standard> {
  const row = await repository.lockStandard(transaction, id);
  if (!row) throw notFound('standard');
  if (row.file_id === null) throw new ApiError('CONFLICT', 'This standard has no file to read.');
  if (row.requires_attestation && !row.attested) {
    throw new ApiError('CONFLICT', 'Attest the licence first; the text is not processed before.');
  }
  if (row.processing_status === 'queued') return toStandard(row);
  const changed = await repository.updateStandard(transaction, row, {
    processing_status: 'queued',
    processing_error: null,
  });
  await dependencies.queue.enqueue(transaction, processStandard, {
    workspaceId: row.workspace_id,
    standardId: id,
    fileId: row.file_id,
  });
  await tellStandard(transaction, row);
  return toStandard(changed);
}

/** Takes a standard away with its text; analyses and gaps keep ids and own words. */
export async function removeStandard(
  { transaction, precondition, caller, request, dependencies, grant }: Writing,
  id: string,
): Promise<void> {
  const row = await repository.lockStandard(transaction, id);
  if (!row) throw notFound('standard');
  if (grant.kind === 'own' && row.created_by !== caller.userId) {
    throw new ApiError('AUTHORIZATION_ERROR', 'Engineers may delete the standards that they added.');
  }
  precondition.check(toStandard(row));
  await eraseEverywhere(dependencies, transaction, row);
  await repository.hideStandard(transaction, row);
  await recordAudit(transaction, {
    ...about(row),
    action: 'standard.deleted',
    actorId: caller.userId,
    before: { name: row.name, version: row.version },
    requestId: request.id,
  });
  await tellStandard(transaction, row);
}

/**
 * Deletes the text of a standard: rows now, objects by jobs of the same transaction. Runs under way end, because their
 * results would write it down again. Objects go upload by upload: the next file of the same standard has to stay.
 */
export async function eraseEverywhere(
  { queue }: Pick<WriteContext['dependencies'], 'queue'>,
  transaction: WriteContext['transaction'],
  row: repository.StandardRow,
): Promise<void> {
  await endRunsOfStandard(transaction, row);
  for (const reportId of await withdrawWords(transaction, row)) {
    await queue.enqueue(transaction, withdrawReportJob, { workspaceId: row.workspace_id, reportId });
  }
  for (const uploadId of await eraseText(transaction, row)) {
    await queue.enqueue(transaction, deleteObjects, {
      workspaceId: row.workspace_id,
      prefix: `${row.workspace_id}/${folderOf(row.id, uploadId)}/`,
    });
  }
  await discardExports(queue, transaction, row.workspace_id);
}

/** The criteria of a standard, in its order: built in, or read from the uploaded file. */
export async function criteriaOf(
  row: Pick<repository.StandardRow, 'catalog_id' | 'id'>,
  read: <Row>(statement: ReturnType<typeof repository.selectCriteria>) => Promise<Row[]>,
): Promise<readonly Criterion[]> {
  if (row.catalog_id !== null) return (await loadStandard(row.catalog_id)).criteria;
  const rows = await read<{ criterion: Criterion }>(repository.selectCriteria(row.id));
  return rows.map(({ criterion }) => criterion);
}

/** How a reader sees the criteria of a standard. */
export interface CriterionReader {
  /** May read their words. */
  readonly readable: boolean;
  readonly language: Language;
}

/** Title and text for a reader; null for whoever may not read them. */
export function wordsOfCriterion(
  criterion: Criterion,
  { readable, language }: CriterionReader,
): { readonly title: string | null; readonly text: string | null } {
  if (!readable) return { title: null, text: null };
  const { title, text } = criterionIn(criterion, language);
  return { title, text };
}

export const toCriterion =
  (reader: CriterionReader) =>
  (criterion: Criterion): StandardCriterion => ({
    id: criterion.id,
    parent_id: criterion.parentId ?? null,
    kind: criterion.kind,
    clause: criterion.clause,
    ...wordsOfCriterion(criterion, reader),
    obligation: criterion.obligation,
    severity: criterion.severity,
    document_types: [...(criterion.documentTypes ?? [])],
  });

/** Where the files of one upload lie. */
const folderOf = (standardId: string, uploadId: string): string => `standards/${standardId}/${uploadId}`;

async function isPaid(name: string): Promise<boolean> {
  return (await findInCatalog(name)).some((entry) => entry.requiresAttestation);
}

/** Tells who watches the workspace that a standard of it is another one now, new or gone. */
export const tellStandard = (
  transaction: WriteContext['transaction'],
  row: Pick<repository.StandardRow, 'workspace_id' | 'id'>,
): Promise<number> =>
  tellWorkspace(transaction, row.workspace_id, { event: 'standard', data: { standard_id: row.id } });

export const about = (row: repository.StandardRow) => ({
  workspaceId: row.workspace_id,
  targetType: 'standard',
  targetId: row.id,
});

const toCatalogStandard = (entry: CatalogEntry): CatalogStandard => ({
  id: entry.id,
  designation: entry.designation,
  short_name: entry.shortName,
  title: entry.title,
  publisher: entry.publisher,
  edition: entry.edition,
  published: entry.published ?? null,
  status: entry.status,
  supersedes: [...entry.supersedes],
  superseded_by: [...entry.supersededBy],
  category: entry.category,
  group: entry.group,
  kind: entry.kind,
  parts: entry.parts.map(({ part, title, id }) => ({ part, title, id: id ?? null })),
  description: entry.description,
  obtain: { ...entry.obtain },
  builtin_structure: entry.builtinStructure,
  content_policy: entry.contentPolicy,
  requires_attestation: entry.requiresAttestation,
  related: [...entry.related],
  last_verified: entry.lastVerified,
});
