import { recordAudits } from '../../platform/audit/audit.js';
import type { WriteContext } from '../../platform/http/route.js';
import { storableId, traceRowId } from '../engine/trace-columns.js';
import { lockTrace } from './artifacts.repository.js';
import { givenArtifact } from './artifacts.service.js';
import * as repository from './bulk.repository.js';
import type { BulkOutcome, LineOutcome, NewArtifacts, NewTraceLinks } from './bulk.schemas.js';
import { raiseRevision } from './extraction.repository.js';

type Writing = Pick<WriteContext, 'transaction' | 'caller' | 'request'>;

/** Adds the artifacts that the workspace does not know yet, all of them or, after an error, none. */
export async function addArtifacts(
  { transaction, caller, request }: Writing,
  { workspace_id, artifacts }: NewArtifacts,
): Promise<BulkOutcome> {
  await lockTrace(transaction, workspace_id);
  const lines = artifacts.map((input) => {
    const artifact_id = storableId(input.artifact_id);
    return { input, artifact_id, id: traceRowId(workspace_id, 'manual', artifact_id) };
  });
  const names = lines.map(({ artifact_id }) => artifact_id);
  const found = await repository.findNamed(transaction, workspace_id, names);
  const known = new Map(found.map((one) => [one.artifact_id, one.id]));
  const added: typeof lines = [];
  const items = lines.map((one, line): LineOutcome => {
    const there = known.get(one.artifact_id);
    if (there !== undefined) return { line, outcome: 'refused', id: there, code: 'duplicate' };
    known.set(one.artifact_id, one.id);
    added.push(one);
    return { line, outcome: 'added', id: one.id, code: null };
  });
  if (added.length > 0) {
    const rows = added.map(({ input, id }) => givenArtifact(id, { ...input, workspace_id }));
    await repository.insertArtifacts(transaction, workspace_id, { rows, by: caller.userId });
    await raiseRevision(transaction, workspace_id);
    await recordAudits(
      transaction,
      added.map(({ input, artifact_id, id }) => ({
        workspaceId: workspace_id,
        targetType: 'artifact',
        targetId: id,
        action: 'artifact.added',
        actorId: caller.userId,
        after: { artifact_id, type: input.type },
        requestId: request.id,
      })),
    );
  }
  return outcomeOf(items);
}

/** Adds the links that the workspace does not have yet and whose ends it knows, all of them or, after an error, none. */
export async function addLinks(
  { transaction, caller, request }: Writing,
  { workspace_id, links }: NewTraceLinks,
): Promise<BulkOutcome> {
  await lockTrace(transaction, workspace_id);
  const names = [...new Set(links.flatMap((one) => [storableId(one.source_id), storableId(one.target_id)]))];
  const found = await repository.findNamed(transaction, workspace_id, names);
  const written = new Map(found.map((one) => [one.name, one.artifact_id]));
  const lines = links.map((one) => ({
    source: written.get(storableId(one.source_id)),
    target: written.get(storableId(one.target_id)),
    isSelf: storableId(one.source_id) === storableId(one.target_id),
    link_type: one.link_type,
  }));
  const keys = lines.flatMap(({ source, target, link_type }) =>
    source === undefined || target === undefined
      ? []
      : [{ workspace_id, source_id: source, target_id: target, link_type }],
  );
  const counted = await repository.findCountedLinks(transaction, workspace_id, keys);
  const nameOf = (key: { source_id: string; link_type: string; target_id: string }): string =>
    JSON.stringify([key.source_id, key.link_type, key.target_id]);
  const known = new Map(counted.map((one) => [nameOf(one), one.id]));
  const rows: ((typeof keys)[number] & { readonly id: string })[] = [];
  const items = lines.map(({ source, target, isSelf, link_type }, line): LineOutcome => {
    const refused = (code: LineOutcome['code'], id: string | null = null): LineOutcome => ({
      line,
      outcome: 'refused',
      id,
      code,
    });
    if (isSelf) return refused('self_link');
    if (source === undefined) return refused('unknown_source');
    if (target === undefined) return refused('unknown_target');
    if (source === target) return refused('self_link');
    const key = { workspace_id, source_id: source, target_id: target, link_type };
    const there = known.get(nameOf(key));
    if (there !== undefined) return refused('duplicate', there);
    const id = traceRowId(workspace_id, 'manual', source, link_type, target);
    known.set(nameOf(key), id);
    rows.push({ ...key, id });
    return { line, outcome: 'added', id, code: null };
  });
  if (rows.length > 0) {
    await repository.insertLinks(transaction, workspace_id, { rows, by: caller.userId });
    await raiseRevision(transaction, workspace_id);
    await recordAudits(
      transaction,
      rows.map(({ id, source_id, target_id, link_type }) => ({
        workspaceId: workspace_id,
        targetType: 'trace_link',
        targetId: id,
        action: 'trace_link.added',
        actorId: caller.userId,
        after: { source_id, link_type, target_id },
        requestId: request.id,
      })),
    );
  }
  return outcomeOf(items);
}

const outcomeOf = (items: readonly LineOutcome[]): BulkOutcome => {
  const added = items.filter(({ outcome }) => outcome === 'added').length;
  return { added, refused: items.length - added, items: [...items] };
};
