import { setTimeout as delay } from 'node:timers/promises';
import { ARTIFACT_TYPES, LINK_TYPES } from '@normtrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { RowsAhead, TraceExtractionOutput } from './extract-trace-task.js';
import { extractTraceJob } from './extraction.jobs.js';
import * as repository from './extraction.repository.js';
import { readTrace } from './read-trace.js';
import { ExtractionLost, storeExtraction } from './store-extraction.js';
import { selectTrace, type TraceRow } from './trace.repository.js';
import { traceRowId } from './trace-columns.js';
import { type ChangedRows, rowComparer, rowPacker, storedHashes } from './trace-differences.js';

type Stored = Awaited<ReturnType<typeof repository.readStored>>;

describe('the extraction of a trace', () => {
  let data: TestDatabase;
  /** Works on no job: those that are added stay. */
  let app: TestApp;
  let workspaceId: string;
  const workProductId = '7b1d0c52-93a1-4a35-8b0e-3b3a1c7f5e21';
  const within = <T>(work: Parameters<typeof data.database.withWorkspace<T>>[1]): Promise<T> =>
    data.database.withWorkspace(workspaceId, work);
  const request = () =>
    within((transaction) => repository.requestExtraction(transaction, app.dependencies.queue, workspaceId));
  const jobs = async () =>
    (
      await data.asOwner<{ id: string }>(
        "select id from pgboss.job where name = 'traceability.extract' and data ->> 'workspaceId' = $1",
        [workspaceId],
      )
    ).length;
  const take = async () => (await within((t) => repository.takeExtraction(t, workspaceId)))!;

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
  });
  beforeEach(async () => {
    const owner = await data.createUser();
    workspaceId = await data.createWorkspace(owner);
    await data.asOwner(
      `with product as (
         insert into work_products (workspace_id, id, name, original_filename, file_size, file_type,
                                    processing_status, version, created_by)
         values ($1, $2, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $3))
       insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                          sha256, object_key, uploaded_by, processing_status)
       values ($1, $2, 1, 'document.md', 5, 'text/markdown', 'x', $1::uuid::text || '/x/y', $3, 'completed')`,
      [workspaceId, workProductId, owner.userId],
    );
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  test('is one job however many documents change, and one more for what changes while it works', async () => {
    await Promise.all(Array.from({ length: 6 }, request));
    expect(await jobs()).toBe(1);
    const extracting = await take();
    await Promise.all(Array.from({ length: 4 }, request));
    expect(await jobs()).toBe(1);
    const { queue } = app.dependencies;
    await within((t) => repository.endExtraction(t, queue, extracting, { status: 'completed' }));
    expect(await jobs()).toBe(2);
    await request();
    expect(await jobs()).toBe(2);
    const next = await take();
    await within((t) => repository.endExtraction(t, queue, next, { status: 'completed' }));
    expect(await jobs()).toBe(2);
    expect(await within((t) => repository.takeExtraction(t, workspaceId))).toBeUndefined();
    await request();
    expect(await jobs()).toBe(3);
  });

  test('is stored by the newest attempt only, and as a whole or not at all', async () => {
    const { queue } = app.dependencies;
    const store = (attempt: number, ids: readonly string[]) =>
      within((transaction) =>
        storeExtraction(
          transaction,
          queue,
          { workspaceId, attempt },
          { output: outputOf(ids), documents: documents(), engineVersion: '1' },
        ),
      );
    await request();
    const dead = await take();
    const alive = await take();
    await store(alive.attempt, ['SG-1', 'SG-2']);
    await expect(store(dead.attempt, ['SG-3'])).rejects.toThrow(ExtractionLost);
    const rows = await data.asOwner<{ artifact_id: string }>(
      'select artifact_id from artifacts where workspace_id = $1 order by ordinal',
      [workspaceId],
    );
    expect(rows.map((row) => row.artifact_id)).toEqual(['SG-1', 'SG-2']);
  });

  test('stores rows that go ahead of it with the others, again where the transaction is repeated, or none of them', async () => {
    const { queue } = app.dependencies;
    const names = async () =>
      (
        await data.asOwner<{ name: string }>(
          'select artifact_id as name from artifacts where workspace_id = $1 order by ordinal',
          [workspaceId],
        )
      ).map(({ name }) => name);
    const store = async (
      ids: readonly string[],
      { fails = [] as readonly unknown[], ending = undefined as Error | undefined } = {},
    ) => {
      await request();
      const { attempt } = await take();
      const stored = await within((t) => repository.readStored(t, workspaceId, { artifacts: [], links: [] }));
      const { artifacts, links, ...told } = outputOf(ids, stored);
      const failures = [...fails];
      const removed = { artifacts: artifacts.removed, links: links.removed };
      const ahead: RowsAhead[] = [
        ...artifacts.written.map((columns) => ({ removed, table: 'artifacts' as const, columns })),
        ...links.written.map((columns) => ({ table: 'links' as const, columns })),
      ];
      const none = { written: [], removed: new Uint8Array() };
      const output = (async () => {
        await delay(50);
        if (ending) throw ending;
        // What it says is removed was removed with the first rows.
        return { ...told, artifacts: { ...none, removed: artifacts.removed }, links: none };
      })();
      output.catch(() => undefined);
      await within(async (transaction) => {
        await storeExtraction(
          transaction,
          queue,
          { workspaceId, attempt },
          {
            output,
            ahead: (async function* () {
              yield* ahead;
            })(),
            documents: documents(),
            engineVersion: '1',
          },
        );
        const failure = failures.shift();
        if (failure) throw failure;
      });
    };
    const stopped = new Error('The process ended.');
    await expect(store(['SG-1', 'SG-2'], { ending: stopped })).rejects.toThrow(stopped);
    expect(await names()).toEqual([]);
    // As PostgreSQL tells of a deadlock.
    const deadlock = Object.assign(new Error('deadlock'), { code: '40P01' });
    await store(['SG-1', 'SG-2', 'SG-3'], { fails: [deadlock] });
    expect(await names()).toEqual(['SG-1', 'SG-2', 'SG-3']);
    await store(['SG-1', 'SG-4']);
    expect(await names()).toEqual(['SG-1', 'SG-4']);
  });

  test('writes only the rows that say something else, and keeps what people said about the others', async () => {
    const { queue } = app.dependencies;
    const store = async (ids: readonly string[], textOf?: (id: string) => string) => {
      await request();
      const { attempt } = await take();
      const stored = await within((t) => repository.readStored(t, workspaceId, { artifacts: [], links: [] }));
      const output = outputOf(ids, stored, textOf);
      await within((t) =>
        storeExtraction(
          t,
          queue,
          { workspaceId, attempt },
          { output, documents: documents(), engineVersion: '1' },
        ),
      );
    };
    /** Where each row lies: a row that was written lies somewhere else. */
    const rows = async () =>
      Object.fromEntries(
        (
          await data.asOwner<{ name: string; at: string }>(
            `select artifact_id as name, ctid::text || ' ' || text || ' ' || type as at from artifacts where workspace_id = $1
             union all
             select link_type, ctid::text || ' ' || rejected from trace_links where workspace_id = $1`,
            [workspaceId],
          )
        ).map(({ name, at }) => [name, at]),
      );
    await store(['SG-1', 'SG-2', 'SG-3']);
    await data.asOwner(
      "insert into artifact_types (workspace_id, artifact_id, type, said_by) select $1, id, 'hazardous_event', $1 from unnest($2::text[]) id",
      [workspaceId, ['SG-1', 'SG-2']],
    );
    await data.asOwner(
      `insert into trace_link_reviews (workspace_id, source_id, link_type, target_id, verdict, source_hash, target_hash, reviewed_by)
       select workspace_id, source_id, link_type, target_id, 'rejected', 'hash',
              case when target_ordinal is not null then 'hash' end, workspace_id
       from trace_links where workspace_id = $1 and link_type = any ($2)`,
      [workspaceId, [LINK_TYPES[0], LINK_TYPES[1]]],
    );
    await store(['SG-1', 'SG-2', 'SG-3']);
    const before = await rows();
    expect(Object.values(before).filter((at) => at.includes('hazardous_event'))).toHaveLength(2);
    expect(Object.values(before).filter((at) => at.includes('true'))).toHaveLength(2);

    await store(['SG-1', 'SG-2', 'SG-3']);
    expect(await rows()).toEqual(before);

    await store(['SG-1', 'SG-2'], (id) => (id === 'SG-2' ? 'Other words' : `Text of ${id}`));
    const { 'SG-2': changed, ...rest } = await rows();
    const { 'SG-2': was, 'SG-3': _gone, ...others } = before;
    expect(rest).toEqual(others);
    expect(changed).not.toBe(was);
    expect(changed).toMatch(/Other words hazardous_event$/);
  });

  test('knows what documents said while nobody changed the trace, and leaves their rows out', async () => {
    const { queue } = app.dependencies;
    const said = () => within((t) => repository.readSaid(t, workspaceId));
    await request();
    expect(await said()).toBeNull();
    const { attempt } = await take();
    const output = outputOf(['SG-1', 'SG-2']);
    await within((t) =>
      storeExtraction(
        t,
        queue,
        { workspaceId, attempt },
        { output, documents: documents(), engineVersion: '1' },
      ),
    );
    expect(await said()).toMatchObject(output.said);
    const stored = (artifacts: readonly string[]) =>
      within((t) => repository.readStored(t, workspaceId, { artifacts, links: [] }));
    expect((await stored([])).artifacts).toHaveLength(2 * 32);
    expect(await stored([workProductId])).toEqual({ artifacts: null, links: (await stored([])).links });
    await within((t) => repository.raiseRevision(t, workspaceId));
    expect(await said()).toBeNull();
  });

  test('waits for the other documents that are being read, not for ever', async () => {
    const { queue } = app.dependencies;
    const putOff = () => within((t) => repository.putOff(t, queue, workspaceId));
    await request();
    expect(await putOff()).toBe(false);
    const state = (status: string) =>
      data.asOwner('update work_product_versions set processing_status = $2 where workspace_id = $1', [
        workspaceId,
        status,
      ]);
    await state('running');
    expect(await putOff()).toBe(true);
    expect(await jobs()).toBe(2);
    await data.asOwner(
      "update trace_extractions set waits_since = now() - interval '61 seconds' where workspace_id = $1",
      [workspaceId],
    );
    expect(await putOff()).toBe(false);
    await data.asOwner('update trace_extractions set waits_since = now() where workspace_id = $1', [
      workspaceId,
    ]);
    expect(await putOff()).toBe(true);
    await state('failed');
    expect(await putOff()).toBe(false);
  });

  test('begins at once when the last document is read, and nobody else’s does', async () => {
    const { queue } = app.dependencies;
    const others = await data.createWorkspace(await data.createUser());
    const later = async (workspace: string): Promise<number> => {
      const [row] = await data.asOwner<{ count: string }>(
        `select count(*) from pgboss.job where name = 'traceability.extract' and data ->> 'workspaceId' = $1
           and start_after > now() and state = 'created'`,
        [workspace],
      );
      return Number(row?.count);
    };
    const mayBegin = () => within((t) => repository.mayBegin(t, workspaceId));
    const state = (status: string) =>
      data.asOwner('update work_product_versions set processing_status = $2 where workspace_id = $1', [
        workspaceId,
        status,
      ]);
    expect(await mayBegin(), 'nothing waits').toBe(false);
    await request();
    await state('running');
    expect(await mayBegin()).toBe(false);
    await within(async (t) => {
      await queue.enqueue(t, extractTraceJob, { workspaceId }, { afterSeconds: 3600 });
    });
    await app.dependencies.database.withWorkspace(others, (t) =>
      queue.enqueue(t, extractTraceJob, { workspaceId: others }, { afterSeconds: 3600 }),
    );
    await state('completed');
    expect(await mayBegin()).toBe(true);
    await queue.hasten(extractTraceJob, { workspaceId });
    expect([await later(workspaceId), await later(others)]).toEqual([0, 1]);
    await take();
    expect(await mayBegin(), 'it is under way').toBe(false);
  });

  test('knows every type of artifact by the number that the database gives it', async () => {
    await data.asOwner(
      `insert into artifacts (workspace_id, id, origin, ordinal, artifact_id, type, text, content_hash)
       select $1, gen_random_uuid(), 'manual', 1000000000 + n, type, type, '', 'x'
       from unnest($2::text[]) with ordinality as t (type, n)`,
      [workspaceId, ARTIFACT_TYPES],
    );
    const row = await within((t) => t.one<TraceRow>(selectTrace(workspaceId, { texts: false })));
    expect(readTrace(row).artifacts.map(({ id, type }) => [id, type])).toEqual(
      ARTIFACT_TYPES.map((type) => [type, type]),
    );
  });

  test('comes back from the database as it was stored: order, types, ends that nothing defines', async () => {
    const { queue } = app.dependencies;
    await request();
    const { attempt } = await take();
    const ids = ['SG-1', 'SG-2', 'SG-3'];
    await within((transaction) =>
      storeExtraction(
        transaction,
        queue,
        { workspaceId, attempt },
        { output: outputOf(ids), documents: documents(), engineVersion: '1' },
      ),
    );
    // As vacuum and later writes may leave it: rows lie in another order than they were written in.
    await within((t) => t.run(sql`update artifacts set name = 'moved' where artifact_id = 'SG-1'`));
    await within((t) => t.run(sql`update trace_links set quote = 'moved' where link_type = 'derives_from'`));
    const row = await within((t) => t.one<TraceRow>(selectTrace(workspaceId, { texts: true })));
    const { artifacts, links } = readTrace(row);
    expect(artifacts.map(({ id, type, name }) => [id, type, name])).toEqual([
      ['SG-1', 'safety_goal', 'moved'],
      ['SG-2', 'safety_goal', undefined],
      ['SG-3', 'safety_goal', undefined],
    ]);
    expect(links).toEqual(
      LINK_TYPES.map((type, at) => ({
        sourceId: 'SG-1',
        targetId: at % 2 === 0 ? 'SG-2' : 'SG-99',
        type,
        statedAt: (['source', 'target', 'both'] as const)[at % 3],
      })),
    );
  });

  const documents = () => [{ work_product_id: workProductId, version: 1, document_type: null }];

  /** Goals, and a link of every type from the first one. */
  function outputOf(
    ids: readonly string[],
    stored: Stored = { artifacts: null, links: null },
    textOf: (id: string) => string = (id) => `Text of ${id}`,
  ): TraceExtractionOutput {
    const place = [workProductId, '{"line":1}', 'words', '0', '5'];
    const rowsOf = (rows: readonly (readonly string[])[], known: Uint8Array | null): ChangedRows => {
      const { changed, removed } = rowComparer(storedHashes(known));
      const packer = rowPacker();
      for (const [id, ...values] of rows) {
        const row = changed(values, () => id!);
        if (row) packer.add(row);
      }
      return { written: packer.whole(), removed: removed() };
    };
    const artifacts = ids.map((id, at) => [
      ...[
        traceRowId(workspaceId, 'document', id),
        String(at + 1),
        id,
        'safety_goal',
        '',
        textOf(id),
        '',
        'D',
      ],
      ...['', '', 'hash', ...place, ''],
    ]);
    const links = LINK_TYPES.map((type, at) => {
      const target = at % 2 === 0 ? 'SG-2' : 'SG-99';
      const says = ['source', 'target', 'both'][at % 3]!;
      const key = traceRowId(workspaceId, 'document', 'SG-1', type, target);
      const ordinal = String(at + 1);
      return [key, ordinal, 'SG-1', target, '1', at % 2 === 0 ? '2' : '', type, says, '', ...place];
    });
    return {
      artifacts: rowsOf(artifacts, stored.artifacts),
      links: rowsOf(links, stored.links),
      artifactCount: ids.length,
      linkCount: LINK_TYPES.length,
      notes: [],
      noteCounts: {},
      said: { artifacts: { [workProductId]: '1f' }, links: {}, weighed: [] },
    };
  }
});
