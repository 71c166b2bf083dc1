import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardOf } from '../platform/http/route.js';
import { routes } from '../routes.js';
import { describeApi } from './describe.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters: readonly {
    readonly name?: string;
    readonly schema?: object;
    readonly $ref?: string;
  }[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

const document = JSON.parse(describeApi()) as {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.values(item).map((operation) => ({ ...operation, path })),
);

describe('the API description', () => {
  it('names every route once, and is the same every time', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      routes.map(({ operation }) => operation).sort(),
    );
    expect(describeApi()).toBe(describeApi());
  });

  it('has no reference that leads nowhere', () => {
    const references = [...new Set(describeApi().match(/#\/components\/[^"]+/g))];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const [, , section = '', name = ''] = reference.split('/');
      expect(document.components[section]?.[name], reference).toBeDefined();
    }
  });

  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s says what it does and how it fails',
    (_id, { path, ...operation }) => {
      expect(operation.summary.length).toBeGreaterThan(5);
      expect(operation.description).toMatch(/\.$|\)\.$/);
      expect(operation.tags.length).toBe(1);
      const statuses = Object.keys(operation.responses).map(Number);
      const isOpen = operation.security?.length === 0;
      expect(statuses).toEqual(expect.arrayContaining([422, 500]));
      expect(statuses.includes(401) || isOpen).toBe(true);
      expect(statuses.includes(404) || !path.includes('{'), 'an id may be unknown').toBe(true);
      expect(statuses.some((status) => status < 300)).toBe(true);
      for (const parameter of operation.parameters) {
        // An empty schema would take anything.
        if (!parameter.$ref)
          expect(Object.keys(parameter.schema ?? {}), parameter.name ?? '').not.toEqual([]);
      }
    },
  );

  it.each(routes.map((route) => [route.operation, route] as const))(
    '%s has examples that are right',
    (_operation, route) => {
      const { params, query, body, answer } = route.examples;
      if (route.params) z.parse(route.params, params);
      if (route.query && query)
        z.parse(route.query, Object.fromEntries(Object.entries(query).map(([k, v]) => [k, String(v)])));
      if (route.body) {
        expect(body).toBeDefined();
        z.parse(route.body, body);
      }
      if (route.answer && answer !== undefined) expect(z.encode(route.answer, answer)).toEqual(answer);
      if (route.answer) expect(answer).toBeDefined();
    },
  );

  it.each(
    routes
      .filter((route) => route.method === 'POST' && route.status === 201)
      .map((route) => [route.operation, route] as const),
  )('%s, which creates, honours an idempotency key', (_operation, route) => {
    // Without a user there is nobody to keep the key for.
    expect(guardOf(route) === undefined || (route.kind === 'write' && route.idempotent === true)).toBe(true);
  });
});
