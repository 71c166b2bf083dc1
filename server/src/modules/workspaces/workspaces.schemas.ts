import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  SearchQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';

import { Phase, TailoredOut, ToldTailoredOut } from './project-scope.schemas.js';

export const Workspace = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    phase: Phase.nullable().meta({
      description: 'The phase that the project is in, as somebody told it; null: nobody did.',
    }),
    tailored_out: z.array(ToldTailoredOut).meta({ description: 'What is not done in this project.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Workspace', description: 'A container of standards, work products and analyses.' });
export type Workspace = z.infer<typeof Workspace>;

const count = (description: string) => z.int().meta({ description });
export const WorkspaceSummary = z
  .object({
    gaps: z
      .object({
        critical: count('Critical ones.'),
        high: count('High ones.'),
        medium: count('Medium ones.'),
        low: count('Low ones.'),
      })
      .meta({ description: 'Gaps that are neither closed nor gone, by severity.' }),
    overdue: count('Gaps that should be done by now.'),
    standards: z
      .array(
        z.object({
          id: Id,
          name: z.string(),
          score: z
            .number()
            .nullable()
            .meta({ description: 'Of the newest run, 0 to 100; null where there is none.' }),
          delta: z.number().nullable().meta({
            description:
              'What the newest run has more than the one before it; null where one of them has no score.',
          }),
        }),
      )
      .meta({ description: 'Its standards, the oldest first.' }),
    work_products: count('Documents.'),
    members: count('People.'),
    running: count('Runs that wait or run.'),
    last_run_at: Timestamp.nullable().meta({ description: 'When the newest run ended.' }),
  })
  .meta({ id: 'WorkspaceSummary', description: 'How a workspace stands.' });

export const ListedWorkspace = Workspace.extend({
  summary: WorkspaceSummary.optional().meta({ description: 'Where `include` asks for it.' }),
}).meta({ id: 'ListedWorkspace', description: 'A workspace of the caller.' });
export type ListedWorkspace = z.infer<typeof ListedWorkspace>;
export const WorkspaceList = listOf('WorkspaceList', ListedWorkspace);
export const WorkspaceParams = z.strictObject({ id: Id });
export const WorkspaceQuery = PageQuery.extend({
  search: SearchQuery,
  include: z.enum(['summary']).optional().meta({
    description: 'Gaps, scores, runs and people of each workspace in the same answer.',
  }),
  ...sortedBy('created_at', 'updated_at', 'name'),
  updated_since: UpdatedSince,
});

const name = text({ min: 1, max: 200 });
const description = text({ max: 2000 });

export const NewWorkspace = z
  .strictObject({ name, description: description.default('') })
  .meta({ id: 'NewWorkspace' });
export const WorkspaceChange = withOneField(
  z.strictObject({
    name: name.optional(),
    description: description.optional(),
    phase: Phase.nullable().optional().meta({
      description:
        'The phase that the project is in; what is due later is not counted in the runs that follow.',
    }),
    tailored_out: z.array(TailoredOut).max(50).optional().meta({
      description: 'What is not done in this project, each with its reason.',
    }),
  }),
).meta({ id: 'WorkspaceChange' });
