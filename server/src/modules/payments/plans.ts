import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseYaml } from '../../platform/data/parse-yaml.js';
import { PAID_PLANS } from '../../platform/payments/payment-provider.js';

/** All plans, from the smallest to the largest; database constraints say the same. */
export const PLANS = ['free', ...PAID_PLANS] as const;
export type Plan = (typeof PLANS)[number];

/** What a plan may limit. */
export type Limit = 'workspaces' | 'analyses_a_month';

/** The limits of each plan; undefined is none. */
export type PlanTable = Readonly<Record<Plan, Readonly<Partial<Record<Limit, number | undefined>>>>>;

const Limits = z.strictObject({
  workspaces: z.int().min(1).optional(),
  analyses_a_month: z.int().min(1).optional(),
});
const TableSchema = z.strictObject({ free: Limits, pro: Limits, consultant: Limits });

/** Throws on an unknown key or plan, and on a missing plan. */
export const parsePlanTable = (text: string): PlanTable => TableSchema.parse(parseYaml(text));

/** The table in `data/plans.yaml`, read once. */
export function planTable(): PlanTable {
  table ??= parsePlanTable(readFileSync(new URL('../../../data/plans.yaml', import.meta.url), 'utf8'));
  return table;
}
let table: PlanTable | undefined;
