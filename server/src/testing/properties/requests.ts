import fc from 'fast-check';
import type { RequestParts } from '../isolation/row.js';
import type { Operation, Schema } from './description.js';

/** The words of a schema that decide what is made for it. */
interface Keywords {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
}

/** A request as it is sent: everything is text by then, except a body that is no text. */
export interface GeneratedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: boolean;
}

/** Values that have broken services before. */
const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  '',
  ' ',
  '0',
  '1e1',
  '\u0000',
  '\ud800',
  'ÄÖ😀',
  '%00',
  '../../etc/passwd',
  "'; drop table x; --",
  'x'.repeat(5000),
  [],
  [null],
  {},
  { a: { b: [] } },
  '__proto__',
  '9'.repeat(30),
];
const TEXT_JUNK = JUNK.filter((value) => typeof value === 'string');
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: 'application/xml' },
  { 'if-match': '"nothing"' },
  { 'if-match': '*' },
  { 'if-match': 'junk' },
  { 'if-none-match': '*' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'idempotency-key': ' ' },
  { 'x-request-id': 'x'.repeat(500) },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=latin1' },
  { authorization: 'Bearer x.y.z' },
  { authorization: 'Basic eDp5' },
  { range: 'bytes=5-1' },
];

/**
 * Requests for an operation around one that succeeds: fields of it, fields made from the schema, fields left out, and,
 * in half of them, one thing that is wrong.
 */
export function requestsFor(
  { params, query, body, takesForms }: Operation,
  base: RequestParts,
  resolve: (schema: Schema) => Schema,
): fc.Arbitrary<GeneratedRequest> {
  const ids = JSON.stringify(base).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  const values = valuesOf({ resolve, ids });
  const texts = (parameters: Operation['query'], known: Readonly<Record<string, string>>, usual: number) =>
    fc
      .record(
        Object.fromEntries(
          parameters.map(({ name, schema, required }) => {
            const made = values(schema).map(String);
            const value = known[name] === undefined ? made : mostly(known[name], made, usual);
            return [name, required ? value : fc.option(value, { nil: undefined, freq: 1 })];
          }),
        ),
      )
      .map(withoutUndefined) as fc.Arbitrary<Record<string, string>>;
  const right = fc.record({
    params: texts(params, base.params ?? {}, 12),
    query: texts(query, base.query ?? {}, 4),
    body: body ? bodyOf(resolve(body), base.body, values) : fc.constant(undefined),
    headers: fc.constant(base.headers ?? {}),
    form: takesForms ? fc.boolean() : fc.constant(false),
  }) as fc.Arbitrary<GeneratedRequest>;
  return fc.oneof(
    right,
    fc
      .tuple(right, fc.nat(), fc.constantFrom(...JUNK), fc.constantFrom(...TEXT_JUNK))
      .map(([request, choice, junk, text]) => spoil(request, { choice, junk, text: String(text) })),
  );
}

const mostly = <T>(value: T, other: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ arbitrary: fc.constant(value), weight }, { arbitrary: other, weight: 1 });

const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

type Values = (schema: Schema) => fc.Arbitrary<unknown>;

/** A body: what succeeds as it is, or field by field from it and from the schema. */
function bodyOf(schema: Schema, known: unknown, values: Values): fc.Arbitrary<unknown> {
  if (schema.type !== 'object' || !schema.properties || !isObject(known)) return values(schema);
  const required = new Set(schema.required as readonly string[] | undefined);
  const fields = Object.entries(schema.properties as Readonly<Record<string, Schema>>).map(
    ([name, field]) => {
      const made = values(field);
      if (known[name] !== undefined) return [name, mostly(known[name], made, 3)];
      return [name, required.has(name) ? made : fc.option(made, { nil: undefined, freq: 1 })];
    },
  );
  return mostly(known, fc.record(Object.fromEntries(fields)).map(withoutUndefined), 1);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that fit a schema, as far as generators can tell; whether one does is asked of the schema itself. */
function valuesOf({
  resolve,
  ids,
}: {
  readonly resolve: (schema: Schema) => Schema;
  readonly ids: readonly string[];
}): Values {
  const id = ids.length > 0 ? fc.oneof(fc.constantFrom(...ids), fc.uuid()) : fc.uuid();
  const values: Values = (referring) => {
    const schema = resolve(referring) as Keywords;
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(values));
    const types = [schema.type ?? 'any'].flat();
    return fc.oneof(...types.map((type) => ofType(schema, type, values)));
  };
  const ofType = (schema: Keywords, type: string, inner: Values) => {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
      case 'number':
        return numbersOf(schema);
      case 'array':
        return fc.array(inner(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 3),
        });
      case 'object':
        return objectsOf(schema, inner);
      case 'string':
        return schema.format === 'uuid' ? id : textsOf(schema);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  };
  return values;
}

/** Bounds and what lies between them. */
function numbersOf({ minimum = 0, maximum = 1_000_000 }: Keywords) {
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }),
  );
}

function objectsOf(schema: Keywords, values: Values): fc.Arbitrary<unknown> {
  const required = new Set(schema.required);
  const properties = Object.entries(schema.properties ?? {});
  const named = fc
    .record(
      Object.fromEntries(
        properties.map(([name, field]) => [
          name,
          required.has(name) ? values(field) : fc.option(values(field), { nil: undefined }),
        ]),
      ),
    )
    .map(withoutUndefined);
  if (!isObject(schema.additionalProperties)) return named;
  const keys = (schema.propertyNames ? values(schema.propertyNames) : fc.string({ maxLength: 8 })).map(
    String,
  );
  const more = fc.dictionary(keys, values(schema.additionalProperties), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(named, more).map(([one, other]) => ({ ...other, ...one }));
}

const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2026-01-31T09:30:00.000Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  date: ['2026-01-31', '2024-02-29', '0001-01-01', '9999-12-31'],
  email: ['jo@example.org', "o'neil+x@a-b.example.org"],
  uri: ['https://example.org/', 'http://127.0.0.1:1/x?y=z#a', 'ftp://example.org'],
  'uri-template': ['https://example.org/{CHECKOUT_SESSION_ID}', 'http://127.0.0.1/paid'],
};

function textsOf(schema: Keywords): fc.Arbitrary<string> {
  const samples = SAMPLES[schema.format ?? ''];
  if (samples) return fc.constantFrom(...samples);
  const { minLength = 0, maxLength = 200 } = schema;
  // A class of all but control characters is no restriction on what is made here.
  if (schema.pattern && !schema.pattern.startsWith('^[^'))
    return fc.stringMatching(new RegExp(schema.pattern));
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 40) };
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', ...length }),
    fc.string({ unit: 'grapheme', ...length }),
    fc.constant('x'.repeat(Math.min(maxLength, 20_000))),
  );
}

/** The request with one thing in it that is wrong, or may be. */
function spoil(
  request: GeneratedRequest,
  { choice, junk, text }: { readonly choice: number; readonly junk: unknown; readonly text: string },
): GeneratedRequest {
  const { params, query, body, headers } = request;
  const pick = (keys: readonly string[]) =>
    keys[Math.floor(choice / 10) % Math.max(keys.length, 1)] ?? 'unknown';
  const fields = isObject(body) ? Object.keys(body) : [];
  switch (choice % 10) {
    case 0:
      return Object.keys(params).length === 0
        ? { ...request, query: { ...query, unknown: text } }
        : { ...request, params: { ...params, [pick(Object.keys(params))]: text || ' ' } };
    case 1:
      return { ...request, query: { ...query, [pick(Object.keys(query))]: text } };
    case 2:
      return { ...request, query: { ...query, unknown: text } };
    case 3:
      return { ...request, headers: { ...headers, ...HEADERS[Math.floor(choice / 10) % HEADERS.length] } };
    case 4:
      return { ...request, body: junk, form: false };
    case 5:
      return { ...request, body: isObject(body) ? { ...body, unknown: junk } : junk };
    case 6: {
      if (!isObject(body)) return { ...request, body: junk, form: false };
      const { [pick(fields)]: _, ...rest } = body;
      return { ...request, body: rest };
    }
    default:
      return { ...request, body: isObject(body) ? { ...body, [pick(fields)]: junk } : body };
  }
}
