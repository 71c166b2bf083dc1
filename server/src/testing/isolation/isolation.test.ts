import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardOf, type Route } from '../../platform/http/route.js';
import {
  grantFor,
  isForEveryRole,
  loadPermissionTable,
  ROLES,
  type Role,
  rolesInWorkspace,
} from '../../platform/identity/permissions.js';
import { routes } from '../../routes.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { apiTokenOf, groupOf, guestOf, placeOf, send } from './place.js';
import { ACTORS, type Actor, type IsolationRow, type RequestParts, type World } from './row.js';
import { isolationRows } from './rows.js';

const permissions = loadPermissionTable();
const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

let database: TestDatabase;
let app: TestApp;
let world: World;
/** Members of the places of their own; nobody of them is in a place of the others. */
let people: Readonly<Record<Actor, Client>>;
let others: Readonly<Record<Actor, Client>>;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp(database);
  await app.signUp();
  people = await groupOf(app);
  others = await groupOf(app);
  world = { database, newPerson: () => database.createUser() };
}, 120_000);
afterAll(async () => {
  await app?.stop();
  await database?.stop();
});

type Members = Readonly<Record<Actor, Client>>;
const newPlace = (members: Members) => placeOf(database, members);

/**
 * Makes what a row is about in a place of these members. Reading changes nothing: what is read is made once for all who are in one place.
 */
function preparing(row: IsolationRow & { readonly about: 'workspace' }, { method }: Route) {
  const make = async (members: Members) => {
    const place = await newPlace(members);
    return { place, parts: await row.prepare(world, place) };
  };
  const made = new Map<Members, ReturnType<typeof make>>();
  return (members: Members) => {
    const known = method === 'GET' ? made.get(members) : undefined;
    const now = known ?? make(members);
    made.set(members, now);
    return now;
  };
}
const tokenOf = (user: Pick<Client, 'userId'>, access: 'read' | 'write', workspaceId?: string) =>
  apiTokenOf({ database, app }, user, { access, ...(workspaceId ? { workspaceId } : {}) });

/** Why no API token may do it; undefined where one may. */
function refusalOf(route: Route, access: 'read' | 'write'): string | undefined {
  const permission = permissions.find(guardOf(route)?.permission ?? '');
  if (permission.person || route.person) return 'person_required';
  return access === 'read' && route.method !== 'GET' ? 'read_only_token' : undefined;
}

const refused = (reason: string) => [
  403,
  { error: expect.objectContaining({ details: expect.objectContaining({ reason }) }) },
];

/** The same request with every id replaced by one that nothing has. */
function absent(parts: RequestParts): RequestParts {
  const fresh = new Map<string, string>();
  const replaced = JSON.stringify(parts).replaceAll(GUID, (id) => {
    const other = fresh.get(id) ?? randomUUID();
    fresh.set(id, other);
    return other;
  });
  return JSON.parse(replaced) as RequestParts;
}

/** Headers that differ between any two answers. */
const OF_THE_MOMENT = ['date', 'x-request-id', 'ratelimit'];

/** What an answer tells, without what differs between any two answers. */
function told({ status, body, text, headers }: Answer): unknown {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !OF_THE_MOMENT.includes(name))),
    body: error ? { ...error, timestamp: '', request_id: '' } : text,
  };
}

const routeOf = (row: IsolationRow): Route => {
  const route = routes.find(({ operation }) => operation === row.operation);
  if (!route) throw new Error(`The row ${row.operation} is about no route.`);
  return route;
};

/** What changes something and still decides nothing. */
const NO_DECISION = [
  // How one looks at things.
  'changePreferences',
  'changeView',
  'deleteView',
  // One's own name and organization.
  'changeProfile',
  // The same session goes on.
  'refreshToken',
];

/** What was changed or deleted, or needs a person: it belongs into the audit log. */
function isDecision(route: Route, { status }: Answer): boolean {
  if (route.method === 'GET' || status >= 300 || NO_DECISION.includes(route.operation)) return false;
  const needsPerson = route.person || permissions.find(guardOf(route)?.permission ?? '').person;
  return route.method !== 'POST' || needsPerson === true;
}

/** Audit events that carry the id of the answered request. */
const eventsOf = async ({ headers }: Answer): Promise<number> =>
  (await database.asOwner('select from audit_events where request_id = $1', [headers.get('x-request-id')]))
    .length;

/** The status that the permission table demands; `decided`: the handler decides. */
function demanded(route: Route, roles: readonly Role[]): number | 'decided' {
  const guard = guardOf(route);
  if (!guard) throw new Error(`${route.operation} has no permission.`);
  const grant = grantFor(permissions.find(guard.permission), roles);
  if (!grant) return 403;
  return grant.kind === 'allowed' ? (route.status ?? 200) : 'decided';
}

it('every operation has exactly one row, and every row an operation', () => {
  expect(isolationRows.map(({ operation }) => operation).sort()).toEqual(
    routes.map(({ operation }) => operation).sort(),
  );
  expect(routes.length).toBeGreaterThan(15);
});

it('every permission is used by a route or marked "later", and never both', () => {
  const used = new Set(routes.map((route) => guardOf(route)?.permission));
  const wrong = permissions.permissions.filter(({ id, later }) => used.has(id) === later).map(({ id }) => id);
  expect(wrong).toEqual([]);
});

it('every row speaks of its route as the route speaks of itself', () => {
  for (const row of isolationRows) {
    expect([row.operation, row.about]).toEqual([row.operation, subjectOf(routeOf(row))]);
  }
});

/** A single resource belongs to a workspace, also where reading it needs no more than seeing it. */
function subjectOf(route: Route): IsolationRow['about'] {
  const guard = guardOf(route);
  if (!guard) return 'nobody';
  if (guard.within === 'visible') return route.path.includes(':') ? 'workspace' : 'visible';
  return guard.within === 'installation' ? 'installation' : 'workspace';
}

// Before the others, which make people members of a thousand workspaces: all of them would be looked through.
describe.each(isolationRows.filter((row) => row.about === 'visible'))('$operation', (row) => {
  const route = routeOf(row);

  it('shows what is one’s own to every role, and nothing of others', async () => {
    const own = await row.prepare(world, await newPlace(people));
    const foreign = await row.prepare(world, await newPlace(others));
    for (const actor of ACTORS) {
      const { status, text } = await send(route, people[actor], {
        ...own,
        query: { ...own.query, limit: '100' },
      });
      expect([status, text.includes(own.marker), text.includes(foreign.marker)]).toEqual([200, true, false]);
      const asked = await send(route, people[actor], foreign);
      expect([asked.status, asked.text.includes(foreign.marker)]).toEqual([200, false]);
    }
  });

  it('wants a token', async () => {
    expect((await send(route, app.anyone, {})).status).toBe(401);
  });

  it('shows a guest nothing, unless it is open to guests and they name where they are let in', async () => {
    const place = await newPlace(people);
    const own = await row.prepare(world, place);
    const ask = async (about: Omit<Parameters<typeof guestOf>[2], 'userId'>) => {
      const guest = await app.enter();
      await guestOf(database, place, { ...about, userId: guest.userId });
      const { status, text } = await send(route, guest, { ...own, query: { ...own.query, limit: '100' } });
      return [status, text.includes(own.marker)];
    };
    const isOpen = guardOf(route)?.guest?.workspace !== undefined && own.query?.workspace_id !== undefined;
    expect(await ask({})).toEqual([200, isOpen]);
    expect(await ask({ scope: 'analysis', targetId: randomUUID() })).toEqual([200, false]);
    expect(await ask({ scope: 'report', targetId: randomUUID() })).toEqual([200, false]);
  });

  it('shows an API token of one workspace nothing of another', async () => {
    const place = await newPlace(people);
    const own = await row.prepare(world, place);
    const ask = async (workspaceId: string) => {
      const token = await tokenOf(people.owner, 'read', workspaceId);
      const { status, text } = await send(route, token, { ...own, query: { ...own.query, limit: '100' } });
      return [status, text.includes(own.marker)];
    };
    expect(await ask((await newPlace(people)).workspaceId)).toEqual([200, false]);
    expect(await ask(place.workspaceId)).toEqual([200, true]);
  });
});

describe.each(isolationRows.filter((row) => row.about === 'workspace'))('$operation', (row) => {
  const route = routeOf(row);
  const prepare = preparing(row, route);

  it.each(ACTORS)('as %s of the workspace is answered as the permission table says', async (actor) => {
    const role = actor === 'owner' ? 'admin' : actor;
    const roles = rolesInWorkspace(permissions, 'engineer', { role, isOwner: actor === 'owner' });
    const status = demanded(route, roles);
    const decided = row.decided?.[actor];
    // A condition needs a decision in the row, anything else must not have one.
    expect(decided !== undefined).toBe(status === 'decided');
    const { parts } = await prepare(people);
    const answer = await send(route, people[actor], parts);
    const expected = decided ?? (status === 403 ? 403 : (row.succeeds ?? status));
    expect([answer.status, answer.text]).toEqual([expected, answer.text]);
    if (isDecision(route, answer)) expect(await eventsOf(answer)).toBeGreaterThan(0);
  });

  it('answers the same for what belongs to others and for what does not exist', async () => {
    const { parts } = await prepare(others);
    for (const actor of ACTORS) {
      const foreign = await send(route, people[actor], parts);
      expect(foreign.status).toBe(404);
      expect(told(foreign)).toEqual(told(await send(route, people[actor], absent(parts))));
    }
    // It was there all the time.
    const own = await send(route, others.owner, parts);
    expect(own.status).toBe(row.succeeds ?? route.status ?? 200);
  });

  it('answers a viewer of the installation as a viewer, whatever their role in the workspace', async () => {
    const reader = await app.enter();
    await database.asOwner("update profiles set role = 'viewer' where id = $1", [reader.userId]);
    const place = await newPlace({ ...people, owner: reader });
    const status = demanded(route, ['viewer']);
    const answer = await send(route, reader, await row.prepare(world, { ...place, owner: people.manager }));
    const allowed = status === 403 ? 403 : (row.succeeds ?? status);
    expect(answer.status).toBe(status === 'decided' ? row.decided?.viewer : allowed);
  });

  it('is absent for a guest, unless it is open to guests and within what they are let into', async () => {
    const { place, parts } = await prepare(others);
    const nothing = await send(route, await app.enter(), absent(parts));
    const as = async (about: Omit<Parameters<typeof guestOf>[2], 'userId'>) => {
      const guest = await app.enter();
      await guestOf(database, place, { ...about, userId: guest.userId });
      return send(route, guest, parts);
    };
    // Guests of something else in the same workspace see of it that it is there.
    for (const scope of ['analysis', 'report'] as const) {
      const answer = await as({ scope, targetId: randomUUID() });
      if (route.operation === 'getWorkspace') expect(answer.status).toBe(200);
      else expect(told(answer)).toEqual(told(nothing));
    }
    const answer = await as({});
    if (guardOf(route)?.guest?.workspace) {
      expect([answer.status, answer.text]).toEqual([row.succeeds ?? route.status ?? 200, answer.text]);
    } else {
      expect(told(answer)).toEqual(told(nothing));
      expect(answer.status).toBe(404);
    }
  });

  it('wants a token', async () => {
    const { parts } = await prepare(others);
    expect((await send(route, app.anyone, parts)).status).toBe(401);
  });

  it.each(['read', 'write'] as const)(
    'lets an API token that may %s do no more than that',
    async (access) => {
      const { place, parts } = await prepare(people);
      const elsewhere = await newPlace(people);
      const reason = refusalOf(route, access);
      const expectAnswer = async (token: Client, status: number) => {
        const answer = await send(route, token, parts);
        expect([answer.status, answer.body]).toEqual(reason ? refused(reason) : [status, answer.body]);
        return answer;
      };
      const fromElsewhere = await tokenOf(people.owner, access, elsewhere.workspaceId);
      const foreign = await expectAnswer(fromElsewhere, 404);
      expect(told(foreign)).toEqual(told(await send(route, fromElsewhere, absent(parts))));
      // Nothing has happened so far: the same request still succeeds.
      await expectAnswer(
        await tokenOf(people.owner, access, place.workspaceId),
        row.succeeds ?? route.status ?? 200,
      );
    },
  );
});

describe.each(isolationRows.filter((row) => row.about === 'installation'))('$operation', (row) => {
  const route = routeOf(row);

  it.each(ROLES)('as %s of the installation is answered as the permission table says', async (role) => {
    const person = await app.enter();
    await database.asOwner('update profiles set role = $2 where id = $1', [person.userId, role]);
    const answer = await send(route, person, await row.prepare(world));
    const status = demanded(route, [role]);
    expect([answer.status, answer.text]).toEqual([
      status === 403 ? 403 : (row.succeeds ?? status),
      answer.text,
    ]);
    if (isDecision(route, answer)) expect(await eventsOf(answer)).toBeGreaterThan(0);
  });

  it('wants a token', async () => {
    expect((await send(route, app.anyone, await row.prepare(world))).status).toBe(401);
  });

  it.each(['read', 'write'] as const)(
    'lets an API token that may %s do no more than that',
    async (access) => {
      const person = await database.createUser();
      await database.asOwner("update profiles set role = 'admin' where id = $1", [person.userId]);
      const reason = refusalOf(route, access);
      const ofAll = await send(route, await tokenOf(person, access), await row.prepare(world));
      const success = row.succeeds ?? route.status ?? 200;
      expect([ofAll.status, ofAll.body]).toEqual(reason ? refused(reason) : [success, ofAll.body]);
      const bound = await send(route, await tokenOf(person, access, randomUUID()), await row.prepare(world));
      const permission = permissions.find(guardOf(route)?.permission ?? '');
      const isForAll = route.method === 'GET' && isForEveryRole(permission);
      const ofOne = reason ?? (isForAll ? undefined : 'token_of_one_workspace');
      expect([bound.status, bound.body]).toEqual(ofOne ? refused(ofOne) : [success, bound.body]);
    },
  );
});
