import { z } from 'zod';
import type { Statement } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import type { ReadContext } from '../../platform/http/route.js';
import { flag, Id } from '../../platform/http/schemas.js';

const Named = z.record(Id, z.object({ name: z.string() }));

/** Names of what a page has ids of. */
export const Refs = z
  .object({
    people: Named.meta({ description: 'Names of the people whose ids are in the answer.' }),
    work_products: Named.meta({ description: 'Names of the work products whose ids are in the answer.' }),
    standards: Named.meta({ description: 'Names of the standards whose ids are in the answer.' }),
  })
  .meta({ id: 'Refs', description: 'What the ids of the answer mean, as far as the caller may see it.' });
export type Refs = z.output<typeof Refs>;

/** For the query and the answer of a list whose pages bring names where they are asked for. */
export const refsQuery = {
  refs: flag().optional().meta({ description: 'True: `refs` has names beside the ids of the answer.' }),
};
export const refsAnswer = { refs: Refs.optional().meta({ description: 'With `refs=true`.' }) };

/** Properties that hold ids of each kind, one or several, wherever in an item they stand. */
const KIND_OF: Readonly<Record<string, keyof Refs>> = {
  accepted_by: 'people',
  actor: 'people',
  assignee: 'people',
  author: 'people',
  confirmed_by: 'people',
  created_by: 'people',
  decided_by: 'people',
  owner: 'people',
  proposed_by: 'people',
  resolved_by: 'people',
  uploaded_by: 'people',
  work_product_id: 'work_products',
  standard_id: 'standards',
};
type Ids = Readonly<Record<keyof Refs, Set<string>>>;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function collect(value: unknown, into: Ids): void {
  if (Array.isArray(value)) for (const one of value) collect(one, into);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      const kind = KIND_OF[name];
      if (kind)
        for (const id of [one].flat()) if (typeof id === 'string' && UUID.test(id)) into[kind].add(id);
      collect(one, into);
    }
  }
}

interface NameRow {
  readonly kind: keyof Refs;
  readonly id: string;
  readonly name: string;
}
const selectNames = (ids: Ids): Statement => sql`
  select 'people' as kind, p.id, coalesce(nullif(p.name, ''), p.email) as name
  from profiles p where p.id = any (${[...ids.people]}::uuid[])
  union all
  select 'work_products', p.id, p.name from work_products p where p.id = any (${[...ids.work_products]}::uuid[])
  union all
  select 'standards', t.id, t.name from standards t where t.id = any (${[...ids.standards]}::uuid[])`;

/** Names of the people, documents and standards whose ids stand in these items. Guests are told no people. */
export async function namesIn(
  { read, caller }: Pick<ReadContext, 'read' | 'caller'>,
  items: readonly unknown[],
): Promise<Refs> {
  const ids: Ids = { people: new Set(), work_products: new Set(), standards: new Set() };
  collect(items, ids);
  if (caller.guest) ids.people.clear();
  const rows = await read<NameRow>(selectNames(ids));
  const namesOf = (kind: keyof Refs) =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ id, name }) => [id, { name }]));
  return {
    people: namesOf('people'),
    work_products: namesOf('work_products'),
    standards: namesOf('standards'),
  };
}

/** A page with names where the query asks for them. */
export async function withNames<Page extends { readonly items: readonly unknown[] }>(
  context: Pick<ReadContext, 'read' | 'caller'> & { readonly query: { readonly refs?: boolean | undefined } },
  page: Promise<Page>,
): Promise<Page & { refs?: Refs }> {
  const found = await page;
  return context.query.refs ? { ...found, refs: await namesIn(context, found.items) } : found;
}

/** One resource with names where the query asks for them; its `ETag` is that without them. */
export const withNamesOf = async <Resource extends object>(
  context: Pick<ReadContext, 'read' | 'caller'> & { readonly query: { readonly refs?: boolean | undefined } },
  resource: Resource,
): Promise<Resource & { refs?: Refs }> =>
  context.query.refs ? { ...resource, refs: await namesIn(context, [resource]) } : resource;

/** The query of a single resource that names what its ids mean where it is asked to. */
export const RefsQuery = z.strictObject(refsQuery);
