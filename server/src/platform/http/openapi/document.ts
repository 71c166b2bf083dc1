import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { PermissionTable } from '../../identity/permissions.js';
import { ErrorEnvelope } from '../error-envelope.js';
import { LANGUAGES } from '../language.js';
import { guardOf, type Route } from '../route.js';
import { errorComponents, errorResponses } from './error-responses.js';
import { createSchemaWriter, type SchemaWriter } from './json-schemas.js';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentParts {
  readonly routes: readonly Route[];
  readonly permissions: PermissionTable;
  readonly version: string;
  /** One sentence per group, in the order in which they are shown. */
  readonly tags: Readonly<Record<string, string>>;
  /** What the service sends, by the name of the event. */
  readonly webhooks: Readonly<Record<string, DescribedWebhook>>;
  /** Puts a sentence to every property and parameter that has none of its own. */
  readonly describe: (document: Json) => Json;
}

/** A request that the service makes to an address of somebody else. */
export interface DescribedWebhook {
  readonly summary: string;
  readonly description: string;
  readonly body: z.ZodType;
  readonly example: unknown;
}

/** From nothing to the first gap: commands that a test runs as they stand here. */
const QUICKSTART = readFileSync(new URL('../../../../data/quickstart.sh', import.meta.url), 'utf8');

const DESCRIPTION = `Compliance analysis of engineering documents against functional-safety, ASPICE and cybersecurity standards.

Every error but 402 is the envelope \`{error: {code, message, details, timestamp, request_id}}\`. Lists are pages of
\`{items, total, page, limit, next_cursor}\`, newest first: send \`next_cursor\` as \`cursor\` to go on. Where a list takes
\`sort\` and \`updated_since\`, \`sort=updated_at&updated_since=…\` brings what changed; filters take several values separated
by commas. No answer of the API may be kept by a cache (\`Cache-Control: no-store\`) unless it says so; a client that keeps one itself asks with
its \`ETag\` in \`If-None-Match\` whether it is still right. Sentences of findings, verdicts and notes are in English or German, as
\`Accept-Language\` asks; \`Content-Language\` says which, and the tag of an answer is that of its language. Errors are English. A method that an address does not have is 405 with \`Allow\`. A resource that the caller may not see answers 404 like one that does not exist. Within this version only additions happen; a field
on its way out is announced with the headers \`Deprecation\` and \`Sunset\`.

## From nothing to the first gap

\`\`\`sh
${QUICKSTART}\`\`\``;

/** The OpenAPI 3.1 description of the routes. The same routes always give the same text. */
export function openApiDocument({
  routes,
  permissions,
  version,
  tags,
  webhooks,
  describe,
}: DocumentParts): Json {
  const writer = createSchemaWriter();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, writer, permissions) };
  }
  writer.output(ErrorEnvelope);
  const events = Object.entries(webhooks).map(([name, event]) => [name, webhook(name, event, writer)]);
  return describe({
    openapi: '3.1.0',
    info: {
      title: 'Normtrace',
      version,
      summary: 'Compliance analysis of engineering documents',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    tags: tagsOf(routes, tags),
    security: [{ bearer: [] }, { cookie: [] }],
    paths,
    webhooks: Object.fromEntries(events),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The access token of a session (a JWT), or an API token (`ntk_…`) where no person is needed.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-normtrace',
          description:
            'The session of a browser; `normtrace` where the service is reached over plain HTTP. What changes something is ' +
            'taken from pages of the service itself only (403 `cross_site_request`).',
        },
      },
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: errorComponents(),
      schemas: writer.components(),
    },
  });
}

const header = (description: string, schema: Json): Json => ({ description, schema });

const HEADERS = {
  'X-Request-Id': header('Name of this request in the log; a caller’s own is kept.', { type: 'string' }),
  'Retry-After': header('Seconds to wait.', { type: 'integer' }),
  'WWW-Authenticate': header('`Bearer`, and whether a token was refused.', { type: 'string' }),
  ETag: header('Tag of the resource as it is answered.', { type: 'string' }),
  'Content-Language': header('Language of the sentences in the answer.', { type: 'string', enum: LANGUAGES }),
  Vary: header('Headers of the request that the answer depends on.', { type: 'string' }),
  'Set-Cookie': header('The session of a browser, set or taken away.', { type: 'string' }),
  Location: header('Where the resource is.', { type: 'string' }),
  'Idempotency-Replayed': header('`true` when the answer was remembered.', { type: 'string' }),
  'RateLimit-Policy': header('Size and window of the bucket.', { type: 'string' }),
  RateLimit: header('What is left of it.', { type: 'string' }),
} as const;

const PARAMETERS = {
  'Accept-Language': {
    name: 'Accept-Language',
    in: 'header',
    description:
      'Language of the sentences of findings, verdicts and notes: `en` or `de`, English where neither is named. Words of ' +
      'documents and standards stay as they are; filters, sorting and search go by the English sentences.',
    schema: { type: 'string' },
    example: 'de',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'The same key and body within 24 hours get the first answer again instead of a second effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5a5c1e2e-7f0e-4c57-b7a5-0d8a6f7f4f3b',
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description: 'ETag of the resource as the caller knows it; 412 when it has changed since.',
    schema: { type: 'string' },
    example: '"qUiQTy8PR5uPgZdpSzAYSw"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag that the caller has; 304 when it is still that.',
    schema: { type: 'string' },
    example: '"qUiQTy8PR5uPgZdpSzAYSw"',
  },
} as const;

/** By the specification Standard Webhooks. */
const WEBHOOK_PARAMETERS = [
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'Id of the delivery, the same at every attempt.',
    schema: { type: 'string' },
    example: '5a5c1e2e-7f0e-4c57-b7a5-0d8a6f7f4f3b',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'string' },
    example: '1769851800',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description:
      'HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` with the secret, as `v1,<base64>`; one for each ' +
      'secret that is valid, separated by blanks.',
    schema: { type: 'string' },
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
] as const;

function operation(route: Route, writer: SchemaWriter, permissions: PermissionTable): Json {
  const guard = guardOf(route);
  const permission = guard && permissions.find(guard.permission);
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: permission
      ? `${route.description}\n\nPermission: \`${permission.id}\` (${permission.description.toLowerCase()}).`
      : route.description,
    ...(guard ? {} : { security: [] }),
    parameters: parameters(route, writer),
    ...requestBody(route, writer),
    responses: { ...success(route, writer), ...errorResponses(route, permissions) },
  };
}

function parameters(route: Route, writer: SchemaWriter): Json[] {
  const named = (schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] => {
    if (!schema) return [];
    const { properties = {}, required = [] } = writer.input(schema) as {
      properties?: Record<string, Json>;
      required?: readonly string[];
    };
    const examples = place === 'path' ? route.examples.params : route.examples.query;
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description ? { description } : {}),
      schema,
      // As it is written in our examples; repeating the parameter means the same.
      ...(isOfSeveral(schema) ? { style: 'form', explode: false } : {}),
      ...(examples?.[name] === undefined ? {} : { example: asTyped(examples[name], schema) }),
    }));
  };
  const reference = (name: keyof typeof PARAMETERS): Json => ({ $ref: `#/components/parameters/${name}` });
  return [
    ...named(route.params, 'path'),
    ...named(route.query, 'query'),
    ...(route.kind !== 'read' && route.idempotent ? [reference('Idempotency-Key')] : []),
    ...(route.worded ? [reference('Accept-Language')] : []),
    ...(route.etag && route.method === 'GET' ? [reference('If-None-Match')] : []),
    ...(route.etag && (route.method === 'PATCH' || route.method === 'DELETE') ? [reference('If-Match')] : []),
  ];
}

/** The text of an example as what it stands for. */
function asTyped(example: string | number, { type }: Json): unknown {
  if (type === 'boolean') return example === 'true';
  if (type === 'integer') return Number(example);
  return type === 'array' ? String(example).split(',') : example;
}

function requestBody(route: Route, writer: SchemaWriter): Json {
  if (!route.body) return {};
  const media = {
    schema: writer.input(route.body),
    ...(route.examples.body === undefined ? {} : { example: route.examples.body }),
  };
  // What may be sent as a form may be sent as JSON too.
  // JSON first: generators that make one function for both take the first, or let the last one win.
  const types = ['application/json', ...(route.consumes ? [route.consumes] : [])];
  const content = Object.fromEntries(types.map((type) => [type, media]));
  return { requestBody: { required: true, content } };
}

function success(route: Route, writer: SchemaWriter): Json {
  const status = route.status ?? 200;
  const isSingle = route.etag && status !== 204;
  const names: (keyof typeof HEADERS)[] = [
    'X-Request-Id',
    'RateLimit-Policy',
    'RateLimit',
    ...(isSingle ? (['ETag'] as const) : []),
    ...(route.worded ? (['Content-Language', 'Vary'] as const) : []),
    ...(route.cookie ? (['Set-Cookie'] as const) : []),
    ...(status === 201 || status === 202 ? (['Location'] as const) : []),
    ...(route.kind !== 'read' && route.idempotent ? (['Idempotency-Replayed'] as const) : []),
  ];
  const content = route.answer
    ? { 'application/json': { schema: writer.output(route.answer), example: route.examples.answer } }
    : route.produces
      ? Object.fromEntries(
          Object.entries(route.produces).map(([type, schema]) => [type, { schema: fileOf(schema, writer) }]),
        )
      : undefined;
  return {
    [status]: {
      description: STATUS_CODES[status],
      headers: headersNamed(names),
      ...(content ? { content } : {}),
    },
    ...(route.etag && route.method === 'GET'
      ? {
          304: {
            description: 'Not Modified',
            headers: headersNamed([
              'X-Request-Id',
              'RateLimit-Policy',
              'RateLimit',
              'ETag',
              ...(route.worded ? (['Content-Language', 'Vary'] as const) : []),
            ]),
          },
        }
      : {}),
    ...Object.fromEntries(
      Object.entries(route.otherAnswers ?? {}).map(([other, schema]) => [
        other,
        {
          description: STATUS_CODES[other],
          content: { 'application/json': { schema: writer.output(schema) } },
        },
      ]),
    ),
  };
}

const fileOf = (schema: z.ZodType | 'text' | 'bytes', writer: SchemaWriter): Json => {
  if (schema === 'bytes') return { type: 'string', format: 'binary' };
  return schema === 'text' ? { type: 'string' } : writer.output(schema);
};

/** What a receiver of events has to take, and how it knows that they come from here. */
function webhook(
  name: string,
  { summary, description, body, example }: DescribedWebhook,
  writer: SchemaWriter,
): Json {
  return {
    post: {
      operationId: name.replaceAll(/[._](.)/g, (_, first) => first.toUpperCase()),
      tags: ['Webhooks'],
      summary,
      description,
      security: [],
      parameters: WEBHOOK_PARAMETERS,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: writer.output(body), example } },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        410: { description: 'The webhook is switched off.' },
        default: { description: 'Tried again, ten times over three days.' },
      },
    },
  };
}

const headersNamed = (names: readonly (keyof typeof HEADERS)[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

function tagsOf(routes: readonly Route[], tags: Readonly<Record<string, string>>): Json[] {
  const used = [...new Set(routes.map(({ tag }) => tag))];
  for (const tag of used) if (!(tag in tags)) throw new Error(`The group "${tag}" has no description.`);
  return Object.entries(tags)
    .filter(([name]) => used.includes(name))
    .map(([name, description]) => ({ name, description }));
}

/** Whether several values can be named, separated by commas. */
const isOfSeveral = ({ type, anyOf = [] }: Json): boolean =>
  type === 'array' || (anyOf as readonly Json[]).some((one) => one.type === 'array');
