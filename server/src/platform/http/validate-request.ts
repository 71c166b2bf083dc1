import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';

/** What is wrong with a part of a request; `validationError` in `error-envelope.ts` makes the answer of it. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly issues: readonly z.core.$ZodIssue[];
  /** Set by the framework: which part of the request. */
  validationContext?: string;

  constructor(issues: readonly z.core.$ZodIssue[]) {
    super('The request is not valid.');
    this.issues = issues;
  }
}

/** Checks parts of requests by their schemas, and says what is wrong in words of ours. */
export const validateRequest: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (value) => {
    const checked = z.safeParse(schema, value, { error: wordsFor });
    return checked.success ? { value: checked.data } : { error: new InvalidRequest(checked.error.issues) };
  };

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  guid: 'a UUID, such as 0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  uuid: 'a UUID, such as 0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10',
  datetime: 'a moment by ISO 8601, such as 2026-01-31T09:30:00Z',
  date: 'a day by ISO 8601, such as 2026-01-31',
  email: 'an e-mail address',
  url: 'an address, such as https://example.org/',
};

/** A sentence for what schemas find, where they have none of their own. */
export function wordsFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Missing.';
      return `Should be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'too_big':
      return `${boundOf(issue.origin, 'At most', String(issue.maximum))}`;
    case 'too_small':
      return `${boundOf(issue.origin, 'At least', String(issue.minimum))}`;
    case 'invalid_value':
      return `Should be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'invalid_format':
      return FORMATS[issue.format]
        ? `Should be ${FORMATS[issue.format]}.`
        : `Has another form than is allowed${issue.pattern ? `: ${issue.pattern}` : ''}.`;
    case 'unrecognized_keys':
      return 'Unknown field.';
    case 'invalid_key':
      return 'This name is not allowed here.';
    case 'not_multiple_of':
      return `Should be a multiple of ${issue.divisor}.`;
    default:
      return 'Fits none of the forms that are allowed.';
  }
}

function boundOf(origin: string, words: string, bound: string): string {
  if (origin === 'string') return `${words} ${bound} characters.`;
  if (origin === 'array' || origin === 'set') return `${words} ${bound} entries.`;
  if (origin === 'object' || origin === 'record') return `${words} ${bound} fields.`;
  return `${words} ${bound}.`;
}
