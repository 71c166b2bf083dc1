import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Puts a file in its place whole or not at all, also when the power goes: written beside it, flushed, renamed, and the
 * folder flushed. Only its owner can read it.
 */
export function writeDurably(file: string, content: string): void {
  const unfinished = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
