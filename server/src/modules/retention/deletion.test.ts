import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTLIVE_THEIR_WORKSPACE } from '../../testing/catalog-rules.js';
import { type Filled, fillWorkspace, RULES } from '../../testing/filled-workspace.js';
import { objectsBelow } from '../../testing/stored-objects.js';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadStandard, uploadWorkProduct } from '../../testing/upload.js';
import type { StandardCriterion } from '../standards/standards.schemas.js';
import type { DeletedItem, PurgeRequest } from './retention.schemas.js';
import { sweepRetention } from './sweep.js';

interface Page<Item> {
  readonly items: readonly Item[];
}

describe('what is deleted', { timeout: 120_000 }, () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let engineer: Client;
  let manager: Client;
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    [owner, engineer, manager] = [await app.signUp(), await app.enter(), await app.enter()];
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  /** Every table of ours, as the catalog tells it, with the rows whose text holds one of the words. */
  async function rowsWith(...words: readonly string[]): Promise<Record<string, number>> {
    const tables = await data.asOwner<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname !~ '^(pg_|pgboss)' and n.nspname <> 'information_schema' order by 1`,
    );
    expect(tables.length).toBeGreaterThan(40);
    const counts = await Promise.all(
      tables.map(async ({ name }) => {
        const [row] = await data.asOwner<{ count: number }>(
          `select count(*)::int as count from ${name} t where t::text ilike any ($1)`,
          [words.map((word) => `%${word}%`)],
        );
        return [name, row?.count ?? 0] as const;
      }),
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }

  const isIdle = () =>
    expect
      .poll(
        async () =>
          (
            await data.asOwner(
              "select name from pgboss.job where state < 'completed' and name !~ 'given-up$' and (start_after <= now() or state = 'retry')",
            )
          ).length,
        { timeout: 60_000 },
      )
      .toBe(0);
  const storedBelow = (...prefix: readonly string[]): Promise<string[]> =>
    objectsBelow(app.dependencies.storage, ...prefix);
  const filled = (): Promise<Filled> =>
    fillWorkspace({ app, database: data, owner, members: { engineer, manager } });

  test('leaves no row and no object of a workspace but who decided what', async () => {
    const { workspace, words } = await filled();
    const before = await rowsWith(workspace);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['gaps', 'artifacts', 'reports', 'checklist_answers', 'webhooks', 'templates']),
    );
    expect((await storedBelow(workspace)).length).toBeGreaterThan(8);
    expect((await owner.request('DELETE', `/api/v1/workspaces/${workspace}`)).status).toBe(204);
    await isIdle();
    expect(Object.keys(await rowsWith(workspace)).sort()).toEqual([...OUTLIVE_THEIR_WORKSPACE].sort());
    expect(await rowsWith(...words)).toEqual({});
    expect(await storedBelow(workspace)).toEqual([]);
  });

  test('is not written again by what is under way', async () => {
    const { id: workspace } = (await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Hasty' } }))
      .body as { id: string };
    const bytes = `# Plan\n\n${'The plan is to count every ostrich twice.\n\n'.repeat(20_000)}`;
    for (const name of ['a.md', 'b.md']) {
      await uploadWorkProduct(owner, workspace, { name, type: 'text/markdown', bytes: bytes + name });
    }
    await expect
      .poll(async () => data.asOwner("select from work_product_versions where processing_status = 'running'"))
      .not.toEqual([]);
    expect((await owner.request('DELETE', `/api/v1/workspaces/${workspace}`)).status).toBe(204);
    await isIdle();
    expect(Object.keys(await rowsWith(workspace))).toEqual(['audit_chains', 'audit_events']);
    expect(await storedBelow(workspace)).toEqual([]);
  });

  test('goes at once when two people say so, and what others gave stays', async () => {
    const { workspace, documents, analyses, reports } = await filled();
    const target = documents.marked;
    const path = `/api/v1/workspaces/${workspace}`;
    const ask = (client: Client) =>
      client.request('POST', `${path}/purges`, {
        body: { type: 'work_product', target_id: target, reason: 'The customer wants it.' },
      });
    expect((await ask(manager)).status).toBe(409);
    // What an end said is kept with a confirmation.
    const links = (
      await owner.request(
        'GET',
        `/api/v1/traceability/links?workspace_id=${workspace}&work_product_id=${target}&dangling=false`,
      )
    ).body as Page<{ id: string }>;
    const confirmed = await owner.request('POST', `/api/v1/traceability/links/${links.items[0]?.id}/confirm`);
    expect(confirmed.status).toBe(200);
    expect((await rowsWith(target)).trace_link_reviews).toBe(1);
    expect((await owner.request('DELETE', `/api/v1/work-products/${target}`)).status).toBe(204);
    const listed = (await owner.request('GET', `${path}/deleted`)).body as Page<DeletedItem>;
    expect(listed.items).toMatchObject([{ id: target, type: 'work_product', purge_request: null }]);
    expect(listed.items[0]?.reports).toBeGreaterThan(0);
    const gone = { ...listed.items[0] };
    expect(Date.parse(gone.purged_at ?? '') - Date.parse(gone.deleted_at ?? '')).toBe(90 * 86_400_000);

    // The owner is manager and administrator, and still one person only.
    const own = (await ask(owner)).body as PurgeRequest;
    expect(await owner.request('POST', `${path}/purges/${own.id}/confirm`)).toMatchObject({
      status: 403,
      body: { error: { details: { reason: 'second_person_needed' } } },
    });
    expect((await ask(manager)).status).toBe(409);
    expect((await owner.request('DELETE', `${path}/purges/${own.id}`)).status).toBe(204);
    const { id } = (await ask(manager)).body as PurgeRequest;
    expect((await manager.request('POST', `${path}/purges/${id}/confirm`)).status).toBe(403);
    expect((await owner.request('POST', `${path}/purges/${id}/confirm`)).status).toBe(202);
    await isIdle();

    expect(Object.keys(await rowsWith(target))).toEqual(['audit_events']);
    // Who deleted what under which name is the audit log's to say.
    expect(Object.keys(await rowsWith('wombat'))).toEqual(['audit_events']);
    expect(await storedBelow(workspace, 'work-products', target)).toEqual([]);
    // Named by their numbers: reports that quoted it are gone, runs and what other documents gave are there.
    for (const report of reports) {
      expect((await owner.request('GET', `/api/v1/reports/${report}`)).status).toBe(404);
      expect(await storedBelow(workspace, 'reports', report)).toEqual([]);
    }
    for (const analysis of analyses) {
      const answer = await owner.request('GET', `/api/v1/analysis/analyses/${analysis}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
    }
    const gaps = await owner.request('GET', `/api/v1/analysis/gaps?workspace_id=${workspace}&limit=100`);
    expect([gaps.status, gaps.text]).toEqual([200, gaps.text]);
    expect((await rowsWith(documents.other)).analysis_inputs).toBeGreaterThan(0);
    expect((await owner.request('GET', `${path}/deleted`)).body).toMatchObject({ items: [] });
  });

  test('goes by itself after its time, and not before', async () => {
    const { workspace, documents, standard, reports } = await filled();
    for (const path of [`work-products/${documents.marked}`, `standards/${standard}`]) {
      expect((await owner.request('DELETE', `/api/v1/${path}`)).status).toBe(204);
    }
    const age = async (days: number) => {
      for (const table of ['work_products', 'standards']) {
        await data.asOwner(
          `update ${table} set deleted_at = now() - make_interval(days => $2) where workspace_id = $1 and deleted_at is not null`,
          [workspace, days],
        );
      }
      await sweepRetention(app.dependencies);
      await isIdle();
    };
    await age(89);
    expect((await rowsWith(documents.marked)).work_products).toBe(1);
    await age(91);
    expect(Object.keys(await rowsWith(documents.marked))).toEqual(['audit_events']);
    expect(Object.keys(await rowsWith(standard)).sort()).toEqual(['attestations', 'audit_events']);
    // A report is a record of its own.
    expect((await owner.request('GET', `/api/v1/reports/${reports[0]}/download`)).status).toBe(200);
  });

  test('a text whose attestation has ended is hidden at once and erased after the time of grace', async () => {
    const { workspace } = await filled();
    const made = await owner.request('POST', '/api/v1/standards', {
      body: { workspace_id: workspace, name: 'Kept for a year', version: '1' },
    });
    const { id } = made.body as { id: string };
    const file = { ...RULES, bytes: String(RULES.bytes).replaceAll(/giraffe/gi, 'okapi') };
    await uploadStandard(owner, id, file);
    await until(owner, `/api/v1/standards/${id}`, (one: { processing_status: string }) =>
      ['completed'].includes(one.processing_status),
    );
    const attest = (client: Client, more: object) =>
      client.request('PATCH', `/api/v1/standards/${id}/attest`, {
        body: { licence_type: 'single_user', licence_holder: 'Example', ...more },
      });
    const end = new Date(Date.now() + 3_600_000).toISOString();
    expect((await attest(owner, { expires_at: end })).status).toBe(200);
    const criteria = async (client: Client) =>
      ((await client.request('GET', `/api/v1/standards/${id}/criteria`)).body as Page<StandardCriterion>)
        .items;
    const readers = () =>
      Promise.all([owner, engineer, manager].map(async (one) => (await criteria(one))[0]?.text !== null));
    expect(await readers()).toEqual([true, false, false]);

    // Nobody shares, or reads, what another one keeps to themselves by declaring something.
    expect(await attest(engineer, { licence_type: 'multi_user' })).toMatchObject({ status: 422 });
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    expect((await attest(engineer, { licence_type: 'multi_user', file_sha256: sha256 })).status).toBe(200);
    expect(await readers()).toEqual([true, true, false]);
    expect((await attest(owner, { expires_at: end, allows_workspace_sharing: true })).status).toBe(200);
    expect(await readers()).toEqual([true, true, true]);

    const ended = (days: number) =>
      data.asOwner(
        'update standards set attestation_expires_at = now() - make_interval(days => $2) where id = $1',
        [id, days],
      );
    await ended(29);
    await sweepRetention(app.dependencies);
    await isIdle();
    expect(await criteria(owner)).not.toEqual([]);
    await ended(31);
    await sweepRetention(app.dependencies);
    await isIdle();
    expect(await criteria(owner)).toEqual([]);
    expect(await rowsWith('okapi')).toEqual({});
    expect((await owner.request('GET', `/api/v1/standards/${id}`)).body).toMatchObject({
      attested: false,
      processing_status: 'pending_upload',
    });
  });
});
