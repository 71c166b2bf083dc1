import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Configuration } from '../platform/configuration/configuration.js';

const LONGEST_START_SECONDS = 60;

/**
 * Uses the service that answers at the configured address, or starts it in the background; then it keeps running
 * after this process ends and writes its log into the data directory. Returns its process id where it was started.
 */
export async function ensureService(configuration: Configuration, url: string): Promise<number | undefined> {
  if (await isReady(url)) return undefined;
  mkdirSync(configuration.dataDirectory, { recursive: true, mode: 0o700 });
  const log = openSync(join(configuration.dataDirectory, 'service.log'), 'a', 0o600);
  const entry = fileURLToPath(new URL('../start/all.js', import.meta.url));
  const child = spawn(process.execPath, [entry], { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let exit: number | null | undefined;
  child.once('exit', (code) => {
    exit = code;
  });
  for (let waited = 0; waited < LONGEST_START_SECONDS * 10; waited++) {
    if (await isReady(url)) {
      child.unref();
      return child.pid;
    }
    if (exit !== undefined) break;
    await delay(100);
  }
  throw new Error(
    `The service did not become ready. Its log is ${join(configuration.dataDirectory, 'service.log')}.`,
  );
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  return answer?.ok ?? false;
}
