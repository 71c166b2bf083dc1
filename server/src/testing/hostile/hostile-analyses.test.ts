import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Analysis, StartedAnalysis } from '../../modules/runs/analyses.schemas.js';
import type { WorkProduct } from '../../modules/work-products/work-products.schemas.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../upload.js';
import { type HostileVariant, hostileVariants } from './variants.js';

// Hostile files through everything that is done with a file. `HOSTILE_VARIANTS=300` makes the long run.

const VARIANTS = Number(process.env.HOSTILE_VARIANTS ?? 40);
const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_122);
/** Files of one workspace, which are analysed together. */
const TOGETHER = 10;
const PATIENCE = 600_000;
const RULES = {
  name: 'rules.md',
  type: 'text/markdown',
  bytes: '# Rules\n\n## 1 Doors\n\nThe door shall not open while the vehicle moves.\n',
};

/** How often each end came, by the format of a file or the kind of a run. */
type Ends = Record<string, Record<'read' | 'refused' | 'parked', number>>;

interface Tally {
  readonly files: Ends;
  readonly runs: Ends;
  /** Seconds of the longest reading, and of what. */
  longest: number;
  slowest: string;
}

const count = (ends: Ends, kind: string, end: 'read' | 'refused' | 'parked'): void => {
  ends[kind] ??= { read: 0, refused: 0, parked: 0 };
  ends[kind][end]++;
};
const sum = (one: number, other: number): number => one + other;
const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const isParked = (reason: string | null | undefined): boolean => /was ended twice because/.test(reason ?? '');
const told = (ends: Ends): string => {
  const all = (['read', 'refused', 'parked'] as const).map(
    (end) => `${Object.values(ends).reduce((total, one) => total + one[end], 0)} ${end}`,
  );
  const kinds = Object.entries(ends).map(
    ([kind, { read, refused, parked }]) => `${kind} ${read}/${refused}/${parked}`,
  );
  return `${all.join(', ')} (${kinds.join(', ')})`;
};

describe('hostile files through whole analyses', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let neighbour: Client;
  let neighbours: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    await enterAnew();
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  /** People whose tokens have their time before them: a long run outlives any. */
  async function enterAnew(): Promise<void> {
    owner = await app.enter();
    const next = await app.enter();
    neighbours = await workspaceOf(next);
    neighbour = next;
  }

  const post = async <Body>(client: Client, path: string, body: unknown): Promise<Body> => {
    const answer = await client.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const workspaceOf = async (client: Client): Promise<string> =>
    (await post<{ id: string }>(client, '/workspaces', { name: 'Files' })).id;

  test(
    `${VARIANTS} files of seed ${SEED} end in a result or a reason, and a neighbour is served meanwhile`,
    async () => {
      const tally: Tally = { files: {}, runs: {}, longest: 0, slowest: '' };
      const busy = new AbortController();
      const served = serveNeighbour(busy.signal);
      let batch: HostileVariant[] = [];
      const flush = async (): Promise<void> => {
        const files = batch;
        batch = [];
        if (files.length === 0) return;
        await enterAnew();
        await throughEverything(files, tally);
        if (VARIANTS > 40) console.log(`… ${JSON.stringify(tally)}`);
      };
      for (const variant of hostileVariants(VARIANTS, SEED)) {
        batch.push(variant);
        if (batch.length === TOGETHER) await flush();
      }
      await flush();
      busy.abort();
      const latencies = (await served).sort((a, b) => a - b);
      const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
      console.log(
        `hostile files: ${VARIANTS} variants of seed ${SEED}: ${told(tally.files)}\n` +
          `runs: ${told(tally.runs)}\n` +
          `longest reading ${tally.longest.toFixed(1)} s (${tally.slowest}); ` +
          `neighbour: ${latencies.length} answers, p99 ${p99.toFixed(0)} ms`,
      );
      expect(Object.values(tally.files).flatMap(Object.values).reduce(sum)).toBe(VARIANTS);
      expect((await app.anyone.request('GET', '/api/v1/health')).status).toBe(200);
    },
    4 * 3_600_000,
  );

  async function throughEverything(variants: readonly HostileVariant[], tally: Tally): Promise<void> {
    const workspace = await workspaceOf(owner);
    const standard = await post<{ id: string }>(owner, '/standards', {
      workspace_id: workspace,
      name: 'Rules',
    });
    await uploadStandard(owner, standard.id, RULES);
    let failed = 0;
    for (const { attack, file } of variants) {
      const before = performance.now();
      const sent = await uploadWorkProduct(owner, workspace, file);
      if (sent.status !== 200) {
        expect(sent, attack).toMatchObject({ status: 422, body: { error: { message: expect.any(String) } } });
        count(tally.files, extensionOf(file.name), 'refused');
        continue;
      }
      const { id } = sent.body as WorkProduct;
      const read = await until<WorkProduct>(
        owner,
        `/api/v1/work-products/${id}`,
        ({ processing_status }) => ['completed', 'failed'].includes(processing_status),
        PATIENCE,
      );
      const seconds = (performance.now() - before) / 1000;
      if (seconds > tally.longest) Object.assign(tally, { longest: seconds, slowest: attack });
      if (read.processing_status === 'completed') count(tally.files, extensionOf(file.name), 'read');
      else {
        failed++;
        expectReason(read.processing_error, attack);
        count(tally.files, extensionOf(file.name), isParked(read.processing_error) ? 'parked' : 'refused');
      }
    }
    await until<WorkProduct>(
      owner,
      `/api/v1/standards/${standard.id}`,
      ({ processing_status }) => processing_status === 'completed',
      PATIENCE,
    );
    await until<{ under_way: boolean }>(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      ({ under_way }) => !under_way,
      PATIENCE,
    );
    const attacks = variants.map(({ attack }) => attack).join('; ');
    const runs: readonly (readonly [string, object])[] = [
      ['/analysis/gaps', { standard_id: standard.id }],
      ['/compliance/completeness', {}],
      ['/compliance/checklist', { checklist_id: 'FS-HARA' }],
      ['/traceability/analyze', {}],
    ];
    for (const [path, more] of runs) {
      const answer = await owner.request('POST', `/api/v1${path}`, {
        body: { workspace_id: workspace, ...more },
      });
      // Nothing of the batch could be read: the answer says so.
      if (answer.status === 409) {
        count(tally.runs, path, 'refused');
        continue;
      }
      expect(answer.status, `${path} over ${attacks}: ${answer.text}`).toBeLessThan(300);
      const { id } = answer.body as StartedAnalysis;
      const ended = await until<Analysis>(
        owner,
        `/api/v1/analysis/analyses/${id}`,
        ({ status }) => !['queued', 'running'].includes(status),
        PATIENCE,
      );
      expect(ended.score_is_partial).toBe(failed > 0);
      expect(ended.unread_work_products.length).toBeGreaterThanOrEqual(failed);
      if (ended.status === 'completed') count(tally.runs, path, 'read');
      else {
        expectReason(ended.error, `${path} over ${attacks}`);
        count(tally.runs, path, isParked(ended.error) ? 'parked' : 'refused');
      }
    }
  }

  function expectReason(text: string | null | undefined, attack: string): void {
    expect(text, attack).toMatch(/^[A-Z].{20,}\.$/);
    expect(text, attack).not.toMatch(/our side|not expect|undefined|Error:|\bat \w+ \(/);
  }

  /** Milliseconds of each answer that another workspace gets, one request after the other. */
  async function serveNeighbour(signal: AbortSignal): Promise<number[]> {
    const latencies: number[] = [];
    const paths = ['/work-products', '/traceability/matrix'];
    while (!signal.aborted) {
      const path = `/api/v1${paths[latencies.length % paths.length]}?workspace_id=${neighbours}`;
      const before = performance.now();
      const { status } = await neighbour.request('GET', path);
      expect(status).toBe(200);
      latencies.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return latencies;
  }
});
