import { statfs } from 'node:fs/promises';
import type { Configuration } from './configuration/configuration.js';

/** Less than this is no room at all: PostgreSQL takes its log in pieces of this size. */
export const NO_ROOM_BYTES = 16 * 1024 * 1024;

/** Whether database or documents lie on a disk of this machine. */
export const keepsDataHere = ({
  storage,
  databaseUrl,
}: Pick<Configuration, 'storage' | 'databaseUrl'>): boolean =>
  storage.kind === 'disk' || databaseUrl === undefined;

/** Bytes that an ordinary user may still write to the disk of this directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Codes of the operating system, and PostgreSQL's own, for a disk or a quota that is full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether an error, or what caused it, is a disk, a bucket (HTTP 507) or a quota without room. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause, $metadata } = error as {
    readonly code?: unknown;
    readonly cause?: unknown;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  return FULL.has(String(code)) || $metadata?.httpStatusCode === 507 || isDiskFull(cause);
}

/** An error whose text is a program's output; when that tells of a full disk, the error is known as such. */
export const fromOutput = (message: string): Error =>
  Object.assign(
    new Error(message),
    /No space left on device|Disk quota exceeded/i.test(message) ? { code: 'ENOSPC' } : {},
  );

/** Bytes for people. */
export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;
