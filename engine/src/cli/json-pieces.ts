/** Down to this depth lists and objects are written part by part: each entry of the lists of a result is one piece. */
const DEEPEST = 2;

/**
 * What `JSON.stringify(value, null, 2)` gives, in pieces: no text of the whole is ever made. For results of the engine:
 * plain objects and lists.
 */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  const indent = '  '.repeat(depth);
  const inner = `\n${indent}  `;
  if (Array.isArray(value) && value.length > 0 && depth < DEEPEST) {
    for (const [at, element] of value.entries()) {
      yield `${at === 0 ? '[' : ','}${inner}`;
      yield* jsonPieces(element === undefined ? null : element, depth + 1);
    }
    yield `\n${indent}]`;
    return;
  }
  const parts =
    isPlain(value) && depth < DEEPEST ? Object.entries(value).filter(([, part]) => part !== undefined) : [];
  if (parts.length === 0) {
    yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  for (const [at, [key, part]] of parts.entries()) {
    yield `${at === 0 ? '{' : ','}${inner}${JSON.stringify(key)}: `;
    yield* jsonPieces(part, depth + 1);
  }
  yield `\n${indent}}`;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}
