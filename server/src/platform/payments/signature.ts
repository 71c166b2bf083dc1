import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds between the signature and its arrival, in either direction: clocks differ, and repetitions are refused. */
export const TOLERANCE_SECONDS = 300;

/** What is wrong with a signature. */
export type SignatureProblem =
  | 'missing_signature'
  | 'malformed_signature'
  | 'timestamp_outside_tolerance'
  | 'invalid_signature';

const MAX_SIGNATURES = 16;
const HEX = /^[0-9a-f]{64}$/;

/** The header for a body: `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. */
export const signPayload = (body: Buffer | string, secret: string, seconds: number): string =>
  `t=${seconds},v1=${digest(body, secret, String(seconds)).toString('hex')}`;

/**
 * Checks the header against the bytes of the body as they arrived. Any of the secrets may have signed, and the header
 * may carry several `v1`, for the time in which a secret is changed. Undefined: it is right.
 */
export function findSignatureProblem(
  header: string | undefined,
  body: Buffer,
  { secrets, now }: { readonly secrets: readonly string[]; readonly now: Date },
): SignatureProblem | undefined {
  if (header === undefined || header === '') return 'missing_signature';
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string): string[] =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time, another] = valuesOf('t');
  const given = valuesOf('v1');
  const isMalformed =
    time === undefined ||
    another !== undefined ||
    !/^\d{1,12}$/.test(time) ||
    given.length === 0 ||
    given.length > MAX_SIGNATURES ||
    !given.every((value) => HEX.test(value));
  if (isMalformed) return 'malformed_signature';

  let isRight = false;
  for (const secret of secrets) {
    const expected = digest(body, secret, time);
    // All are compared, so that the time taken does not tell which one was nearest.
    for (const value of given) isRight = timingSafeEqual(expected, Buffer.from(value, 'hex')) || isRight;
  }
  if (!isRight) return 'invalid_signature';
  const age = Math.abs(Math.floor(now.getTime() / 1000) - Number(time));
  return age > TOLERANCE_SECONDS ? 'timestamp_outside_tolerance' : undefined;
}

const digest = (body: Buffer | string, secret: string, time: string): Buffer =>
  createHmac('sha256', secret).update(`${time}.`).update(body).digest();
