import { isResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { z } from 'zod';

type Compile = typeof serializerCompiler;

/**
 * Writes answers as their schemas say. An item of a list that does not fit its schema – a row that nobody should have been
 * able to store – is left out and named in the log by its id, so that it never takes the other items along. Anything else
 * that does not fit is an error of ours (500).
 */
export const serializer =
  (log: Pick<Logger, 'error'>): Compile =>
  (route) => {
    const serialize = compile(route);
    return (answer: unknown) => {
      try {
        return serialize(answer);
      } catch (error) {
        const list = isResponseSerializationError(error) ? listIn(answer) : undefined;
        if (!list) throw error;
        const items = list.items.filter((item) => {
          try {
            serialize({ ...list, items: [item] });
            return true;
          } catch {
            const { id } = (item ?? {}) as { readonly id?: unknown };
            log.error(
              { route: route.url, id: typeof id === 'string' ? id : null },
              'a row does not fit its schema',
            );
            return false;
          }
        });
        if (items.length === list.items.length) throw error;
        return serialize({ ...list, items });
      }
    };
  };

/**
 * The library writes by `encode`, which looks at each level that has a check of its own twice, and so at what is deep in it
 * many times. What is the same read or written is read: one look, with the same checks and the same bytes.
 */
const compile: Compile = (route) => {
  const encode = serializerCompiler(route);
  const { schema } = route;
  if (!(schema instanceof z.ZodType) || !isSameBothWays(schema)) return encode;
  return (answer: unknown) => {
    const read = schema.safeParse(answer);
    // What does not fit is told by the library.
    return read.success ? JSON.stringify(read.data) : encode(answer);
  };
};

/** Types that turn no value into another one, whichever way. */
const UNTURNED = new Set(
  (
    'string number int boolean null undefined any unknown never literal enum array tuple object record union ' +
    'intersection optional nullable lazy'
  ).split(' '),
);

/** Whether nothing in a schema reads another value than it writes. */
export function isSameBothWays(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const { def } = schema._zod as { readonly def: { readonly type: string; readonly coerce?: boolean } };
  if (!UNTURNED.has(def.type) || def.coerce === true) return false;
  return innerTypes(schema._zod.def).every((inner) => isSameBothWays(inner, seen));
}

/** Schemas that stand in a definition, in its lists and in its shape; of a lazy one that which it is of. */
function innerTypes(def: object): readonly z.core.$ZodType[] {
  const values = Object.values(def).flatMap((value: unknown) => {
    if (value instanceof z.core.$ZodType || Array.isArray(value)) return value;
    return typeof value === 'object' && value !== null ? Object.values(value) : [];
  });
  const lazy = 'getter' in def && typeof def.getter === 'function' ? [def.getter()] : [];
  return [...values, ...lazy].filter((value) => value instanceof z.core.$ZodType);
}

function listIn(answer: unknown): { readonly items: readonly unknown[] } | undefined {
  const isList =
    typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items);
  return isList ? (answer as { readonly items: readonly unknown[] }) : undefined;
}
