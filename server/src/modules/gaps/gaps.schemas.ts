import { SEVERITIES } from '@normtrace/engine';
import { z } from 'zod';
import {
  flag,
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  several,
  sortedBySeveral,
  Timestamp,
  text,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';
import { refsAnswer, refsQuery } from '../names/names.js';
import { ANALYSIS_TYPES } from '../runs/analysis-type.js';

export const AnalysisType = z.enum(ANALYSIS_TYPES).meta({ id: 'AnalysisType' });
export const Severity = z.enum(SEVERITIES).meta({ id: 'Severity' });
export const GapStatus = z.enum(['open', 'in_progress', 'resolved', 'accepted']).meta({ id: 'GapStatus' });
export const Change = z.enum(['new', 'unchanged', 'updated', 'absent']).meta({ id: 'Change' });

export const Resolution = z.enum(['fixed', 'false_positive']).meta({ id: 'Resolution' });
const CalendarDate = z.iso.date().meta({ description: 'Calendar date', examples: ['2026-03-31'] });

const PROPOSAL_KINDS = ['acceptance', 'false_positive', 'severity'] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];
export const Proposal = z
  .object({
    id: Id,
    kind: z.enum(PROPOSAL_KINDS),
    severity: Severity.nullable().meta({ description: 'The one that is proposed.' }),
    accepted_until: Timestamp.nullable(),
    owner: Id.nullable(),
    reason: z.string(),
    proposed_by: Id,
    created_at: Timestamp,
  })
  .meta({ id: 'GapProposal', description: 'A change that waits for a manager, or for a second one.' });
export type Proposal = z.output<typeof Proposal>;

const DECISION_KINDS = ['accepted', 'false_positive', 'severity', 'proposal'] as const;
export const PreviousDecision = z
  .object({
    decision: z.enum(DECISION_KINDS),
    severity: Severity.nullable().meta({ description: 'The one that a person had set.' }),
    reason: z.string().nullable(),
    accepted_until: Timestamp.nullable(),
    decided_by: z.array(Id).meta({ description: 'Who decided; two where it was accepted by two.' }),
    ended_at: Timestamp.meta({ description: 'When a run ended it.' }),
    analysis_id: Id.meta({ description: 'The run that found what the decision does not cover.' }),
    changed: z
      .array(z.enum(['kind', 'severity', 'integrity', 'items', 'defects', 'quotes', 'observed']))
      .meta({ description: 'What of the finding is not what it was when it was decided.' }),
  })
  .meta({
    id: 'PreviousDecision',
    description:
      'A decision about a gap that ended because what was found since is not what it was made about.',
  });
export type PreviousDecision = z.output<typeof PreviousDecision>;

export const Location = z.object({
  page: z.int().optional(),
  section: z.array(z.string()).optional().meta({ description: 'Headings above, outermost first.' }),
  sheet: z.string().optional(),
  cell: z.string().optional(),
  line: z.int().optional(),
  requirement_id: z.string().optional(),
});

/** Of a quote; in the text that `GET …/document` answers in blocks. */
export const TextRange = z
  .object({
    start: z.int().min(0).meta({ description: 'Position of the first character.' }),
    end: z.int().min(0).meta({ description: 'First position behind it.' }),
  })
  .meta({
    id: 'TextRange',
    description: 'Half-open, in UTF-16 units of the text of the document as it was read.',
  });

export const Evidence = z
  .object({
    work_product_id: Id,
    version: z.int(),
    location: Location,
    quote: z.string().meta({ description: 'Exact words of the parsed document.' }),
    range: TextRange.optional().meta({
      description:
        'Where exactly the quote stands. Left out of completeness results that an earlier version stored.',
    }),
    role: z.enum(['support', 'counter', 'context']),
    note: z.string().nullable(),
  })
  .meta({ id: 'Evidence', description: 'A place in a document version and the exact words there.' });
export type Evidence = z.output<typeof Evidence>;

export const Gap = z
  .object({
    id: Id,
    workspace_id: Id,
    analysis_type: AnalysisType,
    standard_id: Id.nullable().meta({ description: 'Null where no standard demands it.' }),
    work_product_id: Id.nullable().meta({
      description: 'The only document that it is about; null: about all that were analysed.',
    }),
    analysis_id: Id.meta({ description: 'The newest run that found it.' }),
    fingerprint: z.string(),
    type: z.string(),
    status: GapStatus,
    change: Change.meta({ description: 'Against the run before.' }),
    severity: Severity.meta({ description: 'The one that counts: of a manager where there is one.' }),
    severity_original: Severity.meta({ description: 'The one that was found.' }),
    severity_override: z
      .object({ reason: z.string(), overridden_by: Id, overridden_at: Timestamp })
      .nullable()
      .meta({ description: 'Why the severity that counts is not the one that was found.' }),
    severity_reasons: z.array(z.string()).meta({ description: 'What led to the original severity.' }),
    confidence: z.enum(['high', 'medium', 'low']),
    asil: z.string().nullable(),
    criterion_id: z.string(),
    clause: z.string(),
    title: z.string(),
    standard_ref: z.string(),
    expected: z.string(),
    observed: z.string(),
    why_it_matters: z.string(),
    recommendation: z.string(),
    recommendations: z.array(z.string()),
    remedy: z
      .object({
        language: z.enum(['en', 'de']),
        steps: z.array(z.string()).meta({ description: 'One thing to do each, in their order.' }),
        effort: z
          .enum(['minutes', 'hours', 'days'])
          .nullable()
          .meta({ description: 'As the model guesses it.' }),
      })
      .nullable()
      .meta({
        description:
          'Steps that a language model wrote beside the recommendation of the rules, where a run asked for them (`written_in`): each ' +
          'was checked for numbers, ids, clauses and dates that are not in the gap. Words of a model, no finding.',
      }),
    by_model: z.enum(['closed_by_model', 'differs_from_model', 'found_by_model']).nullable().meta({
      description:
        'What a language model had to do with it: it would close it, which a person has to confirm; it judges otherwise; or only it found it.',
    }),
    effort_hint: z.enum(['minutes', 'hours', 'days']).nullable(),
    affected_items: z.array(z.string()),
    affected: z
      .object({
        count: z.int(),
        items: z.array(
          z.object({
            id: z.string().meta({
              description:
                'As the document writes it; of a section or field that is not there that of the template.',
            }),
            title: z.string().nullable().meta({ description: 'Of a section or field that is not there.' }),
            type: z.string().meta({ description: 'That of the gap; another one where it follows from it.' }),
            severity: Severity,
            caused_by: z.string().nullable().meta({
              description:
                'Type of the gap that it follows from: it is counted nowhere and closes with it. Null: it is what the gap is about.',
            }),
            work_product_id: Id.nullable(),
            location: Location.nullable(),
            searched: z.string().nullable().meta({ description: 'What was searched for it and not found.' }),
          }),
        ),
      })
      .nullable()
      .meta({
        description:
          'Of a cause that several artifacts have, or of what a document lacks: how many, and the first hundred. Null where the gap is a defect of its own.',
      }),
    evidence: z.array(Evidence),
    search: z.record(z.string(), z.unknown()).nullable().meta({ description: 'What was searched.' }),
    resolution: Resolution.nullable().meta({ description: 'How it was resolved; null in any other status.' }),
    assignee: Id.nullable(),
    due_date: CalendarDate.nullable(),
    overdue: z.boolean().meta({ description: 'Open or in progress past its due date (UTC).' }),
    reason: z.string().nullable().meta({ description: 'Why the status is what it is.' }),
    accepted_until: Timestamp.nullable(),
    waiver: z
      .object({
        owner: Id.meta({ description: 'Who answers for it.' }),
        accepted_by: z.array(Id).meta({ description: 'The managers who accepted it, the first one first.' }),
        accepted_at: Timestamp,
      })
      .nullable()
      .meta({ description: 'Of an accepted gap; its reason and end are beside it.' }),
    acceptance_pending: z.boolean().meta({ description: 'One manager accepted it, a second one has to.' }),
    proposals: z.array(Proposal).meta({ description: 'What waits for a decision.' }),
    previous_decisions: z.array(PreviousDecision).meta({
      description: 'Decisions that a run ended, until a person decides again; `note` says why.',
    }),
    note: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Gap', description: 'Something that the documents given do not show.' });
export type Gap = z.output<typeof Gap>;
/** As it is read alone. */
export const NamedGap = Gap.extend(refsAnswer).meta({
  id: 'NamedGap',
  description: 'A gap, with names where they are asked for.',
});

export const GapList = listOf('GapList', Gap, refsAnswer);
export const GapParams = z.strictObject({ gap_id: Id });
/** What people can have left at a gap. */
const HAD = ['proposal', 'comment', 'waiver'] as const;
export type Had = (typeof HAD)[number];
export const gapFilters = {
  search: SearchQuery,
  standard_id: Id.optional(),
  work_product_id: Id.optional(),
  document_type: several(z.string().min(1).max(80)).meta({
    description:
      'Type of a work product, such as `hara`, as its `category` says: gaps that are about such a document, searched or quote one.',
  }),
  analysis_type: several(AnalysisType),
  analysis_id: Id.optional(),
  severity: several(Severity).meta({ description: 'The one that counts.' }),
  severity_original: several(Severity),
  status: several(GapStatus),
  resolution: several(Resolution),
  change: several(Change),
  type: several(z.string().max(80)),
  asil: several(z.string().max(20)),
  clause: z.string().max(80).optional(),
  assignee: z
    .union([Id, z.enum(['me', 'none'])])
    .optional()
    .meta({ description: 'An id, `me` or `none`.' }),
  due_from: CalendarDate.optional(),
  due_to: CalendarDate.optional().meta({ description: 'Including this day.' }),
  overdue: flag().optional(),
  waived: flag().optional().meta({ description: 'Accepted, and not past its end.' }),
  proposal: z.enum(PROPOSAL_KINDS).optional().meta({ description: 'What waits for a manager.' }),
  has: several(z.enum(HAD)).meta({
    description:
      'At least one of: `proposal`, something that waits for a manager; `comment`, one that is not deleted; `waiver`, an ' +
      'acceptance that is not past its end.',
  }),
};
export const GapQuery = PageQuery.extend({
  ...refsQuery,
  ...sortedBySeveral('created_at', 'updated_at', 'severity', 'due_date', 'clause', 'title'),
  updated_since: UpdatedSince,
  workspace_id: Id.optional(),
  ...gapFilters,
});

const reason = text({ min: 1, max: 2000 });
const change = z.strictObject({
  status: GapStatus.optional(),
  resolution: Resolution.optional().meta({
    description:
      'With `resolved`; `fixed` unless told. An engineer proposes `false_positive`, a manager decides.',
  }),
  reason: reason.optional().meta({ description: 'Needed for `accepted` and `false_positive`.' }),
  accepted_until: z.iso.datetime({ offset: true }).optional(),
  owner: Id.optional().meta({
    description: 'Who answers for an accepted gap, a member of the workspace; who accepts it unless told.',
  }),
  assignee: Id.nullable().optional().meta({ description: 'A member of the workspace.' }),
  due_date: CalendarDate.nullable().optional(),
});
export const GapChange = withOneField(change).meta({ id: 'GapChange' });
export type GapChange = z.output<typeof GapChange>;

/** Gaps that are changed together at most: what one transaction does in some seconds (decision 616). */
export const MOST_AT_ONCE = 5000;
export const CHANGE_IN_PARTS = `No more than ${MOST_AT_ONCE} gaps are changed at once. Use POST /analysis/gap-changes for more, or narrow the filter.`;

export const GapsChange = z
  .strictObject({
    workspace_id: Id,
    ids: z.array(Id).min(1).max(MOST_AT_ONCE, CHANGE_IN_PARTS).optional(),
    filter: z.strictObject(gapFilters).optional().meta({
      description: 'All gaps that match, instead of ids; as the query of the list.',
    }),
    expected_total: z.int().min(1).max(MOST_AT_ONCE, CHANGE_IN_PARTS).optional().meta({
      description:
        'With `filter`: the total that the caller saw. When it is another one now, nothing is changed.',
    }),
    unchanged_since: z.iso.datetime({ offset: true }).optional().meta({
      description: 'A gap that was changed after this moment is an error: when the caller read them.',
    }),
    change: GapChange,
  })
  .refine((body) => (body.ids === undefined) !== (body.filter === undefined), 'Name either ids or a filter.')
  .refine((body) => new Set(body.ids).size === (body.ids?.length ?? 0), 'An id appears twice.')
  .refine(
    (body) => (body.filter === undefined) === (body.expected_total === undefined),
    'A filter needs expected_total, ids do not.',
  )
  .meta({ id: 'GapsChange' });
export type GapsChange = z.output<typeof GapsChange>;

const GapDecided = z.object({
  status: GapStatus,
  resolution: Resolution.nullable(),
  assignee: Id.nullable(),
  due_date: CalendarDate.nullable(),
  reason: z.string().nullable(),
  accepted_until: Timestamp.nullable(),
});
export const ChangedGaps = z
  .object({
    changed: z.int(),
    proposed: z.int().meta({ description: 'Of them, those whose change waits for a manager now.' }),
    items: z.array(
      z.object({
        id: Id,
        status: GapStatus,
        severity: Severity,
        acceptance_pending: z.boolean(),
        before: GapDecided.meta({ description: 'What it was, to take the change back.' }),
      }),
    ),
  })
  .meta({ id: 'ChangedGaps' });

export const PreviewedChange = z
  .object({
    total: z.int().meta({ description: 'Gaps that the ids or the filter name.' }),
    changed: z.int().meta({ description: 'Of them, those that would be changed.' }),
    proposed: z.int().meta({ description: 'Of them, those whose change would wait for a manager.' }),
    unchanged: z.int().meta({ description: 'Of them, those that are as wished already.' }),
    refused: z.array(z.object({ id: Id, code: z.string(), message: z.string() })).meta({
      description: 'Those that cannot be changed, and why: as long as there is one, none is changed.',
    }),
    by_status: z.partialRecord(GapStatus, z.int()).meta({ description: 'What they are now.' }),
    by_severity: z.partialRecord(Severity, z.int()).meta({ description: 'What they are now.' }),
  })
  .meta({ id: 'PreviewedChange', description: 'What a change of many gaps would do; nothing was changed.' });

export const SeverityChange = z
  .strictObject({
    severity: Severity.nullable().meta({ description: 'Null: the one that was found counts again.' }),
    reason,
  })
  .meta({ id: 'GapSeverityChange' });
export type SeverityChange = z.output<typeof SeverityChange>;

export const ProposalParams = z.strictObject({ gap_id: Id, proposal_id: Id });
export const ProposalDecision = z
  .strictObject({
    decision: z.enum(['approve', 'reject', 'withdraw']),
    reason: reason.optional().meta({ description: 'Needed to reject.' }),
  })
  .meta({ id: 'GapProposalDecision' });
export type ProposalDecision = z.output<typeof ProposalDecision>;
