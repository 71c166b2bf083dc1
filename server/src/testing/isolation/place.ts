import { randomUUID } from 'node:crypto';
import type { Route } from '../../platform/http/route.js';
import { createApiToken } from '../../platform/identity/api-tokens.js';
import type { Answer, Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';
import { ACTORS, type Actor, type Place, type RequestParts } from './row.js';

/** Who comes with the cookie of a browser; the others with a token. What is answered is the same. */
const IN_BROWSER: readonly Actor[] = ['viewer', 'manager'];

/** Somebody for every role. */
export const groupOf = async (app: TestApp): Promise<Readonly<Record<Actor, Client>>> =>
  Object.fromEntries(
    await Promise.all(
      ACTORS.map(
        async (actor) =>
          [actor, await (IN_BROWSER.includes(actor) ? app.signUpInBrowser() : app.signUp())] as const,
      ),
    ),
  ) as Record<Actor, Client>;

/** A new workspace with these members. */
export async function placeOf(
  database: TestDatabase,
  members: Readonly<Record<Actor, Client>>,
): Promise<Place> {
  const workspaceId = randomUUID();
  await database.asOwner(
    `with made as (insert into workspaces (id, name, owner_id) values ($1, 'Place', $2) returning id)
     insert into workspace_members (workspace_id, user_id, role)
     select made.id, member.id, member.role
     from made, unnest($3::uuid[], $4::text[]) as member (id, role)`,
    [
      workspaceId,
      members.owner.userId,
      ACTORS.map((actor) => members[actor].userId),
      ACTORS.map((actor) => (actor === 'owner' ? 'admin' : actor)),
    ],
  );
  return { workspaceId, owner: members.owner, members };
}

/** Lets somebody into a place as a guest, of all of it where no other scope is said; without `userId` nobody has come yet. */
export async function guestOf(
  database: TestDatabase,
  { workspaceId, owner }: Pick<Place, 'workspaceId' | 'owner'>,
  about: {
    readonly userId?: string;
    readonly scope?: 'workspace' | 'analysis' | 'report';
    readonly targetId?: string;
  },
): Promise<string> {
  const id = randomUUID();
  await database.asOwner(
    `insert into guests (workspace_id, id, email, scope, target_id, invited_by, expires_at, user_id, entered_at)
     values ($1, $2, 'guest@example.org', $3, $4, $5, now() + interval '1 day', $6, case when $6::uuid is not null then now() end)`,
    [workspaceId, id, about.scope ?? 'workspace', about.targetId ?? null, owner.userId, about.userId ?? null],
  );
  return id;
}

/** An API token of the user; of one workspace when one is named. */
export async function apiTokenOf(
  { database, app }: { readonly database: TestDatabase; readonly app: TestApp },
  user: Pick<Client, 'userId'>,
  about: { readonly access: 'read' | 'write'; readonly workspaceId?: string },
): Promise<Client> {
  const { token, prefix, hash } = createApiToken();
  await database.asOwner(
    `insert into api_tokens (user_id, name, prefix, token_hash, access, bound_to, expires_at)
     values ($1, 'Test', $2, $3, $4, $5, now() + interval '1 day')`,
    [user.userId, prefix, hash, about.access, about.workspaceId ?? null],
  );
  return app.withToken(token);
}

/** Sends a request of a row. */
export function send(
  route: Pick<Route, 'method' | 'path'>,
  client: Client,
  { params = {}, query, body, headers = {} }: RequestParts,
): Promise<Answer> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return client.request(route.method, `/api/v1${path}${search}`, { body, headers });
}
