import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.js';
import { jsonPieces } from './json-pieces.js';
import type { Output } from './terminal.js';

/** The value of an option that allows few. Throws `CommandError` with the allowed ones. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new CommandError(`${option} ${value} is not known.`, `Use ${allowed.join(', ')}.`);
  return found;
}

/** What is written: printed for a person, or a value as JSON. */
export type Result = { print(target: Output): void } | { readonly json: unknown };

/** Characters that are written at a time. */
const BATCH = 1 << 16;

/**
 * Writes a result to the terminal, or to a file; resolves to the file's name. JSON goes out piece by piece, as fast as it is
 * taken. Throws `CommandError` where the file cannot be written.
 */
export async function writeOutput(
  { out, outputFile }: { readonly out: Output; readonly outputFile: string | undefined },
  result: Result,
): Promise<string | undefined> {
  if (outputFile === undefined) {
    if ('print' in result) inBatches(out, result);
    else for (const batch of batches(result)) if (!out.write(batch)) await drained(out);
    return undefined;
  }
  try {
    await writeFile(outputFile, batches(result));
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new CommandError(
      `The result cannot be written to "${outputFile}".`,
      'Give --output a path in a folder that exists and may be written to.',
    );
  }
  return outputFile;
}

/** Tens of thousands of lines, each written alone, take longer than what they say took to find. */
function inBatches(out: Output, { print }: Extract<Result, { print(target: Output): void }>): void {
  let batch = '';
  const flush = (): boolean => {
    const isTaken = out.write(batch);
    batch = '';
    return isTaken;
  };
  const write = (text: string | Uint8Array): boolean => {
    batch += String(text);
    return batch.length < BATCH || flush();
  };
  // It is the same terminal, with its width and colours.
  print(Object.create(out, { write: { value: write } }) as Output);
  if (batch !== '') flush();
}

function* batches(result: Result): Generator<string> {
  if ('print' in result) {
    const parts: string[] = [];
    result.print({ write: (text: string | Uint8Array) => parts.push(String(text)) > 0 });
    yield parts.join('');
    return;
  }
  let batch = '';
  for (const piece of jsonPieces(result.json)) {
    batch += piece;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = '';
  }
  yield `${batch}\n`;
}

/** What a test or a closed pipe takes has no end to wait for. */
async function drained(out: Output): Promise<void> {
  if (out instanceof Writable && !out.destroyed) await once(out, 'drain');
}
