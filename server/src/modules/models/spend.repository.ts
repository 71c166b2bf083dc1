import type { Database, Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';

export interface Spent {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

const NOTHING: Spent = { calls: 0, input: 0, output: 0 };

/** The first day of a calendar month, UTC. */
export const monthOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`;

export const selectSpent = (workspaceId: string, month: string): Statement => sql`
  select calls, input_tokens::float8 as input, output_tokens::float8 as output from model_spend
  where workspace_id = ${workspaceId} and month = ${month}`;

export const readSpent = async (
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<Spent> => (await transaction.maybeOne<Spent>(selectSpent(workspaceId, month))) ?? NOTHING;

/** Of all workspaces together, those that are gone included. */
export const readSpentOfAll = (database: Pick<Database, 'asSystem'>, month: string): Promise<Spent> =>
  database.asSystem('model budget', async (transaction) => {
    const row = await transaction.maybeOne<Spent>(sql`
      select calls, input_tokens::float8 as input, output_tokens::float8 as output from model_months
      where month = ${month}`);
    return row ?? NOTHING;
  });

export const addSpent = (
  transaction: Transaction,
  { workspaceId, month, input, output }: Omit<Spent, 'calls'> & { workspaceId: string; month: string },
): Promise<number> =>
  transaction.run(sql`
    insert into model_spend as s (workspace_id, month, calls, input_tokens, output_tokens)
    values (${workspaceId}, ${month}, 1, ${input}, ${output})
    on conflict (workspace_id, month) do update set calls = s.calls + 1,
      input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens`);

export const addSpentOfAll = (
  database: Pick<Database, 'asSystem'>,
  { month, input, output }: Omit<Spent, 'calls'> & { readonly month: string },
): Promise<number> =>
  database.asSystem('model budget', (transaction) =>
    transaction.run(sql`
      insert into model_months as s (month, calls, input_tokens, output_tokens)
      values (${month}, 1, ${input}, ${output})
      on conflict (month) do update set calls = s.calls + 1,
        input_tokens = s.input_tokens + excluded.input_tokens, output_tokens = s.output_tokens + excluded.output_tokens`),
  );
