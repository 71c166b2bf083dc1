import { isResponseSerializationError, serializerCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';

type Compile = typeof serializerCompiler;

/**
 * Writes answers as their schemas say. An item of a list that does not fit its schema – a row that nobody should have been
 * able to store – is left out and named in the log by its id, so that it never takes the other items along. Anything else
 * that does not fit is an error of ours (500).
 */
export const serializer =
  (log: Pick<Logger, 'error'>): Compile =>
  (route) => {
    const serialize = serializerCompiler(route);
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

function listIn(answer: unknown): { readonly items: readonly unknown[] } | undefined {
  const isList =
    typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items);
  return isList ? (answer as { readonly items: readonly unknown[] }) : undefined;
}
