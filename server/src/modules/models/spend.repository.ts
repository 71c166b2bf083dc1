import type { Statement, Transaction } from '../../platform/database/database.js';
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
