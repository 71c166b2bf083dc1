import type { Statement } from '../../platform/database/database.js';
import { identifier, sql } from '../../platform/database/sql.js';
import { HIDDEN, withoutWords } from '../standards/words.repository.js';
import type { ArchivedTable } from './archived-tables.js';

/** How the rows of a table go into an archive, where they do not go as they are. The table is `t`. */
interface Special {
  readonly where?: Statement;
  /** Columns with another value. */
  readonly instead?: Readonly<Record<string, Statement>>;
}

/** Documents are read again; what came out of a ZIP file is in the workspace archive itself, and is not taken out again. */
const readAgain = (unless: Statement): Statement =>
  sql`case when ${unless} then '"completed"'::jsonb else '"queued"' end`;

const UNFINISHED = 'It had not ended when the workspace was exported.';

/**
 * What must not or need not leave as it is. `hidden`: uploaded standards whose words whoever exports may not read
 * (SQL, uuid[]). What a machine makes of documents (parsed documents, artifacts, links) is made again where it arrives.
 */
function specials(hidden: Statement): Readonly<Record<string, Special>> {
  const isHidden = (standard: Statement): Statement => sql`${standard} = any (${hidden})`;
  const runIsHidden = sql`exists (select from analyses a where a.workspace_id = t.workspace_id and a.id = t.analysis_id
                                  and ${isHidden(sql`a.standard_id`)})`;
  const gapIsHidden = sql`exists (select from gaps g where g.workspace_id = t.workspace_id and g.id = t.gap_id
                                  and ${isHidden(sql`g.standard_id`)})`;
  const isOver = sql`t.status in ('completed', 'failed', 'cancelled', 'timed_out')`;
  const isSettled = sql`t.processing_status in ('completed', 'failed', 'pending_upload', 'awaiting_attestation')`;
  const masked = sql`to_jsonb(${HIDDEN}::text)`;
  return {
    standards: {
      instead: {
        file_id: sql`case when ${isHidden(sql`t.id`)} then 'null' else to_jsonb(t.file_id) end`,
        criteria_count: sql`case when ${isHidden(sql`t.id`)} then '0' else to_jsonb(t.criteria_count) end`,
        criteria_hash: sql`case when ${isHidden(sql`t.id`)} then 'null' else to_jsonb(t.criteria_hash) end`,
        processing_status: sql`case when ${isHidden(sql`t.id`)} then '"pending_upload"'
                                    when ${isSettled} then to_jsonb(t.processing_status) else '"failed"' end`,
        // The licence has to be declared for the other installation.
        requires_attestation: sql`to_jsonb(t.requires_attestation or t.attested)`,
        attested: sql`'false'::jsonb`,
        attestation_expires_at: sql`'null'::jsonb`,
      },
    },
    standard_files: { where: sql`not ${isHidden(sql`t.standard_id`)}` },
    standard_criteria: { where: sql`not ${isHidden(sql`t.standard_id`)}` },
    // Those of standards say where their files lie.
    uploads: { where: sql`t.standard_id is not null and t.completed_at is not null` },
    work_products: {
      where: sql`t.version > 0`,
      instead: {
        processing_status: readAgain(sql`exists (
          select from work_product_versions v
          where v.workspace_id = t.workspace_id and v.work_product_id = t.id and v.version = t.version
            and v.unpacked_attempt is not null and v.processing_status = 'completed')`),
        processing_error: sql`'null'::jsonb`,
      },
    },
    work_product_versions: {
      instead: {
        processing_status: readAgain(
          sql`t.unpacked_attempt is not null and t.processing_status = 'completed'`,
        ),
        processing_error: sql`'null'::jsonb`,
        processing_error_code: sql`'null'::jsonb`,
        parsed_key: sql`'null'::jsonb`,
      },
    },
    analyses: {
      instead: {
        status: sql`case when ${isOver} then to_jsonb(t.status) else '"failed"' end`,
        error: sql`case when ${isOver} then coalesce(to_jsonb(t.error), 'null') else to_jsonb(${UNFINISHED}::text) end`,
        event_sequence: sql`'0'::jsonb`,
      },
    },
    gaps: {
      instead: {
        finding: sql`case when ${isHidden(sql`t.standard_id`)} then ${withoutWords(sql`t.finding`, HIDDEN)} else t.finding end`,
        title: sql`case when ${isHidden(sql`t.standard_id`)} then ${masked} else to_jsonb(t.title) end`,
      },
    },
    gap_occurrences: {
      instead: {
        finding: sql`case when t.finding is null then 'null' when ${gapIsHidden}
                          then ${withoutWords(sql`t.finding`, HIDDEN)} else t.finding end`,
      },
    },
    analysis_verdicts: {
      instead: {
        reason: sql`case when ${runIsHidden} then ${masked} else to_jsonb(t.reason) end`,
        search: sql`case when ${runIsHidden} then 'null' else coalesce(t.search, 'null') end`,
      },
    },
    analysis_evidence: {
      instead: {
        note: sql`case when ${runIsHidden} then 'null' else coalesce(to_jsonb(t.note), 'null') end`,
      },
    },
    artifacts: { where: sql`t.origin = 'manual'` },
    trace_links: { where: sql`t.origin = 'manual'` },
    reports: { where: sql`t.status = 'completed' and not t.standard_ids && ${hidden}` },
  };
}

/** Every row of the workspace, as `name` and `row` (text of JSON), tables in their order. One statement, one moment. */
export function selectArchive(
  workspaceId: string,
  tables: readonly ArchivedTable[],
  hidden: readonly string[],
): Statement {
  const special = specials(sql`${hidden}::uuid[]`);
  return tables
    .map((table) => {
      const { where = sql`true`, instead = {} } = special[table.name] ?? {};
      const changed = Object.entries(instead).reduce(
        (row, [column, value]) => sql`${row} || jsonb_build_object(${column}::text, ${value})`,
        sql`to_jsonb(t)`,
      );
      const columns = sql`(select jsonb_object_agg(c.key, c.value) from jsonb_each(${changed}) as c
                           where c.key = any (${table.columns}::text[]))`;
      const order = table.counted === null ? sql`` : sql`order by ${identifier(table.counted)}`;
      return sql`(select ${table.name}::text as name, ${columns}::text as row from ${identifier(table.name)} t
                  where t.workspace_id = ${workspaceId} and ${where} ${order})`;
    })
    .reduce((all, one) => sql`${all} union all ${one}`);
}
