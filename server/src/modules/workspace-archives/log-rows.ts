import type { Statement } from '../../platform/database/database.js';
import { identifier, sql } from '../../platform/database/sql.js';
import { HIDDEN, withoutWords } from '../standards/words.repository.js';
import type { LoggedTable } from './logged-tables.js';

/** How the rows of a table go into an archive, where they do not go as they are. The table is `t`. */
interface Special {
  readonly where?: Statement;
  /** Columns with another value. */
  readonly instead?: Readonly<Record<string, Statement>>;
}

/** What must not leave as it is. `hidden`: uploaded standards whose words whoever exports may not read (SQL, uuid[]). */
function specials(hidden: Statement): Readonly<Record<string, Special>> {
  const isHidden = (standard: Statement): Statement => sql`${standard} = any (${hidden})`;
  const runIsHidden = sql`exists (select from analyses a where a.workspace_id = t.workspace_id and a.id = t.analysis_id
                                  and ${isHidden(sql`a.standard_id`)})`;
  const gapIsHidden = sql`exists (select from gaps g where g.workspace_id = t.workspace_id and g.id = t.gap_id
                                  and ${isHidden(sql`g.standard_id`)})`;
  const masked = sql`to_jsonb(${HIDDEN}::text)`;
  return {
    standard_files: { where: sql`not ${isHidden(sql`t.standard_id`)}` },
    standard_criteria: { where: sql`not ${isHidden(sql`t.standard_id`)}` },
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
    reports: { where: sql`t.status = 'completed' and not t.standard_ids && ${hidden}` },
  };
}

/** Every row that is there to be read, as `name` and `row` (text of JSON). */
export function selectLog(
  workspaceId: string,
  tables: readonly LoggedTable[],
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
      return sql`(select ${table.name}::text as name, ${columns}::text as row from ${identifier(table.name)} t
                  where t.workspace_id = ${workspaceId} and ${where})`;
    })
    .reduce(
      (all, one) => sql`${all} union all ${one}`,
      sql`(select 'attestations' as name, (to_jsonb(t) - 'ip' - 'user_agent')::text as row from attestations t
           where t.workspace_id = ${workspaceId})`,
    );
}
