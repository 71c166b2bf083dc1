import { z } from 'zod';
import { Id, Timestamp, text, wholeNumber } from '../../platform/http/schemas.js';
import { Evidence, GapStatus, Severity } from '../gaps/gaps.schemas.js';
import { AnalysisStatus, CriterionVerdict, Verdict } from '../runs/analyses.schemas.js';

export const REVIEW_STATUSES = ['not_needed', 'to_be_reviewed', 'confirmed', 'overridden'] as const;
export const ReviewStatus = z.enum(REVIEW_STATUSES).meta({
  id: 'ReviewStatus',
  description:
    '`confirmed`: a person says the same as the run; `overridden`: something else; `to_be_reviewed`: rules cannot decide, or ' +
    'what a person said was about something else.',
});
export type ReviewStatus = z.output<typeof ReviewStatus>;

/** What a person can say: that rules cannot decide is no answer. */
const PersonVerdict = z.enum(['covered', 'partial', 'missing', 'not_applicable']).meta({
  id: 'PersonVerdict',
});
const Rating = z.enum(['N', 'P', 'L', 'F']).meta({
  id: 'PracticeRating',
  description: 'Not, partially, largely, fully achieved, as a person rates it.',
});

export const NewCriterionAnswer = z
  .strictObject({
    verdict: PersonVerdict,
    rating: Rating.optional().meta({ description: 'Of a practice of a process model.' }),
    reason: text({ min: 1, max: 4000 }).meta({ description: 'Why; it stays beside the verdict.' }),
    evidence: z
      .array(
        z.strictObject({
          work_product_id: Id,
          quote: text({ min: 1, max: 1000 }).meta({
            description: 'Exact words of one paragraph or one cell, in the version that the run read.',
          }),
          range: z
            .strictObject({
              start: wholeNumber({ min: 0 }).meta({ description: 'First character, from 0.' }),
              end: wholeNumber({ min: 1 }).meta({ description: 'The one behind the last.' }),
            })
            .optional()
            .meta({
              description:
                'Where they stand in the text as it was read; without it the first such words count.',
            }),
          note: text({ min: 1, max: 1000 }).optional(),
        }),
      )
      .max(20)
      .default([]),
    analysis_id: Id.optional().meta({
      description: 'The run beside whose verdict it is given; default: the newest one with a result.',
    }),
    basis: z.string().max(100).optional().meta({
      description: '`basis` of the verdict that the person saw: refused when the run has another one.',
    }),
  })
  .meta({ id: 'NewCriterionAnswer' });

export const CriterionAnswer = z
  .object({
    id: Id,
    verdict: PersonVerdict.nullable().meta({ description: 'Null: the answer before was taken back.' }),
    rating: Rating.nullable().meta({ description: 'Of a practice; null where the person gave none.' }),
    reason: z.string(),
    evidence: z.array(Evidence),
    analysis_id: Id.meta({ description: 'The run beside whose verdict it was given.' }),
    machine_verdict: Verdict.meta({ description: 'That verdict.' }),
    documents: z
      .array(z.object({ work_product_id: Id, name: z.string(), version: z.int() }))
      .meta({ description: 'What the run and the person quoted.' }),
    answered_by: Id,
    answered_by_name: z.string(),
    answered_at: Timestamp,
  })
  .meta({ id: 'CriterionAnswer', description: 'What a person said of a criterion.' });
export type CriterionAnswer = z.output<typeof CriterionAnswer>;

/** What counts for a criterion beside a run. */
export const Review = {
  effective_verdict: Verdict.nullable().meta({
    description:
      'What a person said as long as it counts, else the verdict of the run; `needs_review` where a person has to look; null ' +
      'where the run did not judge it.',
  }),
  review_status: ReviewStatus,
  review_reason: z.string().nullable().meta({ description: 'Why it has to be reviewed.' }),
  answer: CriterionAnswer.nullable().meta({
    description: 'The newest answer of a person, also where it does not count any more.',
  }),
};

export const ReviewedCriterion = z
  .object({
    criterion_id: z.string(),
    kind: z.string(),
    clause: z.string(),
    title: z.string().nullable().meta({ description: 'Null where the words may not be read.' }),
    text: z.string().nullable().meta({ description: 'The demand; null where the words may not be read.' }),
    analysis_id: Id.nullable().meta({ description: 'The run that is shown; null: there is none.' }),
    machine: CriterionVerdict.nullable().meta({ description: 'Null: the run has not judged it.' }),
    basis: z
      .string()
      .nullable()
      .meta({ description: 'Hash of what the verdict of the run rests on; null where there is none.' }),
    ...Review,
    gaps: z.array(z.object({ id: Id, title: z.string(), severity: Severity, status: GapStatus })),
    history: z.array(CriterionAnswer).meta({ description: 'All answers, newest first.' }),
  })
  .meta({ id: 'ReviewedCriterion', description: 'A criterion with what a run and people say.' });
export type ReviewedCriterion = z.output<typeof ReviewedCriterion>;

export const StandardRelease = z
  .object({
    id: Id,
    analysis_id: Id.meta({ description: 'The run whose verdicts were approved.' }),
    comment: z.string(),
    released_by: Id,
    released_by_name: z.string(),
    released_at: Timestamp,
    current: z.boolean().meta({ description: 'False: something else stands there now.' }),
  })
  .meta({ id: 'StandardRelease', description: 'The approval of a manager who wrote none of the answers.' });

export const NewStandardRelease = z
  .strictObject({ comment: text({ max: 4000 }).default('') })
  .meta({ id: 'NewStandardRelease' });

const Counts = z.partialRecord(Verdict, z.int());
export const StandardReview = z
  .object({
    standard_id: Id,
    name: z.string(),
    analysis: z
      .object({ id: Id, status: AnalysisStatus, finished_at: Timestamp.nullable() })
      .nullable()
      .meta({ description: 'The run that is shown; null: there is none with a result.' }),
    score: z
      .object({
        machine: z.number().nullable().meta({ description: 'Of the run alone.' }),
        effective: z.number().nullable().meta({
          description:
            'With what people said, by the same rule; what has to be reviewed counts as not shown.',
        }),
      })
      .meta({ description: '0 to 100; null where nothing could be judged.' }),
    counts: z.object({ machine: Counts, effective: Counts }).meta({ description: 'Criteria by verdict.' }),
    review: z
      .object({
        statuses: z.record(ReviewStatus, z.int()),
        needed: z.int().meta({ description: 'Criteria that a person has to look at, or has.' }),
        done: z.int(),
        percent: z.number().nullable().meta({ description: '0 to 100; null: nothing has to be reviewed.' }),
      })
      .meta({ description: 'How far the review is.' }),
    criteria: z
      .array(
        z.object({
          criterion_id: z.string(),
          kind: z.string(),
          clause: z.string(),
          title: z.string().nullable(),
          machine_verdict: Verdict.meta({ description: 'Of the run.' }),
          confidence: z.enum(['high', 'medium', 'low']),
          basis: z.string().meta({ description: 'Hash of what that verdict rests on.' }),
          ...Review,
        }),
      )
      .meta({ description: 'What the run judged, in the order of the standard.' }),
    releases: z.array(StandardRelease).meta({ description: 'Newest first.' }),
  })
  .meta({ id: 'StandardReview', description: 'Where a standard stands by a run and by people.' });
export type StandardReview = z.output<typeof StandardReview>;

export const CriterionParams = z.strictObject({ id: Id, criterion_id: z.string().min(1).max(300) });
export const ReviewQuery = z.strictObject({
  analysis_id: Id.optional().meta({ description: 'Default: the newest run with a result.' }),
});
export const StandardReviewQuery = ReviewQuery.extend({
  include: z.enum(['criteria', 'none']).default('criteria').meta({
    description: '`none`: figures and releases without the criteria, of which most of an answer is made.',
  }),
});
