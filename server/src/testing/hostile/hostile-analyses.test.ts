import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Analysis, StartedAnalysis } from '../../modules/runs/analyses.schemas.js';
import type { WorkProduct } from '../../modules/work-products/work-products.schemas.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../upload.js';
import { type HostileVariant, hostileVariants } from './variants.js';

// Hostile files through everything that is done with a file. `HOSTILE_VARIANTS=300` makes the long run.

const VARIANTS = Number(process.env.HOSTILE_VARIANTS ?? (process.env.CI ? 12 : 20));
const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_122);
/** Files of one workspace, which are uploaded at once and analysed together. */
const TOGETHER = 10;
/** Workspaces at a time: while one is read, another is analysed. */
const AT_ONCE = 3;
/** Each end as it comes. */
const VERBOSE = VARIANTS > 20;
const PATIENCE = 1_800_000;
const RULES = {
  name: 'rules.md',
  type: 'text/markdown',
  bytes: '# Rules\n\n## 1 Doors\n\nThe door shall not open while the vehicle moves.\n',
};

/** How often each end came, by the format of a file or the kind of a run. */
type Ends = Record<string, Record<'read' | 'refused' | 'parked', number>>;

/** One answer to the neighbour: how long it took, and when in the run. */
interface Wait {
  readonly path: string;
  readonly seconds: number;
  readonly at: number;
}

interface Tally {
  readonly files: Ends;
  readonly runs: Ends;
  /** Seconds from the last byte of a file, or the start of a run, to its end; with the waits in the queue. */
  readonly seconds: Record<'files' | 'runs', number[]>;
}

const count = (ends: Ends, kind: string, end: 'read' | 'refused' | 'parked'): void => {
  ends[kind] ??= { read: 0, refused: 0, parked: 0 };
  ends[kind][end]++;
};
const sum = (one: number, other: number): number => one + other;
/** The value below which this share of the values lies. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
const spread = (values: readonly number[]): string =>
  `median ${quantile(values, 0.5).toFixed(1)}, p95 ${quantile(values, 0.95).toFixed(1)}, longest ${quantile(values, 1).toFixed(1)} s`;
const slowest = (waits: readonly Wait[]): string =>
  waits
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, 5)
    .map(({ seconds, path, at }) => `${path} ${seconds.toFixed(1)} s at ${at.toFixed(0)} s`)
    .join(', ');
const secondsSince = (start: number): number => (performance.now() - start) / 1000;
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
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

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
      const tally: Tally = { files: {}, runs: {}, seconds: { files: [], runs: [] } };
      const busy = new AbortController();
      const served = serveNeighbour(busy.signal);
      const variants = hostileVariants(VARIANTS, SEED);
      const lane = async (): Promise<void> => {
        for (;;) {
          // The generator is asked file by file: only those under way are in memory.
          const batch = Array.from({ length: TOGETHER }, () => variants.next().value).filter(
            (variant) => variant !== undefined,
          );
          if (batch.length === 0) return;
          await throughEverything(batch, tally);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
      busy.abort();
      const waits = await served;
      console.log(
        `hostile files: ${VARIANTS} variants of seed ${SEED}: ${told(tally.files)}; ${spread(tally.seconds.files)}\n` +
          `runs: ${told(tally.runs)}; ${spread(tally.seconds.runs)}\n` +
          `neighbour: ${waits.length} answers, ${spread(waits.map(({ seconds }) => seconds))}; ${slowest(waits)}`,
      );
      expect(Object.values(tally.files).flatMap(Object.values).reduce(sum)).toBe(VARIANTS);
      expect((await app.anyone.request('GET', '/api/v1/health')).status).toBe(200);
    },
    4 * 3_600_000,
  );

  async function throughEverything(variants: readonly HostileVariant[], tally: Tally): Promise<void> {
    // People whose tokens have their time before them: a long run outlives any.
    const owner = await app.enter();
    const workspace = await workspaceOf(owner);
    const standard = await post<{ id: string }>(owner, '/standards', {
      workspace_id: workspace,
      name: 'Rules',
    });
    await uploadStandard(owner, standard.id, RULES);
    const ends = await Promise.all(variants.map((variant) => readFile(owner, workspace, variant, tally)));
    const unread = ends.filter((end) => end === 'unread').length;
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
    await Promise.all(
      runs.map(async ([path, more]) => {
        const before = performance.now();
        const answer = await owner.request('POST', `/api/v1${path}`, {
          body: { workspace_id: workspace, ...more },
        });
        // Nothing of the batch could be read: the answer says so.
        if (answer.status === 409) {
          count(tally.runs, path, 'refused');
          return;
        }
        expect(answer.status, `${path} over ${attacks}: ${answer.text}`).toBeLessThan(300);
        const { id } = answer.body as StartedAnalysis;
        const ended = await until<Analysis>(
          owner,
          `/api/v1/analysis/analyses/${id}`,
          ({ status }) => !['queued', 'running'].includes(status),
          PATIENCE,
        );
        tally.seconds.runs.push(secondsSince(before));
        expect.soft(ended.score_is_partial).toBe(unread > 0);
        expect.soft(ended.unread_work_products.length).toBeGreaterThanOrEqual(unread);
        if (ended.status !== 'completed') expectReason(ended.error, `${path} over ${attacks}`);
        const end = ended.status === 'completed' ? 'read' : isParked(ended.error) ? 'parked' : 'refused';
        count(tally.runs, path, end);
        if (VERBOSE) console.log(`${secondsSince(before).toFixed(1)} s ${path} ${end} ${ended.error ?? ''}`);
      }),
    );
  }

  /** `kept out`: it was not even taken as a document. */
  async function readFile(
    owner: Client,
    workspace: string,
    { attack, file }: HostileVariant,
    tally: Tally,
  ): Promise<'read' | 'unread' | 'kept out'> {
    const sent = await uploadWorkProduct(owner, workspace, file);
    if (sent.status !== 200) {
      expect
        .soft(sent, attack)
        .toMatchObject({ status: 422, body: { error: { message: expect.any(String) } } });
      count(tally.files, extensionOf(file.name), 'refused');
      return 'kept out';
    }
    const before = performance.now();
    const { id } = sent.body as WorkProduct;
    const read = await until<WorkProduct>(
      owner,
      `/api/v1/work-products/${id}`,
      ({ processing_status }) => ['completed', 'failed'].includes(processing_status),
      PATIENCE,
    );
    const reason = read.processing_error;
    const isRead = read.processing_status === 'completed';
    const end = isRead ? 'read' : isParked(reason) ? 'parked' : 'refused';
    if (!isRead) expectReason(reason, attack);
    count(tally.files, extensionOf(file.name), end);
    tally.seconds.files.push(secondsSince(before));
    if (VERBOSE) console.log(`${secondsSince(before).toFixed(1)} s ${attack} ${end} ${reason ?? ''}`);
    return isRead ? 'read' : 'unread';
  }

  function expectReason(text: string | null | undefined, attack: string): void {
    expect.soft(text, attack).toMatch(/^[A-Z].{20,}\.$/);
    expect.soft(text, attack).not.toMatch(/our side|not expect|undefined|Error:|\bat \w+ \(/);
  }

  /** What another workspace waits for, one request after the other. */
  async function serveNeighbour(signal: AbortSignal): Promise<Wait[]> {
    const start = performance.now();
    const waits: Wait[] = [];
    let neighbour = await app.enter();
    let workspace = await workspaceOf(neighbour);
    const paths = ['/work-products', '/traceability/matrix'];
    while (!signal.aborted) {
      if (waits.length % 1000 === 999) {
        neighbour = await app.enter();
        workspace = await workspaceOf(neighbour);
      }
      const path = paths[waits.length % paths.length]!;
      const before = performance.now();
      const { status } = await neighbour.request('GET', `/api/v1${path}?workspace_id=${workspace}`);
      expect(status).toBe(200);
      waits.push({ path, seconds: secondsSince(before), at: secondsSince(start) });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return waits;
  }
});
