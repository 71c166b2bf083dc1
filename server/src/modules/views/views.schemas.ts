import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  sortedBy,
  Timestamp,
  text,
  withOneField,
} from '../../platform/http/schemas.js';

const SCREENS = ['gaps', 'documents', 'trace', 'runs', 'reports'] as const;
const Screen = z.enum(SCREENS).meta({ description: 'The list that it is a view of.' });
const shared = z.boolean().meta({ description: 'Whether all members see it.' });
const query = text({ max: 2000 })
  .regex(/^(?!\?)/, 'Without the question mark.')
  .meta({
    description:
      'Filters and order as in the address of the screen; what a later version does not know is left out there.',
  });
const name = text({ min: 1, max: 100 });

export const View = z
  .object({
    id: Id,
    screen: Screen,
    name: z.string(),
    query: z.string().meta({ description: 'Filters and order as in the address of the screen.' }),
    shared,
    owner: z.object({ id: Id, name: z.string() }).meta({ description: 'Whose view it is.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'View', description: 'A list as somebody looks at it, under a name.' });
export type View = z.output<typeof View>;
export const ViewList = listOf('ViewList', View);
export const ViewsParams = z.strictObject({ id: Id });
export const ViewParams = z.strictObject({ id: Id, view_id: Id.meta({ description: 'Id of the view.' }) });
export const ViewQuery = PageQuery.extend({
  ...sortedBy('created_at', 'name'),
  screen: Screen.optional(),
});
export const NewView = z
  .strictObject({ screen: Screen, name, query, shared: shared.default(false) })
  .meta({ id: 'NewView' });
export const ViewChange = withOneField(
  z.strictObject({ name: name.optional(), query: query.optional(), shared: shared.optional() }),
).meta({ id: 'ViewChange' });
