/** The closed catalogue of what the API answers besides success (contract §1). */
export const API_ERRORS = {
  BAD_REQUEST: 400,
  AUTHENTICATION_ERROR: 401,
  AUTHORIZATION_ERROR: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  STORAGE_FULL: 507,
} as const;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** One thing wrong with the input. */
export interface Issue {
  /** Where: `body.name`, `query.limit`. */
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

/** Thrown by services; answered as the error envelope. The message is for the caller and holds no document content. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ApiErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The same answer for an id that does not exist and for one that belongs to somebody else. */
export const notFound = (resource: string): ApiError => new ApiError('NOT_FOUND', `No such ${resource}.`);

/** 422 with one issue. */
export const invalid = (path: string, message: string, code = 'custom'): ApiError =>
  new ApiError('VALIDATION_ERROR', 'The request is not valid.', {
    issues: [{ path, message, code } satisfies Issue],
  });
