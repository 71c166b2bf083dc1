import { type ArtifactType, contentHash } from '@normtrace/engine';
import type { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import { ApiError, invalid, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { timestamp } from '../../platform/http/schemas.js';
import { rangeOf, toLocation } from '../gaps/gaps.service.js';
import * as repository from './artifacts.repository.js';
import type { Artifact, ArtifactChange, NewArtifact } from './artifacts.schemas.js';
import { noteChange } from './extraction.repository.js';
import { storableId, traceRowId } from './trace-columns.js';
import type { ArtifactFacts } from './trace-rows.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

export function toArtifact(row: repository.ArtifactRow): Artifact {
  const { facts, statements } = row;
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    artifact_id: row.artifact_id,
    type: row.type,
    told_type: row.told_type,
    origin: row.origin,
    name: row.name,
    text: row.text,
    status: row.status,
    asil: row.asil,
    artifact_version: facts?.version ?? null,
    cal: facts?.cal ?? null,
    risk: facts?.risk ?? null,
    ratings: facts?.ratings ? { ...facts.ratings } : null,
    informational: facts?.informational ?? false,
    external: facts?.external ?? false,
    kind: facts?.kind ?? null,
    result: facts?.result ?? null,
    stale: facts?.stale ?? false,
    configuration: facts?.configuration ?? null,
    verification_method: facts?.verificationMethod ?? null,
    content_hash: row.content_hash,
    work_product_id: row.work_product_id,
    version: row.version,
    location: row.location && toLocation(row.location),
    quote: row.quote,
    range: rangeOf(row),
    other_places: otherPlaces(row, statements ?? []),
    created_by: row.created_by,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** All statements but the one that is used: the first that says its text in its document. */
function otherPlaces(
  row: repository.ArtifactRow,
  statements: NonNullable<repository.ArtifactRow['statements']>,
): Artifact['other_places'] {
  const used = statements.findIndex(
    ({ text, work_product_id }) => text === row.text && work_product_id === row.work_product_id,
  );
  return statements
    .filter((_, at) => at !== used)
    .map(({ work_product_id, version, location }) => ({
      work_product_id,
      version,
      location: toLocation(location),
    }));
}

/** Adds an artifact that no document states. */
export async function addArtifact(
  { transaction, caller, request, dependencies }: Writing,
  input: z.output<typeof NewArtifact>,
): Promise<Artifact> {
  const { workspace_id } = input;
  const artifactId = storableId(input.artifact_id);
  await repository.lockTrace(transaction, workspace_id);
  if (await repository.isKnownId(transaction, workspace_id, artifactId)) {
    throw new ApiError('CONFLICT', 'The workspace has an artifact with this id.', {
      reason: 'duplicate_artifact_id',
    });
  }
  const row = await repository.insertArtifact(transaction, {
    ...givenArtifact(traceRowId(workspace_id, 'manual', artifactId), input),
    created_by: caller.userId,
  });
  await noteChange({ transaction, dependencies }, workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: 'artifact.added',
    actorId: caller.userId,
    after: { artifact_id: row.artifact_id, type: row.type },
    requestId: request.id,
  });
  return toArtifact(row);
}

/** The row for what a person gives. */
export const givenArtifact = (id: string, input: z.output<typeof NewArtifact>): repository.GivenArtifact =>
  given({
    workspace_id: input.workspace_id,
    id,
    artifact_id: storableId(input.artifact_id),
    type: input.type,
    name: input.name ?? null,
    text: input.text,
    status: input.status ?? null,
    asil: input.asil ?? null,
    facts: factsFrom(null, input),
  });

/** Changes an artifact that a person added, or says what an artifact of the documents is. */
export async function changeArtifact(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
  change: z.output<typeof ArtifactChange>,
): Promise<Artifact> {
  const row = await repository.lockArtifact(transaction, id);
  if (!row) throw notFound('artifact');
  precondition.check(toArtifact(row));
  const after =
    row.origin === 'document'
      ? await repository.setType(transaction, row, { type: onlyType(change), by: caller.userId })
      : await repository.updateArtifact(transaction, changed(row, change));
  await noteChange({ transaction, dependencies }, row.workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: 'artifact.changed',
    actorId: caller.userId,
    before: { artifact_id: row.artifact_id, type: row.type },
    after: { artifact_id: row.artifact_id, type: after.type, fields: Object.keys(change) },
    requestId: request.id,
  });
  return toArtifact(after);
}

/** Removes an artifact that a person added; links to it stay and are dangling then. */
export async function removeArtifact(
  { transaction, precondition, caller, request, dependencies }: Writing,
  id: string,
): Promise<void> {
  const row = await repository.lockArtifact(transaction, id);
  if (!row) throw notFound('artifact');
  precondition.check(toArtifact(row));
  if (row.origin === 'document') {
    throw new ApiError(
      'CONFLICT',
      'This artifact stands in a document. Upload a version without it, or delete the document.',
      { reason: 'from_a_document', work_product_id: row.work_product_id },
    );
  }
  await repository.deleteArtifact(transaction, row);
  await noteChange({ transaction, dependencies }, row.workspace_id);
  await recordAudit(transaction, {
    ...about(row),
    action: 'artifact.deleted',
    actorId: caller.userId,
    before: { artifact_id: row.artifact_id, type: row.type },
    requestId: request.id,
  });
}

function onlyType(change: z.output<typeof ArtifactChange>): ArtifactType | null {
  const { type, ...others } = change;
  const other = Object.keys(others)[0];
  if (other !== undefined) {
    throw invalid(
      `body.${other}`,
      'Of an artifact of a document only the type can be changed here. Change the document.',
      'from_a_document',
    );
  }
  return type ?? null;
}

function changed(
  row: repository.ArtifactRow,
  change: z.output<typeof ArtifactChange>,
): repository.GivenArtifact {
  if (change.type === null) {
    throw invalid('body.type', 'An artifact that a person added has a type.', 'required');
  }
  const keep = <Value>(value: Value | null | undefined, present: Value | null): Value | null =>
    value === undefined ? present : value;
  return given({
    ...row,
    type: change.type ?? row.type,
    name: keep(change.name, row.name),
    text: change.text ?? row.text,
    status: keep(change.status, row.status),
    asil: keep(change.asil, row.asil),
    facts: factsFrom(row.facts, change),
  });
}

const FACTS = {
  artifact_version: 'version',
  cal: 'cal',
  risk: 'risk',
  ratings: 'ratings',
  informational: 'informational',
  external: 'external',
  kind: 'kind',
  result: 'result',
  stale: 'stale',
  configuration: 'configuration',
  verification_method: 'verificationMethod',
} as const satisfies Record<string, keyof ArtifactFacts>;

/** Undefined leaves a fact as it is, null takes it away. */
function factsFrom(
  present: ArtifactFacts | null,
  input: Readonly<Record<string, unknown>>,
): ArtifactFacts | null {
  const facts: Record<string, unknown> = { ...present };
  for (const [field, fact] of Object.entries(FACTS)) {
    const value = input[field];
    if (value === null) delete facts[fact];
    else if (value !== undefined) facts[fact] = value;
  }
  return Object.keys(facts).length === 0 ? null : facts;
}

function given(row: Omit<repository.GivenArtifact, 'content_hash'>): repository.GivenArtifact {
  const { type, text, name, asil, facts } = row;
  const artifact = { id: row.artifact_id, type, text, ...facts };
  return {
    ...row,
    content_hash: contentHash({
      ...artifact,
      ...(name === null ? {} : { name }),
      ...(asil === null ? {} : { asil }),
    }),
  };
}

const about = (row: repository.ArtifactRow) => ({
  workspaceId: row.workspace_id,
  targetType: 'artifact',
  targetId: row.id,
});
