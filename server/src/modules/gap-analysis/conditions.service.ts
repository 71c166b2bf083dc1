import { loadConditions } from '@normtrace/engine';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { StandardRow } from '../standards/standards.repository.js';
import { criteriaOf } from '../standards/standards.service.js';
import type { StandardCondition } from './conditions.schemas.js';

type Read = <Row>(statement: Statement) => Promise<Row[]>;

/** The conditions that criteria of a standard name, with what the newest run made of each. */
export async function conditionsOf(row: StandardRow, read: Read): Promise<readonly StandardCondition[]> {
  const [known, criteria, [newest]] = await Promise.all([
    loadConditions(),
    criteriaOf(row, read),
    read<{ open: readonly string[]; answers: Readonly<Record<string, boolean>> }>(newestRun(row)),
  ]);
  const askedBy = new Map<string, string[]>();
  for (const { id, condition } of criteria) {
    if (condition !== undefined) askedBy.set(condition, [...(askedBy.get(condition) ?? []), id]);
  }
  return [...askedBy]
    .flatMap(([id, asked_by]) => {
      const condition = known.get(id);
      if (!condition) return [];
      const { label, question, default: taken, reason } = condition;
      return [
        {
          ...{ id, label, question, default: taken, default_reason: reason, asked_by },
          open: newest ? asked_by.some((criterion) => newest.open.includes(criterion)) : null,
          answer: newest?.answers[id] ?? null,
        },
      ];
    })
    .sort((a, b) => b.asked_by.length - a.asked_by.length || a.id.localeCompare(b.id));
}

/** With the criteria that wait for an answer to their condition. */
const newestRun = ({ workspace_id, id }: StandardRow): Statement => sql`
  select (select coalesce(json_agg(v.criterion_id), '[]') from verdicts_of_runs v
          where v.workspace_id = a.workspace_id and v.analysis_id = a.id and v.verdict = 'needs_review'
            and exists (select from unnest(v.rules) as rule where starts_with(rule, 'condition-'))) as open,
         coalesce(a.options -> 'conditions', '{}') as answers
  from analyses a
  where a.workspace_id = ${workspace_id} and a.standard_id = ${id} and a.type = 'gap_analysis' and a.status = 'completed'
  order by a.finished_at desc, a.id desc limit 1`;
