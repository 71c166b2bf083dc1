import { isForEveryRole, type PermissionTable } from '../../identity/permissions.js';
import { API_ERRORS, type ApiErrorCode } from '../api-error.js';
import { guardOf, type Route } from '../route.js';

/** What each error means, with an example message. */
const MEANINGS: Readonly<Record<ApiErrorCode, readonly [meaning: string, message: string, details: object]>> =
  {
    BAD_REQUEST: ['The request cannot be read.', 'The body is not valid JSON.', {}],
    AUTHENTICATION_ERROR: [
      'No access token, or one that is not accepted; `details.reason` says why: `missing_token`, `malformed_token`, ' +
        '`expired_token`, `token_not_yet_valid`, `invalid_signature`, `unknown_issuer`, `wrong_audience`, `revoked_session`, and for a ' +
        'sign-in `wrong_credentials`.',
      'The access token has expired.',
      { reason: 'expired_token' },
    ],
    AUTHORIZATION_ERROR: [
      'The role of the caller does not include this, or the API token does not.',
      'Your role does not include: make a workspace and own it.',
      { permission: 'workspaces.create' },
    ],
    NOT_FOUND: ['There is no such resource, or none that the caller may see.', 'No such workspace.', {}],
    METHOD_NOT_ALLOWED: [
      'The address does not take this method; `Allow` says which it takes.',
      'This address does not take PUT, but GET, HEAD, OPTIONS, POST.',
      { allowed: ['GET', 'HEAD', 'OPTIONS', 'POST'] },
    ],
    NOT_ACCEPTABLE: [
      'The operation answers in another media type than the caller accepts.',
      'This is an event stream: send the header Accept: text/event-stream.',
      {},
    ],
    CONFLICT: ['The state of the resource does not allow this.', 'The owner stays.', {}],
    PRECONDITION_FAILED: [
      'The resource is not as `If-Match` says.',
      'The resource has changed since it was read. Read it again and repeat the change with its new ETag.',
      {},
    ],
    PAYLOAD_TOO_LARGE: ['The body is too large.', 'The body is larger than this operation accepts.', {}],
    UNSUPPORTED_MEDIA_TYPE: [
      'The body has another content type than the operation accepts.',
      'Send the body as application/json.',
      { accepted: ['application/json'] },
    ],
    VALIDATION_ERROR: [
      'Parameters or body are not valid; `details.issues` says where and why.',
      'The request is not valid.',
      { issues: [{ path: 'query.limit', message: 'At most 100.', code: 'too_big' }] },
    ],
    RATE_LIMITED: [
      'Too many requests; `Retry-After` says when to go on.',
      'Too many requests. Try again in 1 s.',
      { retry_after: 1 },
    ],
    INTERNAL_ERROR: [
      'Something went wrong in the service; the request id leads to the log.',
      'Something went wrong on our side. The request id leads to the log entry.',
      {},
    ],
    SERVICE_UNAVAILABLE: [
      'The service cannot work at the moment; try again.',
      'The service cannot reach its database at the moment. Try again.',
      {},
    ],
    STORAGE_FULL: [
      'There is no room for what was sent, on the disk of the service, its database or its object storage. Nothing was kept.',
      'The disk of the service is full. Nothing was kept. Tell the operator, and try again when there is room.',
      {},
    ],
  };

function headersOf(code: ApiErrorCode | 'PAYMENT_REQUIRED'): Readonly<Record<string, unknown>> {
  const names = [
    ...['X-Request-Id', 'RateLimit-Policy', 'RateLimit'],
    ...(code === 'RATE_LIMITED' || code === 'SERVICE_UNAVAILABLE' ? ['Retry-After'] : []),
    ...(code === 'AUTHENTICATION_ERROR' ? ['WWW-Authenticate'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every error as a component of the API description. */
export function errorComponents(): Readonly<Record<string, unknown>> {
  // No described operation has a method that its address does not take.
  const { METHOD_NOT_ALLOWED: _, ...met } = MEANINGS;
  const entries = Object.entries(met).map(([code, [meaning, message, details]]) => [
    code,
    {
      description: meaning,
      headers: headersOf(code as ApiErrorCode),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          example: {
            error: {
              code,
              message,
              details,
              timestamp: '2026-01-31T09:30:00.000Z',
              request_id: '0b6d7a1e-54c2-4b89-9a53-2f1f0ed7b1c4',
            },
          },
        },
      },
    },
  ]);
  const paymentRequired = {
    description: 'An active subscription is needed. Only with `BILLING=on`.',
    headers: headersOf('PAYMENT_REQUIRED'),
    content: {
      'application/json': {
        schema: { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] },
        example: { detail: 'An active subscription is needed for this.' },
      },
    },
  };
  return { ...Object.fromEntries(entries), PAYMENT_REQUIRED: paymentRequired };
}

/** The error responses of one operation, by status: what follows from its definition and what it names itself. */
export function errorResponses(
  route: Route,
  permissions: PermissionTable,
): Readonly<Record<string, unknown>> {
  const guard = guardOf(route);
  // An address or header that cannot be read is refused before any route is asked.
  const codes = new Set<ApiErrorCode>([
    'BAD_REQUEST',
    'VALIDATION_ERROR',
    'INTERNAL_ERROR',
    ...(route.errors ?? []),
  ]);
  const isProbe = route.kind === 'plain' && route.probe === true;
  if (!isProbe) codes.add('RATE_LIMITED').add('SERVICE_UNAVAILABLE');
  if (guard) {
    codes.add('AUTHENTICATION_ERROR');
    const permission = permissions.find(guard.permission);
    // What every role may do, an API token may not when it only reads, or when it takes a person.
    const isForEveryToken = route.method === 'GET' && !permission.person && !route.person;
    if (!isForEveryRole(permission) || !isForEveryToken) codes.add('AUTHORIZATION_ERROR');
    if (typeof guard.within === 'function' || route.path.includes('/:')) codes.add('NOT_FOUND');
  }
  // Also where no body is expected: one may come.
  if (route.method !== 'GET') codes.add('PAYLOAD_TOO_LARGE');
  if (route.method !== 'GET' && !route.rawBody) codes.add('UNSUPPORTED_MEDIA_TYPE');
  if (route.method !== 'GET' && !isProbe) codes.add('STORAGE_FULL');
  if (route.kind !== 'read' && route.idempotent) codes.add('CONFLICT');
  if (route.etag && (route.method === 'PATCH' || route.method === 'DELETE')) codes.add('PRECONDITION_FAILED');

  const responses = [...codes].map((code) => [API_ERRORS[code] as number, reference(code)] as const);
  const isGated = guard !== undefined && route.gate !== 'open';
  if (isGated) responses.push([402, reference('PAYMENT_REQUIRED')]);
  return Object.fromEntries(responses.sort(([a], [b]) => a - b));
}

const reference = (name: string): { readonly $ref: string } => ({ $ref: `#/components/responses/${name}` });
