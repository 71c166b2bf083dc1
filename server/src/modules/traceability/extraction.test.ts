import { ARTIFACT_TYPES, LINK_TYPES } from '@normtrace/engine';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { TraceExtractionOutput } from '../engine/extract-trace-task.js';
import { readTrace } from '../engine/read-trace.js';
import { packColumns, traceRowId } from '../engine/trace-columns.js';
import * as repository from './extraction.repository.js';
import { ExtractionLost, storeExtraction } from './store-extraction.js';
import { selectTrace, type TraceRow } from './trace.repository.js';

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
          { output: outputOf(ids), documents: [], engineVersion: '1' },
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
        { output: outputOf(ids), documents: [], engineVersion: '1' },
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

  /** Goals, and a link of every type from the first one. */
  function outputOf(ids: readonly string[]): TraceExtractionOutput {
    const place = [workProductId, '1', '{"line":1}', 'words', '0', '5'];
    return {
      artifacts: [
        {
          first: 0,
          columns: packColumns(ids, (id) => [
            ...[traceRowId(workspaceId, 'document', id), id, 'safety_goal', '', `Text of ${id}`, '', 'D'],
            ...['', '', 'hash', ...place, ''],
          ]),
        },
      ],
      links: [
        {
          first: 0,
          columns: packColumns([...LINK_TYPES.entries()], ([at, type]) => {
            const target = at % 2 === 0 ? 'SG-2' : 'SG-99';
            const stated = ['source', 'target', 'both'][at % 3]!;
            const key = traceRowId(workspaceId, 'document', 'SG-1', type, target);
            return [key, 'SG-1', target, '1', at % 2 === 0 ? '2' : '', type, stated, ...place];
          }),
        },
      ],
      artifactCount: ids.length,
      linkCount: LINK_TYPES.length,
      notes: [],
      noteCounts: {},
    };
  }
});
