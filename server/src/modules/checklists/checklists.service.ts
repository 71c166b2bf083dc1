import { isDeepStrictEqual } from 'node:util';
import {
  type Checklist as Definition,
  type ChecklistItem as DefinitionItem,
  loadChecklists,
} from '@normtrace/engine';
import type { z } from 'zod';
import { type AuditEvent, recordAudit } from '../../platform/audit/audit.js';
import type { Statement } from '../../platform/database/database.js';
import { UniqueViolation } from '../../platform/database/errors.js';
import { ApiError, notFound } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { builtInRow, definitionHash, isUuid, toProvenance } from '../own-definitions/own-or-built-in.js';
import { fromWorkProduct, fromYaml } from './checklist-files.js';
import * as repository from './checklists.repository.js';
import type { Checklist, ChecklistDetail, ChecklistItem, NewChecklist } from './checklists.schemas.js';

type Writing = Pick<WriteContext, 'transaction' | 'precondition' | 'caller' | 'request' | 'dependencies'>;

export const toChecklist = (row: repository.ListedChecklistRow): Checklist => {
  const { about, source } = toProvenance(row, row.key);
  return {
    ...about,
    key: row.key,
    title: toText(row.title),
    group: row.domain,
    languages: [...row.languages],
    item_count: row.item_count,
    taken_from: source,
  };
};

/** An item as it is asked, without its checks. */
export const toItem = (item: Omit<DefinitionItem, 'checks'>): ChecklistItem => ({
  id: item.id,
  text: toText(item.text),
  refs: [...item.refs],
  severity: item.severity,
  missing_severity: item.missingSeverity,
  automation: item.automation,
  question: toTextOrNull(item.question),
  pass: toTextOrNull(item.pass),
  fail: toTextOrNull(item.fail),
  document_types: [...item.documentTypes],
  applies_when: [...item.appliesWhen],
  not_applicable: toTextOrNull(item.notApplicable.text),
  status: item.status,
  revision: item.revision,
  claimed: item.claimed
    ? {
        result: item.claimed.result,
        remark: item.claimed.remark ?? null,
        evidence: item.claimed.evidence ?? null,
      }
    : null,
});

export const toText = ({ en, de = undefined }: Definition['title']): ChecklistItem['text'] => ({
  en,
  de: de ?? null,
});
export const toTextOrNull = (text: Definition['title'] | undefined): ChecklistItem['question'] =>
  text === undefined ? null : toText(text);

/** The built-in checklists in the order of their ids, as rows of a list that come after all of workspaces. */
export async function builtInRows(): Promise<readonly repository.ListedChecklistRow[]> {
  return [...(await loadChecklists()).values()].map((definition, place) => ({
    ...builtInRow(definition.id, place),
    key: definition.id,
    title: definition.title,
    domain: definition.domain,
    languages: ['en', 'de'],
    item_count: definition.items.filter(({ status }) => status === 'active').length,
  }));
}

type Read = <Row>(statement: Statement) => Promise<Row[]>;

/** A checklist by its UUID, or a built-in one by its id. */
export async function readChecklistDetail(id: string, read: Read): Promise<ChecklistDetail> {
  const builtIn = (await loadChecklists()).get(id);
  const row = (await builtInRows()).find(({ key }) => key === id);
  if (builtIn && row) return { ...toChecklist(row), items: builtIn.items.map(toItem), yaml: null };
  const [own] = isUuid(id) ? await read<repository.OwnChecklistRow>(repository.selectChecklist(id)) : [];
  if (!own) throw notFound('checklist');
  return toDetail(own);
}

const toDetail = (row: repository.OwnChecklistRow): ChecklistDetail => ({
  ...toChecklist(row),
  items: row.definition.items.map(toItem),
  yaml: row.yaml,
});

/** Makes a checklist from YAML or from a file of the workspace. */
export async function createChecklist(
  context: Writing,
  input: z.output<typeof NewChecklist>,
): Promise<ChecklistDetail> {
  const { transaction, caller } = context;
  const workspaceId = input.workspace_id;
  const made = 'yaml' in input ? await fromYaml(input.yaml) : await fromWorkProduct(context, input);
  const row = await refusingTakenKey(made.definition.id, () =>
    repository.insertChecklist(transaction, { workspaceId, createdBy: caller.userId, ...made }),
  );
  await recordChange(context, row, { action: 'checklist.created', after: auditState(row) });
  return toDetail(row);
}

/** Puts another definition in the place of the present one; items that are left out are withdrawn. */
export async function changeChecklist(
  context: Writing,
  id: string,
  { yaml }: { readonly yaml: string },
): Promise<ChecklistDetail> {
  const { transaction, precondition } = context;
  const before = await repository.lockChecklist(transaction, id);
  if (!before) throw notFound('checklist');
  precondition.check(toDetail(before));
  const made = await fromYaml(yaml);
  const items = withRevisions(before.definition.items, made.definition.items);
  const row = await refusingTakenKey(made.definition.id, () =>
    repository.updateChecklist(transaction, before, { ...made, definition: { ...made.definition, items } }),
  );
  await recordChange(context, row, {
    action: 'checklist.changed',
    before: auditState(before),
    after: auditState(row),
  });
  return toDetail(row);
}

/** Deletes a checklist; results that used it stay. */
export async function removeChecklist(context: Writing, id: string): Promise<void> {
  const { transaction, precondition } = context;
  const row = await repository.lockChecklist(transaction, id);
  if (!row) throw notFound('checklist');
  precondition.check(toDetail(row));
  await repository.deleteChecklist(transaction, row);
  await recordChange(context, row, { action: 'checklist.deleted', before: auditState(row) });
}

/**
 * Ids are never used for another question (domain F.23): a changed item gets the next revision, one that is left out stays
 * as a withdrawn one.
 */
export function withRevisions(
  before: readonly DefinitionItem[],
  after: readonly DefinitionItem[],
): readonly DefinitionItem[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const kept = new Set(after.map(({ id }) => id));
  const sameWords = (one: DefinitionItem, other: DefinitionItem): boolean =>
    isDeepStrictEqual({ ...one, revision: 0 }, { ...other, revision: 0 });
  return [
    ...after.map((item) => {
      const old = known.get(item.id);
      if (!old) return item;
      // A file in the long form may count further by itself.
      const next = sameWords(old, item) ? old.revision : old.revision + 1;
      return { ...item, revision: Math.max(next, item.revision) };
    }),
    ...before.filter(({ id }) => !kept.has(id)).map((item) => ({ ...item, status: 'withdrawn' as const })),
  ];
}

const recordChange = (
  { transaction, caller, request }: Writing,
  row: repository.OwnChecklistRow,
  event: Pick<AuditEvent, 'action' | 'before' | 'after'>,
): Promise<void> =>
  recordAudit(transaction, {
    ...event,
    workspaceId: row.workspace_id,
    targetType: 'checklist',
    targetId: row.id,
    actorId: caller.userId,
    requestId: request.id,
  });

const auditState = ({ key, revision, item_count, definition }: repository.OwnChecklistRow) => ({
  key,
  revision,
  item_count,
  definition_sha256: definitionHash(definition),
});

async function refusingTakenKey<T>(key: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UniqueViolation) || error.constraint !== 'checklists_key') throw error;
    throw new ApiError('CONFLICT', `The workspace has a checklist ${key} already.`, {
      reason: 'key_taken',
      key,
    });
  }
}
