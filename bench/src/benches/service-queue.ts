import { setTimeout as pause } from 'node:timers/promises';
import { type Bench, type Figure, median, milliseconds } from '../measure.js';
import { type JobDone, post, signUp, startService } from '../service.js';
import { sendNew } from '../upload.js';

const WORKSPACES = 10;
const DOCUMENTS = 300;
const COMPLETED_AT_ONCE = 8;
const PATIENCE_MILLISECONDS = 600_000;

/** The queue as people meet it: many small documents of many workspaces wait, and a neighbour comes behind them. */
export const serviceQueue: Bench = {
  name: 'service-queue',
  about: `${DOCUMENTS} small documents of ${WORKSPACES} workspaces, sent before and then completed at once over HTTP: until the last one is read, and a neighbour who uploads one behind all of them, beside the same alone.`,
  async run({ log }) {
    const jobs: JobDone[] = [];
    const service = await startService((job) => jobs.push(job));
    try {
      const { token } = await signUp(service.url);
      const client = { url: service.url, token };
      const workspaces: string[] = [];
      for (let n = 0; n <= WORKSPACES; n++) {
        const body = { name: `Workspace ${n}` };
        workspaces.push((await post<{ id: string }>(`${service.url}/api/v1/workspaces`, body, token)).id);
      }
      const [neighbour, ...many] = workspaces as [string, ...string[]];
      const read = async (id: string): Promise<void> => {
        const end = Date.now() + PATIENCE_MILLISECONDS;
        for (;;) {
          const answer = await fetch(`${service.url}/api/v1/work-products/${id}`, {
            headers: { authorization: `Bearer ${token}` },
          });
          const { processing_status: status } = (await answer.json()) as { processing_status: string };
          if (status === 'completed') return;
          if (status === 'failed' || Date.now() > end) throw new Error(`A document is ${status}.`);
          await pause(10);
        }
      };
      const one = async (n: number): Promise<void> => {
        const sent = await sendNew(client, neighbour, fileOf(`neighbour-${n}`));
        await sent.complete();
        await read(sent.id);
      };
      const alone: number[] = [];
      for (let round = 0; round < 6; round++) alone.push(await milliseconds(() => one(round)));
      const waiting = await Promise.all(
        many.flatMap((workspace) =>
          Array.from({ length: DOCUMENTS / WORKSPACES }, (_, n) =>
            sendNew(client, workspace, fileOf(`document-${n}`)),
          ),
        ),
      );
      log('sent');
      let behind = 0;
      const before = readings(jobs);
      const whole = await milliseconds(async () => {
        const left = [...waiting];
        const complete = async (): Promise<void> => {
          for (let next = left.shift(); next; next = left.shift()) await next.complete();
        };
        await Promise.all(Array.from({ length: COMPLETED_AT_ONCE }, complete));
        behind = await milliseconds(() => one(9));
        // By the log: asking for each of them would be the load that is measured.
        while (readings(jobs) < before + DOCUMENTS + 1) await pause(5);
      });
      return [
        {
          name: `${DOCUMENTS} documents of ${WORKSPACES} workspaces until the last one is read`,
          value: `${(DOCUMENTS / (whole / 1000)).toFixed(0)} a second`,
          goal: '≥ 100 a second for small jobs',
          note: `${(whole / 1000).toFixed(1)} s; each one is read in a process of the engine and stored`,
        },
        {
          name: 'one document of a neighbour behind them, from its upload',
          value: `${behind.toFixed(0)} ms`,
          peer: `${median(alone.slice(1)).toFixed(0)} ms alone`,
          ratio: behind / median(alone.slice(1)),
          goal: '≤ 2 × its time alone',
        },
      ] satisfies Figure[];
    } finally {
      await service.stop();
    }
  },
};

const readings = (jobs: readonly JobDone[]): number =>
  jobs.filter(({ job }) => job === 'documents.process').length;

const fileOf = (name: string) => ({
  path: `${name}.md`,
  content: Buffer.from(
    `# Software requirements ${name}\n\n| ID | Requirement |\n|---|---|\n| SWR-1 | The unit shall report a lost signal within 20 ms. |\n`,
  ),
});
