import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { describeError } from '../platform/queue/describe-error.js';

const notLogged = (): undefined => undefined;

/**
 * The log of a process: one JSON object a line. Messages of errors may repeat what was in a document, and addresses
 * and headers what a person searched for and their token; libraries log all of them. Where an error was thrown leads
 * to the cause without its words.
 */
export const createLog = (level: string, destination: DestinationStream = pino.destination(2)): Logger =>
  pino(
    {
      level,
      // `req` by Fastify, `busboyOptions` by its reader of forms at the level trace.
      serializers: { err: describeError, req: notLogged, busboyOptions: notLogged },
      hooks: {
        logMethod(given, log) {
          log.apply(this, withoutWordsOfErrors(given));
        },
      },
    },
    destination,
  );

/** Pino takes the message of an error that is logged alone as the text of the line; so do libraries. */
function withoutWordsOfErrors(given: Parameters<LogFn>): Parameters<LogFn> {
  const [about, text] = given as unknown as readonly [unknown, unknown];
  const error = about instanceof Error ? about : (about as { readonly err?: unknown } | null)?.err;
  if (!(error instanceof Error)) return given;
  const own = typeof text === 'string' && !text.includes(error.message) ? text : 'an error';
  return [about instanceof Error ? { err: error } : about, own] as unknown as Parameters<LogFn>;
}
