import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Finding, Search } from '@normtrace/engine';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { TakenRun } from '../runs/analysis-kind.js';
import { differencesOf, numberOf, STILL, type StandingRow } from '../runs/found-again.js';
import { takeImportedDecisions, waitingDecisions } from '../workspace-archives/imported-decisions.js';
import { bindEarlierDecisions, endUncovered } from './bind-decisions.js';
import { JUDGED_BY_A_PERSON, LAST_SEEN, type StoredFinding, type StoredSearch } from './gaps.repository.js';

/**
 * A finding (SQL, jsonb) without its words and those of a model: ids, severity, items, and key and values of what it says. In which
 * order documents were searched is no difference.
 */
const withoutProse = (finding: Statement): Statement => sql`
  ((${searchedInAnyOrder(finding, sql`'{search,work_product_ids}'`)} - '{title,severityReasons,expected,observed,whyItMatters,recommendation,remedy,affected}'::text[] #- '{search,statement}' #- '{said,standardRef}' #- '{said,affectedItems}')
   || jsonb_build_object('affected', (
        select jsonb_agg(${searchedInAnyOrder(sql`a.item`, sql`'{search,documentIds}'`)} - 'title' #- '{search,statement}' order by a.ordinal)
          from jsonb_array_elements(${finding} -> 'affected') with ordinality as a (item, ordinal))))`;

/** `ids`: the path of the documents that were searched. */
const searchedInAnyOrder = (json: Statement, ids: Statement): Statement => sql`
  (${json} #- ${ids} || jsonb_build_object('searched', (
     select jsonb_agg(s.id order by s.id) from jsonb_array_elements(${json} #> ${ids}) as s (id))))`;

/**
 * Two findings (SQL, jsonb) say the same, in whatever words: a corrected text is no change of what was found. Where one was
 * stored before keys were kept it has nothing but its words.
 */
export const saysTheSame = (before: Statement, now: Statement): Statement => sql`
  (case when ${before} ? 'said' and ${now} ? 'said'
        then ${inOneLanguage(withoutProse(before))} = ${inOneLanguage(withoutProse(now))}
        else ${withoutKeys(before)} = ${withoutKeys(now)} end)`;

/** What has words of ours in both languages (`{"de": …, "en": …}`, as jsonb is written) with the English ones alone. */
const inOneLanguage = (finding: Statement): Statement => sql`
  regexp_replace(${finding}::text, ${IN_BOTH}, '\\1', 'g')`;
const IN_BOTH = String.raw`\{"de": "(?:[^"\\]|\\.)*", "en": ("(?:[^"\\]|\\.)*")\}`;

const withoutKeys = (finding: Statement): Statement =>
  sql`(${finding} - 'said' - 'remedy' #- '{search,said}')`;

type Change = 'new' | 'unchanged' | 'updated' | 'absent';

/** Findings that are made ready in one go. */
const AT_ONCE = 1000;

export interface FoundGap {
  readonly finding: Finding;
  /** Of the standard; empty where there is none. */
  readonly clause?: string;
  /** The only document that it is about; none where it is about all of them together. */
  readonly workProductId?: string;
}

/**
 * Stores the findings of a run as gaps of its series, in their order: what a person decided stays while it covers what
 * was found (`bind-decisions.ts`); what is found as it is stored is not written again; what had been resolved (or accepted for a time that is over) is opened again, what is gone becomes `absent`. Gaps about one document
 * can go only in a run that read it, or when it was deleted. Fingerprints are unique in a run; runs of one series store one
 * after the other (`store-result.ts`).
 * @param criteria Ids that the run looked at, where it did not look at all: gaps of others do not go.
 */
export async function storeGaps(
  transaction: Transaction,
  run: TakenRun,
  found: readonly FoundGap[],
  criteria?: readonly string[],
): Promise<Readonly<Record<Change, number>>> {
  const { workspaceId, id, series } = run;
  const number = await numberOf(transaction, run);
  await bindEarlierDecisions(transaction, run);
  const waiting = await waitingDecisions(transaction, run);
  const known = await readKnown(transaction, run);
  const same: KnownGap[] = [];
  const rows: FoundRow[] = [];
  /** The gap of which exactly that was found, by its id; else nothing that stands. */
  const again: string[] = [];
  const sets = new Map<string, readonly string[]>();
  for (const [ordinal, { finding, clause = '', workProductId = null }] of found.entries()) {
    // Tens of thousands: others come between.
    if (ordinal % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const stored = JSON.stringify(toStoredFinding(finding));
    const documents = documentsOf(finding, workProductId);
    const key = documents.length === 0 ? '' : hash('md5', documents.join(','), 'hex');
    const said = hash('sha256', JSON.stringify([clause, workProductId, stored, key]), 'hex').slice(0, 32);
    const { fingerprint } = finding;
    const gap = known.get(fingerprint);
    if (gap?.said === said && gap.change !== 'absent') {
      same.push(gap);
      again.push(gap.id);
    } else {
      const gap_id = waiting.get(fingerprint) ?? '';
      if (key !== '') sets.set(key, documents);
      rows.push({
        ordinal,
        clause,
        work_product_id: workProductId ?? '',
        fingerprint,
        gap_id,
        said,
        documents: key,
        finding: stored,
      });
      again.push(`changed ${ordinal}`);
    }
  }
  const standing = await readStanding(transaction, run);
  const { ended, begun } = differencesOf(standing, again);
  const ordinals = new Map(begun.map(({ at, ordinal }) => [at, ordinal]));
  const last = [...standing, ...begun].reduce((most, { ordinal }) => Math.max(most, ordinal), 0);
  await transaction.run(sql`
    update gap_occurrences set until = ${number - 1}
    where workspace_id = ${workspaceId} and series = ${series} and until = ${STILL} and ordinal = any (${ended}::integer[])`);
  // Locked in this order, whoever locks several.
  rows.sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  await seeAgain(transaction, run, same);
  const written = begun.filter(({ at }) => !again[at]!.startsWith('changed'));
  await transaction.run(sql`
    insert into gap_occurrences (workspace_id, analysis_id, gap_id, ordinal, change, series, since)
    select ${workspaceId}, ${id}, r.id, r.ordinal, 'unchanged', ${series}, ${number}
    from unnest(${written.map(({ at }) => again[at]!)}::uuid[], ${written.map(({ ordinal }) => ordinal)}::integer[])
      as r (id, ordinal)`);
  await transaction.run(sql`
    insert into gap_documents (workspace_id, key, work_product_ids)
    select ${workspaceId}, s.key, string_to_array(s.ids, ',')::uuid[]
    from unnest(${[...sets.keys()]}::uuid[], ${[...sets.values()].map((ids) => ids.join(','))}::text[]) as s (key, ids)
    on conflict (workspace_id, key) do nothing`);
  const stored = await transaction.many<{ change: Change; count: number }>(sql`
    with found as materialized (
      select r.ordinal, r.clause, nullif(r.work_product_id, '')::uuid as work_product_id, r.fingerprint,
             nullif(r.gap_id, '')::uuid as gap_id, decode(r.said, 'hex') as said,
             nullif(r.documents, '')::uuid as documents, r.finding::jsonb as finding
      from unnest(${rows.map(({ ordinal }) => ordinals.get(ordinal)!)}::integer[], ${rows.map(({ clause }) => clause)}::text[],
                  ${rows.map((row) => row.work_product_id)}::text[], ${rows.map((row) => row.fingerprint)}::text[],
                  ${rows.map((row) => row.gap_id)}::text[], ${rows.map(({ said }) => said)}::text[],
                  ${rows.map(({ documents }) => documents)}::text[],
                  string_to_array(${rows.map(({ finding }) => finding).join('\n')}::text, ${'\n'}::text))
        as r (ordinal, clause, work_product_id, fingerprint, gap_id, said, documents, finding)
    ), kept as (
      -- What former runs saw is that of the gap until it changes.
      update gap_occurrences o set finding = g.finding
      from found f
      join gaps g on g.workspace_id = ${workspaceId} and g.series = ${series} and g.fingerprint = f.fingerprint
                 and (not ${saysTheSame(sql`g.finding`, sql`f.finding`)}
                      or g.finding -> 'remedy' is distinct from f.finding -> 'remedy')
      where o.workspace_id = g.workspace_id and o.gap_id = g.id and o.finding is null and o.change <> 'absent'
    ), stored as (
      insert into gaps as g (workspace_id, id, standard_id, analysis_type, series, work_product_id, fingerprint, change, kind,
                             criterion_id, clause, title, severity, confidence, finding, said, documents)
      select ${workspaceId}, coalesce(f.gap_id, gen_random_uuid()),
             ${run.standard_id}, ${run.type}, ${series}, f.work_product_id, f.fingerprint, 'new',
             f.finding ->> 'kind', f.finding ->> 'criterionId', f.clause, f.finding ->> 'title',
             f.finding ->> 'severity', f.finding ->> 'confidence', f.finding, f.said, f.documents
      from found f
      on conflict (workspace_id, series, fingerprint) do update
        -- Against the run before: a gap that had gone and is back is new again.
        set change = case when g.change = 'absent' then 'new' when ${saysTheSame(sql`g.finding`, sql`excluded.finding`)} then 'unchanged'
                          else 'updated' end,
            kind = excluded.kind, criterion_id = excluded.criterion_id, clause = excluded.clause,
            title = excluded.title, severity = excluded.severity, confidence = excluded.confidence,
            finding = excluded.finding, said = excluded.said, work_product_id = excluded.work_product_id,
            documents = excluded.documents
      returning g.id, g.fingerprint, g.change
    ), seen as (
      insert into gap_sightings (workspace_id, gap_id, analysis_id) select ${workspaceId}, s.id, ${id}::uuid from stored s
      on conflict (workspace_id, gap_id) do update set analysis_id = excluded.analysis_id
    ), occurrences as (
      insert into gap_occurrences (workspace_id, analysis_id, gap_id, ordinal, change, series, since)
      select ${workspaceId}, ${id}, s.id, f.ordinal, s.change, ${series}, ${number}
      from stored s join found f using (fingerprint)
      returning change
    )
    select change, count(*)::integer as count from occurrences group by change`);
  const fingerprints = new Set(found.map(({ finding }) => finding.fingerprint));
  const missing = [...known].filter(([one, { change }]) => change !== 'absent' && !fingerprints.has(one));
  const absent =
    missing.length === 0
      ? 0
      : await transaction.run(sql`
    with gone as (
      update gaps g set change = 'absent'
      where g.workspace_id = ${workspaceId} and g.id = any (${missing.map(([, gap]) => gap.id)}::uuid[])
        and (${criteria === undefined} or g.criterion_id = any (${criteria ?? []}::text[]))
        and (g.work_product_id is null
             or exists (select from analysis_inputs i where i.workspace_id = g.workspace_id and i.analysis_id = ${id}
                        and i.work_product_id = g.work_product_id)
             or exists (select from work_products p where p.workspace_id = g.workspace_id
                        and p.id = g.work_product_id and p.deleted_at is not null))
      returning g.id, g.fingerprint
    )
    insert into gap_occurrences (workspace_id, analysis_id, gap_id, ordinal, change, series, since, until)
    select ${workspaceId}, ${id}, id, ${last}::integer + row_number() over (order by fingerprint), 'absent', ${series},
           ${number}, ${number} from gone`);
  // Last, because audit events make others wait who may hold a gap.
  await openAgain(transaction, run);
  await takeImportedDecisions(
    transaction,
    run,
    rows.flatMap(({ fingerprint, gap_id }) => (gap_id === '' ? [] : [fingerprint])),
  );
  await endUncovered(transaction, run, new Map(found.map(({ finding }) => [finding.fingerprint, finding])));
  const counts = Object.fromEntries(stored.map(({ change, count }) => [change, count]));
  return { new: 0, updated: 0, ...counts, unchanged: (counts.unchanged ?? 0) + same.length, absent };
}

/** A gap of the series as it is stored. */
interface KnownGap {
  readonly id: string;
  readonly change: Change;
  /** Hexadecimal; empty where nothing tells. */
  readonly said: string;
}

/** A finding to be written, as JSON on one line; empty for null. */
interface FoundRow {
  /** Its place among what the run found. */
  readonly ordinal: number;
  readonly clause: string;
  readonly work_product_id: string;
  readonly fingerprint: string;
  readonly gap_id: string;
  readonly said: string;
  /** Key of the set of its documents; empty for none. */
  readonly documents: string;
  readonly finding: string;
}

/** By fingerprint. As one value: tens of thousands of rows take the driver longer. */
async function readKnown(
  transaction: Transaction,
  { workspaceId, series }: TakenRun,
): Promise<ReadonlyMap<string, KnownGap>> {
  const { gaps } = await transaction.one<{ gaps: [string, string, Change, string][] }>(sql`
    select coalesce(json_agg(json_build_array(fingerprint, id, change, coalesce(encode(said, 'hex'), ''))), '[]') as gaps
    from gaps where workspace_id = ${workspaceId} and series = ${series}`);
  return new Map(gaps.map(([fingerprint, id, change, said]) => [fingerprint, { id, change, said }]));
}

/** Occurrences of the run before, by their gaps. One that keeps words of its own (an erasure wrote them down) stands for no other run. */
async function readStanding(
  transaction: Transaction,
  { workspaceId, series }: TakenRun,
): Promise<readonly StandingRow[]> {
  const { rows } = await transaction.one<{ rows: [string, number, boolean][] }>(sql`
    select coalesce(json_agg(json_build_array(gap_id, ordinal, finding is null) order by ordinal), '[]') as rows
    from gap_occurrences where workspace_id = ${workspaceId} and series = ${series} and until = ${STILL}`);
  return rows.map(([gap, ordinal, isTheGaps]) => ({ ordinal, said: isTheGaps ? gap : '' }));
}

/** Gaps of which the run found exactly what is stored: only that it did is written. */
async function seeAgain(
  transaction: Transaction,
  { workspaceId, id }: TakenRun,
  same: readonly KnownGap[],
): Promise<void> {
  if (same.length === 0) return;
  const ids = same.map((gap) => gap.id);
  const changed = same.filter(({ change }) => change !== 'unchanged').map((gap) => gap.id);
  // Each statement names rows by their keys alone: before statistics are there, the planner takes joins for small.
  if (changed.length > 0) {
    await transaction.run(sql`
      select id from gaps where workspace_id = ${workspaceId} and id = any (${changed}::uuid[])
      order by fingerprint for update`);
    await transaction.run(sql`
      update gaps set change = 'unchanged' where workspace_id = ${workspaceId} and id = any (${changed}::uuid[])`);
  }
  await transaction.run(sql`
    update gap_sightings set analysis_id = ${id}
    where workspace_id = ${workspaceId} and gap_id = any (${ids}::uuid[])`);
}

/**
 * Opens what the run found although a person was done with it, each with an audit event of the service. A false positive
 * is found every time; it stays what a person said that it is. What a person judged is settled by whoever knows whether
 * that counts.
 */
async function openAgain(transaction: Transaction, { workspaceId, id, series }: TakenRun): Promise<void> {
  await transaction.run(sql`
    with found as (
      select * from gaps g
      where g.workspace_id = ${workspaceId} and g.series = ${series} and ${LAST_SEEN} = ${id}
        and (g.status = 'resolved' and g.resolution is distinct from 'false_positive'
               and not starts_with(coalesce(g.note, ''), ${JUDGED_BY_A_PERSON})
             or (g.status = 'accepted' and g.accepted_until <= now()) is true)
    ), opened as (
      update gaps g
      set status = 'open', reason = null, resolution = null, accepted_until = null, waiver_owner = null,
          accepted_by = null, accepted_at = null,
          note = case f.status when 'resolved' then 'Found again after it had been resolved.'
                               else 'Found again after its acceptance had ended.' end
      from found f where g.workspace_id = f.workspace_id and g.id = f.id
    )
    insert into audit_events (workspace_id, action, target_type, target_id, before, after)
    select workspace_id, 'gap.reopened', 'gap', id,
           jsonb_build_object('status', status, 'resolution', resolution, 'owner', waiver_owner,
                              'accepted_by', accepted_by, 'accepted_until', accepted_until),
           jsonb_build_object('status', 'open', 'analysis_id', ${id}::uuid)
    from found order by fingerprint`);
}

/** What it is about, what was searched and what is quoted, by their ids, each once and in their order. */
const documentsOf = ({ evidence, search }: Finding, workProductId: string | null): readonly string[] =>
  [
    ...new Set([
      ...(workProductId === null ? [] : [workProductId]),
      ...(search?.documentIds ?? []),
      ...evidence.map(({ documentId }) => documentId),
    ]),
  ].sort();

/** With its documents named as work products. */
export const toStoredSearch = (search: Search | undefined): StoredSearch | null =>
  search === undefined
    ? null
    : {
        statement: search.statement,
        work_product_ids: search.documentIds,
        passages: search.passages,
        terms: search.terms,
        ...(search.said === undefined ? {} : { said: search.said }),
      };

function toStoredFinding({ evidence: _evidence, search, ...finding }: Finding): StoredFinding {
  const stored = toStoredSearch(search);
  return stored === null ? finding : { ...finding, search: stored };
}
