import { createHash, randomBytes } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';
import { processorSeconds } from '../processor-seconds.js';
import { post, signUp, startService } from '../service.js';
import { sendNew } from '../upload.js';

const MEGABYTES = 48;
const ROUNDS = 7;

/** One large file on its way to disk, hashed as it comes, beside copying it and beside hashing it. */
export const upload: Bench = {
  name: 'upload',
  about: `A file of ${MEGABYTES} MB to its signed address, until it is on disk (flushed) and its hash is known, in turn with writing the same bytes to the same disk (flushed) and with hashing them by one core.`,
  async run() {
    const service = await startService();
    try {
      const client = { url: service.url, token: (await signUp(service.url)).token };
      const { id } = await post<{ id: string }>(
        `${service.url}/api/v1/workspaces`,
        { name: 'Uploads' },
        client.token,
      );
      // Never read as a document: `complete` is not called.
      const content = randomBytes(MEGABYTES * 1024 * 1024);
      const copy = join(service.directory, 'copy');
      const ways = {
        own: () => sendNew(client, id, { path: 'large.md', content }),
        copied: () => writeFlushed(copy, content),
        hashed: async () => createHash('sha256').update(content).digest('hex'),
      };
      const rates = { own: [] as number[], copied: [] as number[], hashed: [] as number[] };
      const processor: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        for (const way of ['own', 'copied', 'hashed'] as const) {
          const before = await processorSeconds(service.pid);
          rates[way].push((MEGABYTES / (await milliseconds(ways[way]))) * 1000);
          if (way === 'own')
            processor.push(((await processorSeconds(service.pid)) - before) * (1000 / MEGABYTES));
        }
      }
      await rm(copy, { force: true });
      const own = median(rates.own);
      const figure = (peer: string, of: readonly number[], more: Partial<Figure> = {}): Figure => ({
        name: `upload of ${MEGABYTES} MB`,
        value: `${Math.round(own)} MB/s`,
        peer: `${peer} ${Math.round(median(of))} MB/s`,
        ratio: own / median(of),
        ...more,
      });
      return [
        figure('written and flushed', rates.copied, {
          goal: '≥ 300 MB/s',
          note: `fastest ${Math.round(Math.max(...rates.own))} MB/s; ${median(processor).toFixed(1)} ms of processor time for a MB in the process of the service`,
        }),
        figure('hashed by one core', rates.hashed),
      ];
    } finally {
      await service.stop();
    }
  },
};

async function writeFlushed(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'w');
  try {
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}
