import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeApi } from '../../openapi/describe.js';
import { eventsIn } from '../event-stream.js';

export type Schema = Readonly<Record<string, unknown>>;

interface Referring {
  readonly $ref?: string;
}
interface Parameter extends Referring {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Response extends Referring {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Described {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** An operation as the API description tells it, its references followed. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** Below `/api/v1`, parameters in braces. */
  readonly path: string;
  readonly params: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: Schema | undefined;
  /** Whether the body may be sent as a form. */
  readonly takesForms: boolean;
  /** Whether a request is as the description says. */
  fits(request: {
    readonly params: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  }): boolean;
  /** What of an answer is not in the description; empty when all is. */
  undocumented(answer: {
    readonly status: number;
    readonly headers: Headers;
    readonly text: string;
  }): readonly string[];
}

/** Headers that any HTTP server sends: protocol, caching, security of the browser. */
const COMMON_HEADERS =
  /^(access-control-.*|cache-control|connection|content-(length|type|disposition|encoding|security-policy)|cross-origin-.*|date|keep-alive|origin-agent-cluster|referrer-policy|strict-transport-security|transfer-encoding|vary|x-.*-options|x-(dns-prefetch-control|xss-protection|permitted-cross-domain-policies))$/;

/** Described headers that depend on more than the status. */
const SOMETIMES = new Set(['idempotency-replayed', 'ratelimit', 'retry-after', 'set-cookie']);

/** What the schema of a media type is about: the value, the text, or each event. */
function valuesIn(type: string, text: string): readonly unknown[] {
  if (type.endsWith('json')) return [JSON.parse(text)];
  return type === 'text/event-stream' ? eventsIn(text) : [text];
}

/** Every operation of the description, and the way to follow a reference in it. */
export function describedOperations(): {
  readonly operations: readonly Operation[];
  resolve(schema: Schema): Schema;
} {
  const document = JSON.parse(describeApi());
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat('password', true);
  ajv.addSchema({ ...document, $id: 'api' });
  const resolve = <Thing extends object>(thing: Thing): Thing => {
    const { $ref } = thing as Referring;
    if (!$ref) return thing;
    const steps = $ref.slice(2).split('/');
    return steps.reduce((inner, step) => inner[step], document);
  };
  const validator = (schema: Schema): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')));

  const operations = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, described]) =>
        operationOf({ path, method, described, resolve, validator }),
      ),
  );
  return { operations, resolve };
}

function operationOf({
  path,
  method,
  described,
  resolve,
  validator,
}: {
  readonly path: string;
  readonly method: string;
  readonly described: Described;
  readonly resolve: <Thing extends object>(thing: Thing) => Thing;
  readonly validator: (schema: Schema) => ValidateFunction;
}): Operation {
  const parameters = described.parameters.map(resolve);
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const [params, query] = [inPlace('path'), inPlace('query')];
  const content = described.requestBody?.content ?? {};
  const body = content['application/json']?.schema;
  const isValid = {
    params: validator(objectOf(params)),
    query: validator(objectOf(query)),
    body: body ? validator(body) : undefined,
  };
  const responses = Object.fromEntries(
    Object.entries(described.responses).map(([status, response]) => {
      const { headers = {}, content: types } = resolve(response);
      const validators = Object.entries(types ?? {}).map(
        ([type, { schema }]) => [type, validator(schema)] as const,
      );
      const names = Object.keys(headers).map((name) => name.toLowerCase());
      return [Number(status), { names, validators: new Map(validators) }];
    }),
  );
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    params,
    query,
    body,
    takesForms: 'multipart/form-data' in content,
    fits: (request) =>
      isValid.params(asTyped(request.params, params)) &&
      isValid.query(asTyped(request.query, query)) &&
      (isValid.body?.(request.body) ?? true),
    undocumented: ({ status, headers, text }) => {
      const response = responses[status];
      if (!response) return [`status ${status}`];
      const surplus = [...headers.keys()]
        .filter((name) => !COMMON_HEADERS.test(name) && !response.names.includes(name))
        .map((name) => `header ${name} of ${status}`);
      const missing = response.names
        .filter((name) => !headers.has(name) && !SOMETIMES.has(name))
        .map((name) => `no header ${name} of ${status}`);
      const found = [...surplus, ...missing];
      if (text === '') return found;
      const type = headers.get('content-type')?.split(';')[0] ?? '';
      const fits = response.validators.get(type);
      if (!fits) return [...found, `content type ${type} of ${status}`];
      const problems = valuesIn(type, text).flatMap((value) => (fits(value) ? [] : (fits.errors ?? [])));
      return [
        ...found,
        ...problems.map(({ instancePath, message }) => `${status} ${instancePath} ${message}`),
      ];
    },
  };
}

const objectOf = (parameters: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});

/** Texts of a path or query as what they stand for: digits for a whole number, words for a list. */
const asTyped = (texts: Readonly<Record<string, unknown>>, parameters: readonly Parameter[]) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, value]) => {
      const { type } = parameters.find((one) => one.name === name)?.schema ?? {};
      if (typeof value !== 'string') return [name, value];
      if (type === 'integer' && /^-?\d+$/.test(value)) return [name, Number(value)];
      if (type === 'boolean' && /^(true|false)$/.test(value)) return [name, value === 'true'];
      return [name, type === 'array' ? value.split(',') : value];
    }),
  );
