import { writeFile } from 'node:fs/promises';
import { CommandError } from './command-error.js';
import type { Output } from './terminal.js';

/** The value of an option that allows few. Throws `CommandError` with the allowed ones. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new CommandError(`${option} ${value} is not known.`, `Use ${allowed.join(', ')}.`);
  return found;
}

/** Writes a result to the terminal, or to a file; resolves to the file's name. Throws `CommandError` where that fails. */
export async function writeOutput(
  { out, outputFile }: { readonly out: Output; readonly outputFile: string | undefined },
  write: (target: Output) => void,
): Promise<string | undefined> {
  if (outputFile === undefined) {
    write(out);
    return undefined;
  }
  const parts: string[] = [];
  write({ write: (text: string | Uint8Array) => parts.push(String(text)) > 0 });
  try {
    await writeFile(outputFile, parts.join(''));
  } catch {
    throw new CommandError(
      `The result cannot be written to "${outputFile}".`,
      'Give --output a path in a folder that exists and may be written to.',
    );
  }
  return outputFile;
}
