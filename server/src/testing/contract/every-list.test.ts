import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeApi } from '../../openapi/describe.js';
import { routes } from '../../routes.js';
import { groupOf, placeOf, send } from '../isolation/place.js';
import type { Actor, RequestParts } from '../isolation/row.js';
import { isolationRows } from '../isolation/rows.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';

/** Answers with `items` that are no lists of resources, and what they are. */
const NO_LISTS: Readonly<Record<string, string>> = {
  exportAuditEvents: 'a file',
  getChecklist: 'one checklist with its items',
  getChecklistResults: 'the state of one review',
};
const ENVELOPE = ['items', 'total', 'page', 'limit', 'next_cursor'];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly anyOf?: readonly Schema[];
}
interface Described {
  readonly operationId: string;
  readonly parameters: readonly { $ref?: string; in: string; name: string; schema: Schema }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
}

/** Show the first of each type or the most urgent with their number, or what is nearest to one: lists have the whole. */
const BEST_OF_EACH: readonly string[] = [
  'search',
  'getWork',
  'getFirstPage',
  'getTraceNeighbourhood',
  'getItemPassages',
];

const document = JSON.parse(describeApi());
const resolve = <Thing extends { readonly $ref?: string }>(thing: Thing): Thing =>
  thing.$ref
    ? thing.$ref
        .slice(2)
        .split('/')
        .reduce((inner, step) => inner[step], document)
    : thing;

const reading = Object.values(document.paths as Record<string, { get?: Described }>).flatMap(({ get }) =>
  get ? [get] : [],
);
const answerOf = ({ responses }: Described): Readonly<Record<string, Schema>> =>
  resolve(responses['200']?.content?.['application/json']?.schema ?? {}).properties ?? {};
const queryOf = ({ parameters }: Described) => parameters.map(resolve).filter((one) => one.in === 'query');
/** Fields that a list can be sorted by; of several at once, each of them alone. */
const ordersOf = (list: Described): readonly string[] => {
  const schema = queryOf(list).find(({ name }) => name === 'sort')?.schema;
  return schema?.enum ?? schema?.anyOf?.find((one) => one.enum)?.enum ?? [];
};
const lists = reading.filter((one) => 'items' in answerOf(one) && !(one.operationId in NO_LISTS));

describe('the description of lists', () => {
  it('knows one envelope', () => {
    expect(lists.length).toBeGreaterThan(25);
    for (const list of lists) {
      expect([list.operationId, Object.keys(answerOf(list))]).toEqual([
        list.operationId,
        expect.arrayContaining(ENVELOPE),
      ]);
    }
  });

  it('has cursor and limit for each, and an order where the list has not one of its own', () => {
    const missing = lists.flatMap((list) => {
      const names = queryOf(list).map(({ name }) => name);
      const wanted = ['cursor', 'limit', ...(list.operationId === 'suggestTraceLinks' ? [] : ['sort'])];
      return wanted.filter((name) => !names.includes(name)).map((name) => `${list.operationId}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  it('brings what changed since a moment wherever changes have one', () => {
    const missing = lists.flatMap((list) => {
      const names = queryOf(list).map(({ name }) => name);
      return ordersOf(list).includes('updated_at') === names.includes('updated_since')
        ? []
        : [list.operationId];
    });
    expect(missing).toEqual([]);
  });

  it('knows no offset without a cursor, and nothing that is cut off without one', () => {
    const offending = reading.flatMap((one) => {
      const names = queryOf(one).map(({ name }) => name);
      const isPart = names.includes('limit') || names.includes('offset');
      return isPart && !names.includes('cursor') && !BEST_OF_EACH.includes(one.operationId)
        ? [one.operationId]
        : [];
    });
    expect(offending).toEqual([]);
  });

  it('names no exception that is none', () => {
    const known = reading.filter((one) => 'items' in answerOf(one)).map((one) => one.operationId);
    expect(Object.keys(NO_LISTS).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('every order of every list', () => {
  let database: TestDatabase;
  let app: TestApp;
  let people: Readonly<Record<Actor, Client>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startTestApp(database);
    people = await groupOf(app);
    await database.asOwner("update profiles set role = 'admin' where id = $1", [people.owner.userId]);
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await database?.stop();
  });

  it.each(lists.map((list) => [list.operationId, list] as const))('%s', async (operation, list) => {
    const row = isolationRows.find((one) => one.operation === operation);
    const route = routes.find((one) => one.operation === operation);
    if (!row || !route || row.about === 'nobody') throw new Error(`No row for ${operation}.`);
    const place = await placeOf(database, people);
    const world = { database, newPerson: () => database.createUser() };
    const parts: RequestParts = await row.prepare(world, place);
    const sorts = ordersOf(list);
    const listed = async (sort: string, since?: string): Promise<readonly unknown[]> => {
      const query = { ...parts.query, sort, limit: '100', ...(since && { updated_since: since }) };
      const { status, body, text } = await send(route, people.owner, { ...parts, query });
      expect([sort, status, text]).toEqual([sort, 200, text]);
      return (body as { items: readonly unknown[] }).items;
    };
    for (const sort of sorts.filter((one) => !one.startsWith('-'))) {
      const [up, down] = [await listed(sort), await listed(`-${sort}`)];
      expect(up.length).toBe(down.length);
      if (sort === 'updated_at') {
        expect(await listed(sort, '0001-01-01T00:00:00Z')).toEqual(up);
        expect(await listed(sort, '2999-01-01T00:00:00Z')).toEqual([]);
      }
      const keys = (items: readonly unknown[]) =>
        items.map((item) => (item as Record<string, unknown>)[sort] ?? null);
      if (new Set(keys(up)).size === up.length) expect(keys(up)).toEqual(keys(down).reverse());
    }
  });
});
