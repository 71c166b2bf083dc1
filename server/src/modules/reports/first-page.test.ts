import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { StartedBatch } from '../batches/batches.schemas.js';
import type { FirstPage } from './first-page.schemas.js';

/** SG-01 is lower than its event, and nothing refines SG-02: a standard, a checklist and the trace see both. */
const HARA = [
  '# Hazard analysis and risk assessment',
  '## Hazardous events',
  '| ID | Hazardous event | S | E | C | ASIL | Safety goal |\n|---|---|---|---|---|---|---|\n' +
    '| HE-1 | The door opens | S3 | E4 | C3 | D | SG-01 |\n| HE-2 | The door jams | S1 | E4 | C2 | A | SG-02 |',
  '## Safety goals',
  '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | B |\n' +
    '| SG-02 | The door shall open after a crash. | A |',
].join('\n\n');

/** Milliseconds that the runs may take on a busy machine. */
const RUNS = 120_000;

describe('GET /analysis/first-page', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Sliding door' } });
    workspace = (made.body as { id: string }).id;
    const adopted = await owner.request('POST', '/api/v1/standards', {
      body: { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' },
    });
    const sent = await uploadWorkProduct(owner, workspace, {
      name: 'hara.md',
      type: 'text/markdown',
      bytes: HARA,
    });
    await until<{ processing_status: string }>(
      owner,
      `/api/v1/work-products/${(sent.body as { id: string }).id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
    const standard_id = (adopted.body as { id: string }).id;
    const started = await owner.request('POST', '/api/v1/analysis/batches', {
      body: {
        workspace_id: workspace,
        parts: [
          { type: 'gap_analysis', standard_id },
          { type: 'checklist', checklist_id: 'FS-HARA' },
          { type: 'traceability' },
        ],
      },
    });
    for (const { id } of (started.body as StartedBatch).analyses) {
      await until<{ status: string }>(
        owner,
        `/api/v1/analysis/analyses/${id}`,
        ({ status }) => status === 'completed',
        RUNS,
      );
    }
  }, RUNS + 60_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const read = async (more = '', headers: Record<string, string> = {}): Promise<FirstPage> => {
    const path = `/api/v1/analysis/first-page?workspace_id=${workspace}${more}`;
    const answer = await owner.request('GET', path, { headers });
    expect(answer.status).toBe(200);
    return answer.body as FirstPage;
  };

  test('tells a fact once that several analyses see, with all gaps that tell it', async () => {
    const page = await read();
    expect(page.analyses.map(({ name }) => name).sort()).toEqual([
      'FS-HARA',
      'ISO 26262-3:2018',
      'Traceability',
    ]);
    const lower = page.entries.filter(({ title }) => /SG-01.*(ASIL B|below|lower)/.test(title));
    expect(lower).toHaveLength(1);
    const [entry] = lower;
    expect(entry!.analysis_ids).toHaveLength(3);
    expect(entry!.gaps_total).toBeGreaterThan(2);
    expect(page.first[0]).toBe(page.entries.indexOf(entry!));
    // Each gap of all analyses stands in at most one entry, and its page is there.
    const ids = page.entries.flatMap(({ gap_ids }) => gap_ids);
    expect(new Set(ids).size).toBe(ids.length);
    const gap = await owner.request('GET', `/api/v1/analysis/gaps/${entry!.gap_id}`);
    expect(gap.status).toBe(200);
    expect(HARA).toContain(entry!.evidence!.quote);
  });

  test('has a line for each goal, with what is open below it', async () => {
    const { goals, entries } = await read();
    expect(goals.map(({ id, integrity }) => [id, integrity])).toEqual([
      ['SG-01', 'ASIL B'],
      ['SG-02', 'ASIL A'],
    ]);
    expect(entries[goals[0]!.open[0]!]!.title).toContain('SG-01');
  });

  test('lists as many entries as asked for, and counts all', async () => {
    const { entries, total, by_severity } = await read('&limit=1');
    expect(entries).toHaveLength(1);
    expect(total).toBeGreaterThan(1);
    expect(Object.values(by_severity).reduce((sum, one) => sum + one, 0)).toBe(total);
  });

  test('speaks the language of its reader', async () => {
    const [english, german] = [await read(), await read('', { 'accept-language': 'de' })];
    expect(german.total).toBe(english.total);
    expect(german.entries[0]!.title).not.toBe(english.entries[0]!.title);
    expect(german.entries[0]!.evidence!.quote).toBe(english.entries[0]!.evidence!.quote);
  });

  test('leaves out what somebody has settled', async () => {
    const before = await read();
    const [entry] = before.entries;
    for (const id of entry!.gap_ids) {
      const changed = await owner.request('PATCH', `/api/v1/analysis/gaps/${id}`, {
        body: { status: 'resolved', resolution: 'fixed', reason: 'Corrected in version 2.' },
      });
      expect(changed.status).toBe(200);
    }
    const after = await read();
    expect(after.total).toBe(before.total - 1);
    expect(after.entries.flatMap(({ gap_ids }) => gap_ids)).not.toContain(entry!.gap_id);
  });
});
