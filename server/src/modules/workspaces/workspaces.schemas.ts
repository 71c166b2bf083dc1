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

export const Workspace = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
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
  z.strictObject({ name: name.optional(), description: description.optional() }),
).meta({ id: 'WorkspaceChange' });
