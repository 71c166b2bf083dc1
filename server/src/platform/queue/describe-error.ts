/** What a log may say about an error whose text may hold content of a document. */
export interface ErrorDescription {
  readonly type: string;
  /** SQLSTATE or the code of Node.js, where there is one. */
  readonly code?: string;
  /** Where it was thrown: the frames of the stack, without the message above them. */
  readonly stack: string;
  readonly cause?: ErrorDescription;
}

const CODE = /^[A-Za-z0-9_]{1,60}$/;
const CAUSES = 5;

/**
 * An error without its words: PostgreSQL and parsers repeat values in messages and details. Type, code and frames
 * lead to the place; the ids beside them lead to the row.
 */
export function describeError(error: unknown, causes = CAUSES): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, stack: '' };
  const { code } = error as { code?: unknown };
  // A message may have lines that look like frames: it is cut off first, where the stack repeats it.
  const stack = error.stack ?? '';
  const message = stack.indexOf(error.message);
  const frames = message < 0 ? '' : stack.slice(message + error.message.length);
  return {
    type: error.constructor.name,
    ...(typeof code === 'string' && CODE.test(code) ? { code } : {}),
    stack: frames
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  };
}
