import type { TestDatabase } from '../test-database.js';

/** A workspace that has gaps, and how many gaps and artifacts it gets. */
interface Wanted {
  readonly workspace: string;
  readonly rows: number;
}

const AT_ONCE = 10_000;

/** Writes copies of the gaps of a workspace, with their evidence: different severities, states, owners and dates. */
export async function fillGaps({ asOwner }: TestDatabase, { workspace, rows }: Wanted): Promise<void> {
  for (let from = 0; from < rows; from += AT_ONCE) {
    await asOwner(
      `with g as materialized (
         select *, row_number() over (order by id) - 1 as at, count(*) over () as of from gaps
         where workspace_id = $1 and not starts_with(fingerprint, 'many-')
       ), n as materialized (
         select i, gen_random_uuid() as id from generate_series($2::integer, $3::integer) as i
       ), made as (
         insert into gaps (workspace_id, id, standard_id, fingerprint, status, assignee, change, kind, criterion_id, clause, title,
                           severity, confidence, finding, analysis_type, series, work_product_id, resolution, due_date,
                           documents, created_at)
         select g.workspace_id, n.id, g.standard_id, 'many-' || n.i,
                (array['open', 'open', 'open', 'in_progress', 'resolved'])[1 + n.i * 7 % 5],
                case when n.i % 9 = 0 then (select user_id from workspace_members where workspace_id = $1 limit 1) end,
                (array['new', 'unchanged', 'updated'])[1 + n.i % 3], g.kind, g.criterion_id, '7.' || n.i % 40 || '.' || n.i % 7,
                g.title || ' (' || n.i || ')', (array['critical', 'high', 'medium', 'low'])[1 + n.i * 13 % 4], g.confidence,
                jsonb_set(g.finding #- '{said,title}', '{title}', to_jsonb(g.title || ' (' || n.i || ')')), g.analysis_type, g.series,
                g.work_product_id, case when n.i * 7 % 5 = 4 then 'fixed' end,
                case when n.i % 11 = 0 then date '2026-11-01' + n.i % 60 end, g.documents, now() - n.i * interval '1 second'
         from n join g on g.at = n.i % g.of
       ), seen as (
         insert into gap_sightings (workspace_id, gap_id, analysis_id)
         select g.workspace_id, n.id, s.analysis_id from n join g on g.at = n.i % g.of
         join gap_sightings s on s.workspace_id = g.workspace_id and s.gap_id = g.id
       )
       insert into analysis_evidence (workspace_id, analysis_id, ordinal, criterion_id, gap_id, work_product_id, version, location,
                                      quote, start_offset, end_offset, role, note, said, series, since, until)
       select e.workspace_id, e.analysis_id, 1000000 + $2 * 20 + row_number() over (), e.criterion_id, n.id, e.work_product_id,
              e.version, e.location, e.quote, e.start_offset, e.end_offset, e.role, e.note, e.said, e.series, e.since, e.until
       from n join g on g.at = n.i % g.of
       join analysis_evidence e on e.workspace_id = g.workspace_id and e.gap_id = g.id`,
      [workspace, from, Math.min(rows, from + AT_ONCE) - 1],
    );
  }
  await asOwner('analyze gaps, gap_sightings, analysis_evidence');
}

/** Levels: type, prefix of the ids, share of all artifacts in per mille. */
const LEVELS = [
  ['hazardous_event', 'HE', 4],
  ['safety_goal', 'SG', 2],
  ['functional_safety_requirement', 'FSR', 98],
  ['technical_safety_requirement', 'TSR', 200],
  ['software_requirement', 'SWR', 200],
  ['design', 'COMP', 100],
  ['test', 'TC', 300],
  ['evidence', 'EV', 96],
] as const;
/** Links: from, to, type, how many of each source; some three for each artifact. */
const PATHS = [
  ['HE', 'SG', 'derives_from', 1],
  ['FSR', 'SG', 'derives_from', 2],
  ['TSR', 'FSR', 'derives_from', 2],
  ['SWR', 'TSR', 'derives_from', 2],
  ['FSR', 'TC', 'verified_by', 2],
  ['TSR', 'TC', 'verified_by', 3],
  ['SWR', 'TC', 'verified_by', 4],
  ['SWR', 'COMP', 'implemented_by', 2],
  ['TSR', 'COMP', 'allocated_to', 1],
  ['TC', 'EV', 'evidenced_by', 1],
] as const;

/** Writes a trace of eight levels into a workspace: artifacts, and three links for each. */
export async function fillTrace({ asOwner }: TestDatabase, { workspace, rows }: Wanted): Promise<void> {
  const counts = new Map<string, number>();
  let ordinal = 2_000_000_000 - rows;
  for (const [type, prefix, share] of LEVELS) {
    const count = Math.round((rows * share) / 1000);
    counts.set(prefix, count);
    await asOwner(
      `insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, asil, content_hash)
       select $1, gen_random_uuid(), 'manual', $2::integer + i, $3 || '-' || lpad(i::text, 6, '0'), $4,
              'The door control unit shall keep the latch closed while signal ' || i || ' of channel ' || i % 17
                || ' says that the vehicle moves faster than walking pace.',
              case when $5 then (array['A', 'B', 'C', 'D', 'QM'])[1 + i % 5] end, md5($3 || i)
       from generate_series(1, $6::integer) as i`,
      [workspace, ordinal, prefix, type, !['COMP', 'TC', 'EV'].includes(prefix), count],
    );
    ordinal += count;
  }
  let at = 2_000_000_000 - rows * 4;
  for (const [source, target, type, each] of PATHS) {
    const sources = counts.get(source) ?? 0;
    await asOwner(
      `insert into trace_links (workspace_id, id, origin, ordinal, source_id, target_id, link_type, stated_at)
       select distinct on (s, t) $1::uuid, gen_random_uuid(), 'manual', $2::integer + i * $7::integer + c,
              $3 || '-' || lpad(s::text, 6, '0'), $4 || '-' || lpad(t::text, 6, '0'), $5, 'both'
       from generate_series(1, $6::integer) as i, generate_series(1, $7::integer) as c,
            lateral (select i as s, (i * 7 + c * 7919) % $8::integer + 1 as t) ends
       where i % 23 <> 0 or $5 <> 'verified_by'`,
      [workspace, at, source, target, type, sources, each, counts.get(target)],
    );
    at += sources * (each + 1);
  }
  await asOwner(
    'update trace_extractions set revision = revision + 1, artifacts = $2, links = $3 where workspace_id = $1',
    [workspace, rows, rows * 3],
  );
  await asOwner('analyze artifacts, trace_links');
}
