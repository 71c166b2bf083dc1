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
import { SCREENS } from './screens.js';

const Screen = z.enum(SCREENS).meta({ description: 'The list that it is a view of.' });
const shared = z.boolean().meta({ description: 'Whether all members see it.' });
const query = text({ max: 2000 })
  .regex(/^(?!\?)/, 'Without the question mark.')
  .meta({
    description:
      'Filters and order as in the address of the screen. What the list does not know is kept, left out when the view is read, and named in `dropped`.',
  });
const name = text({ min: 1, max: 100 });
const Column = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9_]*$/);
const columns = z
  .array(Column)
  .min(1)
  .max(50)
  .refine((all) => new Set(all).size === all.length, 'Name each column once.')
  .nullable()
  .meta({
    description:
      'Fields of the list’s items that are shown, in this order; null: those that the screen begins with.',
  });
const sort = z
  .string()
  .max(60)
  .regex(/^-?[a-z][a-z0-9_]*(,-?[a-z][a-z0-9_]*){0,3}$/)
  .nullable()
  .meta({ description: 'As `sort` of the list; null: what the query says, else the order of the list.' });
const isDefault = z.boolean().meta({
  description:
    'The screen begins with it for whoever made it; of views of others always false. Of one person and screen one view has it: it is taken from the one before.',
});

export const View = z
  .object({
    id: Id,
    screen: Screen,
    name: z.string(),
    query: z.string().meta({
      description: 'Filters and order as in the address of the screen, as far as this version knows them.',
    }),
    columns,
    sort,
    shared,
    is_default: isDefault,
    dropped: z
      .array(
        z.object({
          part: z.enum(['query', 'columns', 'sort']).meta({ description: 'Where it stood.' }),
          value: z.string().meta({ description: 'As it was saved; of the query `name=value`.' }),
        }),
      )
      .meta({
        description:
          'What was saved and this version of the screen does not know: left out above. Changing that part forgets it.',
      }),
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
  .strictObject({
    screen: Screen,
    name,
    query,
    columns: columns.default(null),
    sort: sort.default(null),
    shared: shared.default(false),
    is_default: isDefault.optional(),
  })
  .meta({ id: 'NewView' });
export const ViewChange = withOneField(
  z.strictObject({
    name: name.optional(),
    query: query.optional(),
    columns: columns.optional(),
    sort: sort.optional(),
    shared: shared.optional(),
    is_default: isDefault.optional(),
  }),
).meta({ id: 'ViewChange' });
