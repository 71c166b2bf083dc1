import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { recordAudit } from '../../platform/audit/audit.js';
import type { WriteContext } from '../../platform/http/route.js';
import { Id } from '../../platform/http/schemas.js';
import { wordsFor } from '../../platform/http/validate-request.js';
import { type GivenArtifact, lockTrace } from './artifacts.repository.js';
import { givenArtifact } from './artifacts.service.js';
import * as repository from './bulk.repository.js';
import {
  type ArtifactLines,
  type BulkOutcome,
  CheckedArtifact,
  CheckedLink,
  type LineOutcome,
  type LinkLines,
} from './bulk.schemas.js';
import { type Changing, noteChange } from './extraction.repository.js';
import type { LinkKey } from './links.repository.js';
import { tellLinks } from './links.service.js';
import { storableId, traceRowId } from './trace-columns.js';

interface Writing extends Changing {
  readonly caller: Pick<WriteContext['caller'], 'userId'>;
  readonly request: Pick<WriteContext['request'], 'id'>;
}

/** Puts artifacts that people add to what the lines say, and tells of each line what became of it. */
export async function putArtifacts(
  { transaction, caller, request, dependencies }: Writing,
  { workspace_id, artifacts }: z.output<typeof ArtifactLines>,
): Promise<BulkOutcome> {
  await lockTrace(transaction, workspace_id);
  const seen = new Map<string, number>();
  const asked = artifacts.map((line, index) => {
    const checked = check(CheckedArtifact, line, index);
    if ('refused' in checked) return checked;
    const artifactId = storableId(checked.line.artifact_id);
    const first = seen.get(artifactId);
    if (first !== undefined) return twice('artifact_id', index, first);
    seen.set(artifactId, index);
    const id = traceRowId(workspace_id, 'manual', artifactId);
    return { row: givenArtifact(id, { ...checked.line, workspace_id }) };
  });
  const known = new Map(
    (await repository.findArtifacts(transaction, workspace_id, [...seen.keys()])).map((row) => [
      row.artifact_id,
      row,
    ]),
  );
  const made: GivenArtifact[] = [];
  const changed: GivenArtifact[] = [];
  const lines = asked.map((one, index): LineOutcome => {
    if ('refused' in one) return one.refused;
    const present = known.get(one.row.artifact_id);
    if (!present) {
      made.push(one.row);
      return done(index, 'created', one.row.id);
    }
    if (present.origin === 'document') {
      return refuse(index, {
        code: 'from_a_document',
        path: 'artifact_id',
        message: 'This artifact stands in a document. Upload another version of it.',
      }).refused;
    }
    if (saysTheSame(present, one.row)) return done(index, 'unchanged', present.id);
    changed.push({ ...one.row, id: present.id });
    return done(index, 'updated', present.id);
  });
  if (made.length > 0) {
    await repository.insertArtifacts(transaction, workspace_id, { rows: made, by: caller.userId });
  }
  if (changed.length > 0) await repository.updateArtifacts(transaction, workspace_id, changed);
  if (made.length + changed.length > 0) {
    await noteChange({ transaction, dependencies }, workspace_id);
    const idsOf = (rows: readonly GivenArtifact[]) => rows.map((row) => row.artifact_id);
    await recordAudit(transaction, {
      ...about(workspace_id),
      action: 'artifact.put_in_bulk',
      actorId: caller.userId,
      after: { created: idsOf(made), updated: idsOf(changed) },
      requestId: request.id,
    });
  }
  return outcomeOf(workspace_id, lines);
}

/** Adds the links of the lines that are not there yet, and tells of each line what became of it. */
export async function putLinks(
  { transaction, caller, request, dependencies }: Writing,
  { workspace_id, links }: z.output<typeof LinkLines>,
): Promise<BulkOutcome> {
  await lockTrace(transaction, workspace_id);
  const asked = links.map((line, index) => check(CheckedLink, line, index));
  const findEnd = await endsOf(
    transaction,
    workspace_id,
    asked.flatMap((one) => ('line' in one ? [one.line.source_id, one.line.target_id] : [])),
  );
  const seen = new Map<string, number>();
  const placed = asked.map((one, index) => {
    if ('refused' in one) return one;
    const { link_type } = one.line;
    const [source_id, target_id] = [findEnd(one.line.source_id), findEnd(one.line.target_id)];
    if (source_id === undefined) return unknownEnd('source_id', index);
    if (target_id === undefined) return unknownEnd('target_id', index);
    if (source_id === target_id) {
      return refuse(index, {
        code: 'self_link',
        path: 'target_id',
        message: 'A link goes to another artifact, not to itself.',
      });
    }
    const link = { source_id, link_type, target_id };
    const first = seen.get(repository.keyOf(link));
    if (first !== undefined) return twice('target_id', index, first);
    seen.set(repository.keyOf(link), index);
    return { link };
  });
  const wanted = placed.flatMap((one) => ('link' in one ? [one.link] : []));
  const known = new Map<string, string>();
  for (const { id, ...link } of await repository.findCountedLinks(transaction, workspace_id, wanted)) {
    const key = repository.keyOf(link);
    if (!known.has(key)) known.set(key, id);
  }
  const made: (Omit<LinkKey, 'workspace_id'> & { readonly id: string })[] = [];
  const lines = placed.map((one, index): LineOutcome => {
    if ('refused' in one) return one.refused;
    const { link } = one;
    const present = known.get(repository.keyOf(link));
    if (present !== undefined) return done(index, 'unchanged', present);
    const id = traceRowId(workspace_id, 'manual', link.source_id, link.link_type, link.target_id);
    made.push({ ...link, id });
    return done(index, 'created', id);
  });
  if (made.length > 0) {
    await repository.insertLinks(transaction, workspace_id, { rows: made, by: caller.userId });
    await noteChange({ transaction, dependencies }, workspace_id);
    await recordAudit(transaction, {
      ...about(workspace_id),
      action: 'trace_link.put_in_bulk',
      actorId: caller.userId,
      after: { created: made.map(({ id }) => id) },
      requestId: request.id,
    });
    await tellLinks(
      transaction,
      workspace_id,
      made.map(({ id }) => id),
    );
  }
  return outcomeOf(workspace_id, lines);
}

/** Ids as written of the artifacts that were named: by that id, or by the id of the resource. */
async function endsOf(
  transaction: Writing['transaction'],
  workspaceId: string,
  named: readonly string[],
): Promise<(name: string) => string | undefined> {
  const written = [...new Set(named.map(storableId))];
  const ids = written.filter((one) => Id.safeParse(one).success);
  const found = await repository.findEnds(transaction, workspaceId, { written, ids });
  const known = new Set(found.map((one) => one.artifact_id));
  const byId = new Map(found.map((one) => [one.id, one.artifact_id]));
  return (name) => {
    const id = storableId(name);
    return known.has(id) ? id : byId.get(id.toLowerCase());
  };
}

interface Refused {
  readonly refused: LineOutcome;
}

const refuse = (index: number, error: NonNullable<LineOutcome['error']>): Refused => ({
  refused: { index, outcome: 'refused', id: null, error },
});

const done = (index: number, outcome: LineOutcome['outcome'], id: string): LineOutcome => ({
  index,
  outcome,
  id,
  error: null,
});

const twice = (path: string, index: number, first: number): Refused =>
  refuse(index, {
    code: 'duplicate_line',
    path,
    message: `Line ${first} is about the same. Send it once.`,
  });

const unknownEnd = (path: 'source_id' | 'target_id', index: number): Refused =>
  refuse(index, { code: 'unknown', path, message: 'The workspace has no artifact with this id.' });

function check<Schema extends z.ZodType>(
  schema: Schema,
  line: unknown,
  index: number,
): { readonly line: z.output<Schema> } | Refused {
  const checked = z.safeParse(schema, line, { error: wordsFor });
  if (checked.success) return { line: checked.data };
  const { code, path, message } = checked.error.issues[0] as z.core.$ZodIssue;
  return refuse(index, { code, path: path.join('.'), message });
}

const saysTheSame = (one: GivenArtifact, other: GivenArtifact): boolean =>
  (['type', 'name', 'text', 'status', 'asil'] as const).every((field) => one[field] === other[field]) &&
  isDeepStrictEqual(one.facts, other.facts);

const about = (workspaceId: string) => ({
  workspaceId,
  targetType: 'workspace',
  targetId: workspaceId,
});

function outcomeOf(workspace_id: string, lines: readonly LineOutcome[]): BulkOutcome {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const { outcome } of lines) counts[outcome] += 1;
  return { workspace_id, ...counts, lines: [...lines] };
}
