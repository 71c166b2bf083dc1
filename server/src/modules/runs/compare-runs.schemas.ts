import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy } from '../../platform/http/schemas.js';
import { GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { Analysis } from './analyses.schemas.js';

const DIFFERENCES = ['new', 'unchanged', 'updated', 'absent', 'not_compared'] as const;
const Difference = z.enum(DIFFERENCES).meta({
  description:
    '`absent`: `head` no longer finds it. `not_compared`: `base` found it, `head` did not look at its document or clause.',
});

export const CompareQuery = PageQuery.extend({
  ...sortedBy('created_at', 'severity', 'criterion_id'),
  base: Id.meta({ description: 'The run that is compared with.' }),
  head: Id.meta({ description: 'The run that is compared; of the same series.' }),
  change: Difference.optional(),
});

const Seen = z.object({
  severity: Severity,
  confidence: z.string(),
  title: z.string(),
  observed: z.string(),
});

export const ComparedGap = z
  .object({
    gap_id: Id,
    change: Difference,
    criterion_id: z.string(),
    clause: z.string(),
    work_product_id: Id.nullable(),
    status: GapStatus.meta({ description: 'As it is now, whatever it was then.' }),
    severity: Severity.meta({ description: 'The one that counts now.' }),
    base: Seen.nullable().meta({ description: 'As the run saw it; null where it did not.' }),
    head: Seen.nullable(),
    differences: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: 'ComparedGap' });
export type ComparedGap = z.output<typeof ComparedGap>;

export const Comparison = listOf('ComparedGapList', ComparedGap)
  .extend({
    base: Analysis,
    head: Analysis,
    counts: z.record(z.enum(DIFFERENCES), z.int()).meta({ description: 'Of all gaps, whatever the filter.' }),
  })
  .meta({ id: 'AnalysisComparison', description: 'What two runs of a series found differently.' });
export const NO_DIFFERENCES = { new: 0, unchanged: 0, updated: 0, absent: 0, not_compared: 0 } as const;
