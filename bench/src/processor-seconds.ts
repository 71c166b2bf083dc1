import { readFile } from 'node:fs/promises';

/** Processor time of another process so far, user and system. Linux; 0 elsewhere. */
export async function processorSeconds(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = status
    .slice(status.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) / 100;
}
