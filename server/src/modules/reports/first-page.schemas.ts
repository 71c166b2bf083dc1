import { z } from 'zod';
import { Id, wholeNumber } from '../../platform/http/schemas.js';
import { AnalysisType, Location, Severity } from '../gaps/gaps.schemas.js';

const MOST_ENTRIES = 500;

export const FirstPageQuery = z.strictObject({
  workspace_id: Id,
  limit: wholeNumber({ min: 1, max: MOST_ENTRIES })
    .default(100)
    .meta({ description: 'Entries that are listed.' }),
});

const numbers = z.array(z.int());

const Entry = z
  .object({
    title: z.string(),
    severity: Severity,
    details: z
      .array(z.string())
      .meta({ description: 'What it holds, each thing once; empty where the title says it all.' }),
    details_total: z.int().meta({ description: 'How many details there are; the first hundred are listed.' }),
    observed: z.string(),
    recommendation: z.string(),
    evidence: z
      .object({
        work_product_id: Id,
        source: z.string().meta({ description: 'Document, version and place in words.' }),
        location: Location,
        quote: z.string(),
      })
      .nullable()
      .meta({ description: 'The first quote that shows it; null where nothing was found.' }),
    analysis_ids: z.array(Id).meta({ description: 'The analyses that saw it.' }),
    gap_id: Id.nullable().meta({ description: 'The gap that stands for all.' }),
    gap_ids: z.array(Id).meta({ description: 'Its gaps, the first hundred.' }),
    gaps_total: z.int(),
  })
  .meta({
    id: 'FindingEntry',
    description: 'What is decided once: one fact or one cause with every gap that tells it.',
  });

const Goal = z
  .object({
    id: z.string().meta({ description: 'As the documents name it.' }),
    text: z.string(),
    integrity: z.string().nullable().meta({ description: 'ASIL; null where none is known.' }),
    integrity_from: z
      .string()
      .nullable()
      .meta({ description: 'Where it is inherited: from which artifact.' }),
    followed_by: z.array(z.string()).meta({ description: 'What refines it, the first hundred.' }),
    followed_by_total: z.int().meta({ description: 'All of what refines it.' }),
    open: numbers.meta({ description: 'Numbers, from 0, of listed entries about it or anything below it.' }),
    open_total: z.int().meta({ description: 'All open entries about it, listed or not.' }),
  })
  .meta({ id: 'GoalLine', description: 'A goal, what follows it and what is open below it.' });

export const FirstPage = z
  .object({
    analyses: z
      .array(
        z.object({
          id: Id,
          type: AnalysisType,
          name: z.string().meta({ description: 'Of the standard, checklist or kind of analysis.' }),
        }),
      )
      .meta({ description: 'The newest run of each standard, checklist and type that it is made of.' }),
    by_severity: z.object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() }),
    total: z.int().meta({ description: 'Open entries.' }),
    entries: z.array(Entry).meta({ description: 'In the order of risk.' }),
    first: numbers.meta({
      description:
        'Numbers of what to decide first, at most five: the highest risk, no two of one kind while there are others.',
    }),
    goals: z.array(Goal).meta({ description: 'The highest level first.' }),
    for_persons: z
      .int()
      .meta({ description: 'Answers that nothing in the documents decides: no findings yet.' }),
    waiting: z.int().meta({ description: 'What holds only under a condition that nobody has answered.' }),
  })
  .meta({
    id: 'FirstPage',
    description: 'What somebody needs who reads one page: over all analyses, each fact once.',
  });
export type FirstPage = z.output<typeof FirstPage>;
