import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import {
  isKeptBack,
  newestAttestation,
  type StandardRow,
  selectStandard,
  selectStandards,
} from './standards.repository.js';

// Words of uploaded standards: who may read them where they are repeated, and how they go away.

/** Stands where words of a standard stood that has gone. */
const REMOVED = 'Removed with the text of the standard.';
/** What of a finding is ours: ids, grades and the reference. Anything else may repeat the standard. */
const KEPT_OF_FINDING = [
  'fingerprint',
  'kind',
  'criterionId',
  'standardRef',
  'severity',
  'confidence',
  'asil',
  'effortHint',
  'affectedItems',
];
const REPLACED_IN_FINDING = ['title', 'expected', 'observed', 'whyItMatters', 'recommendation'];

/** A finding (SQL, jsonb) with `instead` in place of everything that may repeat words of its standard. */
export const withoutWords = (finding: Statement, instead: string): Statement => {
  const words = JSON.stringify({
    severityReasons: [],
    ...Object.fromEntries(REPLACED_IN_FINDING.map((name) => [name, instead])),
  });
  return sql`
    ((select coalesce(jsonb_object_agg(kept.key, kept.value), '{}') from jsonb_each(${finding}) as kept
      where kept.key = any (${KEPT_OF_FINDING}::text[])) || ${words}::jsonb)`;
};

/** Stands for the words of a standard that the reader may not read. */
export const HIDDEN = 'Only the holder of its licence may read the words of this standard.';

/**
 * Ids (SQL, uuid[]) of the standards whose words a user may read: our own words always, an uploaded copy as the
 * attestation in force allows, or their own for the same file (domain 0.2), and never for guests. What one person keeps to themselves nobody
 * else can share.
 */
const readableStandards = (userId: string): Statement => sql`
  array(
    select t.id from standards t
    left join standard_files f on f.workspace_id = t.workspace_id and f.id = t.file_id
    left join lateral (${newestAttestation(sql`t.id`)}) a on true
    left join lateral (
      ${newestAttestation(sql`t.id`, sql`a.user_id = ${userId} and a.file_sha256 = f.sha256`)}
    ) own on true
    where t.catalog_id is not null
      or app.current_guest_id() is null
         and case when a.id is null then not t.requires_attestation
                  else own.id is not null or a.allows_workspace_sharing
                       and not ${isKeptBack({ standardId: sql`t.id`, sha256: sql`f.sha256` })} end)`;

/** Whether a user may read the words of a standard, as an SQL condition; without a standard (null) they are our own. */
export const isReadable = (standardId: Statement, userId: string): Statement =>
  sql`(${standardId} is null or ${standardId} = any (${readableStandards(userId)}))`;

export interface ReadableStandardRow extends StandardRow {
  /** The user may read its words. */
  readonly readable: boolean;
}

export const selectStandardFor = (id: string, userId: string): Statement => sql`
  select s.*, ${isReadable(sql`s.id`, userId)} as readable from (${selectStandard(id)}) s`;

/** The standards of a workspace, by name. */
export const selectStandardsFor = (workspaceId: string, userId: string): Statement => sql`
  select s.*, ${isReadable(sql`s.id`, userId)} as readable
  from (${selectStandards({ workspace_id: workspaceId })}) s order by s.name, s.id`;

/** A finding (SQL, jsonb) as a user may read it. */
export const readableFinding = (finding: Statement, standardId: Statement, userId: string): Statement => sql`
  case when ${isReadable(standardId, userId)} then ${finding} else ${withoutWords(finding, HIDDEN)} end`;

/** A text (SQL) that may repeat words of a standard, as a user may read it. */
export const readableText = (text: Statement, standardId: Statement, userId: string): Statement => sql`
  case when ${text} is null or ${isReadable(standardId, userId)} then ${text} else ${HIDDEN}::text end`;

/** Key and values (SQL, jsonb) of such a text, for who may read it. */
export const readableSaid = (said: Statement, standardId: Statement, userId: string): Statement => sql`
  case when ${isReadable(standardId, userId)} then ${said} end`;

/** Data of an event (SQL, jsonb) as a user may read it: events of findings carry a title. */
export const readableEvent = (
  event: { readonly type: Statement; readonly data: Statement },
  standardId: Statement,
  userId: string,
): Statement => sql`
  case when ${event.type} <> 'finding' or ${isReadable(standardId, userId)} then ${event.data}
       else (${event.data} - 'said') || jsonb_build_object('title', ${HIDDEN}::text) end`;

/**
 * Takes the text of a standard out of the database: criteria, files, what findings, verdicts and events say in words,
 * and the vectors of the workspace (a cache, made again when needed). Ids, grades and quotes from work products stay.
 * Returns the ids of all its uploads; none of them can be completed any more.
 */
export async function eraseText(transaction: Transaction, row: StandardRow): Promise<readonly string[]> {
  const { workspace_id, id } = row;
  await transaction.run(sql`
    delete from standard_criteria where workspace_id = ${workspace_id} and standard_id = ${id}`);
  await transaction.run(
    sql`delete from standard_files where workspace_id = ${workspace_id} and standard_id = ${id}`,
  );
  const uploads = await transaction.many<{ id: string }>(sql`
    update uploads set completed_at = coalesce(completed_at, now())
    where workspace_id = ${workspace_id} and standard_id = ${id} returning id`);
  const uploadIds = uploads.map((upload) => upload.id);
  await transaction.run(
    sql`delete from model_answers where workspace_id = ${workspace_id} and standard_id = ${id}`,
  );
  if (row.catalog_id !== null) return uploadIds;
  await transaction.run(sql`
    update analysis_opinions o set parts = '[]', missing = ''
    from analyses a
    where a.workspace_id = o.workspace_id and a.id = o.analysis_id
      and o.workspace_id = ${workspace_id} and a.standard_id = ${id}`);
  await transaction.run(sql`
    update gaps set finding = ${withoutWords(sql`finding`, REMOVED)}, said = null, title = ${REMOVED}
    where workspace_id = ${workspace_id} and standard_id = ${id}`);
  await transaction.run(sql`
    update gap_occurrences o set finding = ${withoutWords(sql`o.finding`, REMOVED)}
    from gaps g
    where g.workspace_id = o.workspace_id and g.id = o.gap_id and o.finding is not null
      and o.workspace_id = ${workspace_id} and g.standard_id = ${id}`);
  await transaction.run(sql`
    delete from analysis_checkpoints c using analyses a
    where a.workspace_id = c.workspace_id and a.id = c.analysis_id
      and c.workspace_id = ${workspace_id} and a.standard_id = ${id}`);
  await transaction.run(sql`
    update analysis_verdicts v set reason = ${REMOVED}, said = null, search = null, hash = null
    from analyses a
    where a.workspace_id = v.workspace_id and a.id = v.analysis_id
      and v.workspace_id = ${workspace_id} and a.standard_id = ${id}`);
  await transaction.run(sql`
    update analysis_evidence e set note = null, said = null, hash = null
    from analyses a
    where a.workspace_id = e.workspace_id and a.id = e.analysis_id and e.note is not null
      and e.workspace_id = ${workspace_id} and a.standard_id = ${id}`);
  await transaction.run(sql`
    update workspace_events e set data = (e.data - 'said') || jsonb_build_object('title', ${REMOVED}::text)
    from analyses a
    where a.workspace_id = e.workspace_id and a.id = e.analysis_id and e.type = 'finding'
      and e.workspace_id = ${workspace_id} and a.standard_id = ${id}`);
  await transaction.run(sql`delete from embeddings where workspace_id = ${workspace_id}`);
  return uploadIds;
}
