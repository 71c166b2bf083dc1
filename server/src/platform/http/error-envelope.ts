import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DatabaseUnavailable, TookTooLong } from '../database/errors.js';
import { isDiskFull } from '../disk-space.js';
import { describeError } from '../queue/describe-error.js';
import { Unavailable } from '../unavailable.js';
import { API_ERRORS, ApiError, type ApiErrorCode, type Issue } from './api-error.js';
import { languageOf } from './language.js';
import { errorIn } from './refusals.js';
import { PaymentRequired } from './subscription-gate.js';
import { InvalidRequest } from './validate-request.js';

/** The body of every error but 402. */
export const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]]),
      message: z.string(),
      details: z.record(z.string(), z.unknown()),
      timestamp: z.iso.datetime(),
      request_id: z.string(),
    }),
  })
  .meta({ id: 'Error', description: 'What every error but 402 looks like.' });

const OF_SUCCESS = ['location', 'etag', 'content-disposition', 'content-language'];
const JSON_TYPE = 'application/json; charset=utf-8';

/** Fastify's own errors that are the caller's: its code, ours, and what to do. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ApiErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is larger than this operation accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'UNSUPPORTED_MEDIA_TYPE',
    'This operation does not accept this content type.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BAD_REQUEST', 'The body does not have the announced length.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['BAD_REQUEST', 'The body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BAD_REQUEST', 'The body is empty.'],
  FST_ERR_BAD_URL: ['BAD_REQUEST', 'The path is not a valid URL path.'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND', 'There is nothing at this address.'],
};

/** The error as the API answers it: its own errors as they are, anything unexpected as an opaque 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable) {
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The service cannot reach its database at the moment. Try again.',
    );
  }
  if (error instanceof TookTooLong || isOutOfTime(error)) {
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'This took longer than it may, probably because something else is under way there. Try again.',
    );
  }
  if (isDiskFull(error)) {
    return new ApiError(
      'STORAGE_FULL',
      'The disk of the service is full. Nothing was kept. Tell the operator, and try again when there is room.',
    );
  }
  if (error instanceof Unavailable) {
    return new ApiError(
      'SERVICE_UNAVAILABLE',
      'The service cannot reach its storage of files at the moment. Try again.',
    );
  }
  if (error instanceof InvalidRequest) return validationError(error);
  const { code: said, statusCode } = error as Partial<FastifyError>;
  // Errors of others have numbers there.
  const code = typeof said === 'string' ? said : '';
  const known = FRAMEWORK_ERRORS[code];
  if (known) return new ApiError(...known);
  if (code.startsWith('FST_') && statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return fromStatus(statusCode);
  }
  return new ApiError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. The request id leads to the log entry.',
  );
}

/** What `AbortSignal.timeout` ends with: we wait for an answer of the engine only so long. */
const isOutOfTime = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

/** Answers an error; unexpected ones are logged with their stack, without words that may be somebody's. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // What a handler said of the answer that it did not get to.
  for (const name of OF_SUCCESS) reply.removeHeader(name);
  if (error instanceof PaymentRequired) {
    return reply
      .code(402)
      .type(JSON_TYPE)
      .send(JSON.stringify({ detail: error.message }));
  }
  const told = toApiError(error);
  const answer = told.code === 'UNSUPPORTED_MEDIA_TYPE' ? unsupported(request) : told;
  if (answer.code === 'INTERNAL_ERROR')
    request.log.error({ error: describeError(error) }, 'unexpected error');
  if (answer.code === 'STORAGE_FULL') request.log.error({ error: describeError(error) }, 'no room');
  if (answer.code === 'SERVICE_UNAVAILABLE') {
    request.log.warn({ error: describeError(error) }, 'unavailable');
    reply.header('retry-after', '1');
  }
  if (answer.code === 'RATE_LIMITED') reply.header('retry-after', String(answer.details.retry_after));
  if (answer.code === 'AUTHENTICATION_ERROR') reply.header('www-authenticate', challenge(answer));
  const language = languageOf(request.headers['accept-language']);
  return reply
    .code(API_ERRORS[answer.code])
    .type(JSON_TYPE)
    .send(JSON.stringify(envelope(errorIn(language, answer), request.id)));
}

/** The envelope of an error. */
export const envelope = (
  error: ApiError,
  requestId: string,
  now = new Date(),
): z.infer<typeof ErrorEnvelope> => ({
  error: {
    code: error.code,
    message: error.message,
    details: error.details,
    timestamp: now.toISOString(),
    request_id: requestId,
  },
});

/** RFC 6750: with a token that was refused the challenge says so. */
const challenge = (error: ApiError): string =>
  error.details.reason === 'missing_token' ? 'Bearer' : 'Bearer error="invalid_token"';

function validationError({ issues: found, validationContext = 'body' }: InvalidRequest): ApiError {
  const where = { body: 'body', querystring: 'query', params: 'path', headers: 'headers' } as const;
  const root = where[validationContext as keyof typeof where] ?? 'body';
  const issues = found.flatMap((issue): Issue[] => {
    const { code, message } = issue;
    const path = [root, ...issue.path.map(String)].join('.');
    if (code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: `${path}.${key}`, message, code }));
    return [{ path, message, code }];
  });
  return new ApiError('VALIDATION_ERROR', 'The request is not valid.', { issues });
}

/** 415, with what the operation takes. */
function unsupported({ routeOptions: { config } }: FastifyRequest): ApiError {
  const { route } = config;
  if (!route?.body && !route?.consumes)
    return new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This operation takes no body.', { accepted: [] });
  const accepted = ['application/json', ...(route.consumes ? [route.consumes] : [])];
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', `Send the body as ${accepted.join(' or ')}.`, { accepted });
}

function fromStatus(status: number): ApiError {
  const code = (Object.keys(API_ERRORS) as ApiErrorCode[]).find((name) => API_ERRORS[name] === status);
  return new ApiError(code ?? 'BAD_REQUEST', `${STATUS_CODES[status] ?? 'Bad Request'}.`);
}
