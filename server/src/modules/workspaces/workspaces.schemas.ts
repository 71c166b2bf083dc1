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

export const WorkspaceList = listOf('WorkspaceList', Workspace);
export const WorkspaceParams = z.strictObject({ id: Id });
export const WorkspaceQuery = PageQuery.extend({
  search: SearchQuery,
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
