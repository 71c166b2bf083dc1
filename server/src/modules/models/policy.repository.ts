import type { Place } from '../../platform/configuration/configuration.js';
import type { Statement, Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { newestAttestation } from '../standards/standards.repository.js';

/** What a workspace lets leave. */
export interface PolicyRow {
  readonly policy: 'off' | 'inside' | 'allowed';
  readonly redact_addresses: boolean;
  readonly redacted_words: readonly string[];
  readonly month_budget: number | null;
  readonly changed_by: string | null;
  readonly updated_at: string | Date | null;
}

/** Of a workspace that has decided nothing: nothing leaves. */
export const NO_POLICY: PolicyRow = {
  policy: 'off',
  redact_addresses: true,
  redacted_words: [],
  month_budget: null,
  changed_by: null,
  updated_at: null,
};

const columns = sql`policy, redact_addresses, redacted_words, month_budget, changed_by, updated_at`;

export const selectPolicy = (workspaceId: string): Statement =>
  sql`select ${columns} from model_policies where workspace_id = ${workspaceId}`;

export const readPolicy = async (transaction: Transaction, workspaceId: string): Promise<PolicyRow> =>
  (await transaction.maybeOne<PolicyRow>(selectPolicy(workspaceId))) ?? NO_POLICY;

export const writePolicy = (
  transaction: Transaction,
  workspaceId: string,
  policy: Omit<PolicyRow, 'updated_at'>,
): Promise<PolicyRow> =>
  transaction.one<PolicyRow>(sql`
    insert into model_policies (workspace_id, policy, redact_addresses, redacted_words, month_budget, changed_by)
    values (${workspaceId}, ${policy.policy}, ${policy.redact_addresses}, ${policy.redacted_words}::text[],
            ${policy.month_budget}, ${policy.changed_by})
    on conflict (workspace_id) do update set
      policy = excluded.policy, redact_addresses = excluded.redact_addresses,
      redacted_words = excluded.redacted_words, month_budget = excluded.month_budget, changed_by = excluded.changed_by
    returning ${columns}`);

/** Whether a policy lets anything be sent to a server that stands there. */
export const mayReach = (policy: PolicyRow['policy'], place: Place): boolean =>
  policy === 'allowed' || (policy === 'inside' && place === 'inside');

/** Documents whose words leave for no model: among these, or in the whole workspace. */
export async function findExcluded(
  transaction: Transaction,
  workspaceId: string,
  ids?: readonly string[],
): Promise<readonly string[]> {
  const rows = await transaction.many<{ id: string }>(sql`
    select id from work_products
    where workspace_id = ${workspaceId} and ${ids ? sql`id = any (${ids}::uuid[])` : sql`deleted_at is null`}
      and (ai_excluded or deleted_at is not null)
    order by id`);
  return rows.map(({ id }) => id);
}

/** Licences that say nothing against a text being processed by somebody else. */
const FREE_LICENCES = ['own_document', 'free_publication'];

/**
 * Whether the words of a standard may be sent: our own always; of an uploaded text where the newest attestation in force
 * allows processing by a model, and the server is ours or the licence lets the text leave.
 */
export async function maySendWords(
  transaction: Transaction,
  standardId: string,
  place: Place,
): Promise<boolean> {
  const row = await transaction.maybeOne<{ allowed: boolean }>(sql`
    select t.catalog_id is not null
        or coalesce(a.allows_ai_processing
                    and (${place} = 'inside' or a.licence_type = any (${FREE_LICENCES}::text[])), false) as allowed
    from standards t
    left join lateral (${newestAttestation(sql`t.id`)}) a on true
    where t.id = ${standardId} and t.deleted_at is null`);
  return row?.allowed ?? false;
}
