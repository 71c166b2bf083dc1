import createClient from 'openapi-fetch';
import { look } from '../look/look.ts';
import { fetchOnce } from './asked-early.ts';
import type { components, paths } from './schema.d.ts';

/** Types of the API: `Api['Gap']`. */
export type Api = components['schemas'];

/** An answer that is none: what was refused, and why in words. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** Seconds after which to ask again, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, answer: Partial<Api['Error']['error']>, retryAfter?: number) {
    super(sentenceOf(answer));
    this.status = status;
    this.code = answer.code ?? (status === 0 ? 'NO_ANSWER' : 'UNKNOWN');
    this.requestId = answer.request_id;
    this.details = answer.details ?? {};
    this.retryAfter = retryAfter;
  }
}

function sentenceOf({ message = '', details }: Partial<Api['Error']['error']>): string {
  const issues = (details?.issues ?? []) as readonly { readonly path: string; readonly message: string }[];
  if (!Array.isArray(issues) || issues.length === 0) return message;
  // A field of a form has a name; what stands in an address has none that somebody on a page would know.
  return issues
    .map(({ path, message: said }) =>
      /^(query|params|path)\./.test(path) ? said : `${path.replace(/^body\./, '')}: ${said}`,
    )
    .join(' ');
}

/** The operations of the service, typed by its own description. The session is in a cookie that no script can read. */
export const api = createClient<paths>({
  baseUrl: '/api/v1',
  fetch: fetchOnce,
  querySerializer: { array: { style: 'form', explode: false } },
});
api.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', look().language);
    return request;
  },
});

interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer; throws `ApiFailure` for every other one, with status 0 when the service does not answer. */
export async function take<Data>(asked: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiFailure(0, {});
  });
  if (response.ok) return data as Data;
  const body = error as
    | { readonly error?: Partial<Api['Error']['error']>; readonly detail?: string }
    | undefined;
  // 402 is the only answer with a sentence alone.
  const told = body?.error ?? (body?.detail === undefined ? undefined : { message: body.detail });
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new ApiFailure(response.status, told ?? {}, Number.isFinite(retryAfter) ? retryAfter : undefined);
}

/** As `take`, with the tag that names this state of the resource: sent back as `If-Match` it keeps the changes of others. */
export async function takeTagged<Data>(
  asked: Promise<Answered<Data>>,
): Promise<{ readonly data: Data; readonly tag: string }> {
  let tag = '';
  const data = await take(
    asked.then((answer) => {
      tag = answer.response.headers.get('ETag') ?? '';
      return answer;
    }),
  );
  return { data, tag };
}
