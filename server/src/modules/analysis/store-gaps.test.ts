import { randomUUID } from 'node:crypto';
import type { Finding } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { TakenRun } from './analysis-kind.js';
import { storeEvidence } from './store-evidence.js';
import { type FoundGap, storeGaps } from './store-gaps.js';
import { storeResult } from './store-result.js';

const finding = (fingerprint: string, more: Partial<Finding> = {}): Finding => ({
  fingerprint,
  kind: 'missing',
  criterionId: 'C-1',
  title: 'Nothing there',
  standardRef: 'C-1',
  severity: 'low',
  confidence: 'low',
  severityReasons: [],
  expected: 'Something',
  observed: 'Nothing',
  whyItMatters: 'It does',
  recommendation: 'Add it',
  affectedItems: [],
  evidence: [],
  ...more,
});

describe('storing the gaps of a run', () => {
  let data: TestDatabase;
  let owner: Actor;
  let workspaceId: string;
  beforeAll(async () => {
    data = await createTestDatabase();
    owner = await data.createUser();
  });
  afterAll(async () => data?.stop());

  /** Two documents, and a run over some of them that a worker has in its hands. */
  const place = async () => {
    workspaceId = await data.createWorkspace(owner);
    return [await document(), await document()] as const;
  };
  const document = async (): Promise<string> => {
    const id = randomUUID();
    await data.asOwner(
      `with product as (
         insert into work_products (workspace_id, id, name, original_filename, file_size, file_type, processing_status,
                                    version, created_by)
         values ($1, $2, 'Document', 'document.md', 5, 'text/markdown', 'completed', 1, $3))
       insert into work_product_versions (workspace_id, work_product_id, version, file_name, file_size, file_type,
                                          sha256, object_key, uploaded_by, processing_status)
       values ($1, $2, 1, 'document.md', 5, 'text/markdown', 'x', 'x/y', $3, 'completed')`,
      [workspaceId, id, owner.userId],
    );
    return id;
  };
  const run = async (documents: readonly string[], found: readonly FoundGap[]) => {
    const id = randomUUID();
    await data.asOwner(
      `with run as (
         insert into analyses (workspace_id, id, type, series, status, mode, input_hash, engine_version, created_by)
         values ($1, $2::uuid, 'completeness', 'completeness', 'running', 'rules', $2::uuid::text, '1', $3))
       insert into analysis_inputs (workspace_id, analysis_id, work_product_id, version)
       select $1, $2, d, 1 from unnest($4::uuid[]) as d`,
      [workspaceId, id, owner.userId, documents],
    );
    const taken: TakenRun = {
      workspaceId,
      id,
      attempt: 0,
      type: 'completeness',
      series: 'completeness',
      engine_version: '1',
      standard_id: null,
      options: {},
      deadline_at: new Date(),
    };
    let changes: Awaited<ReturnType<typeof storeGaps>> | undefined;
    await data.database.withWorkspace(workspaceId, (transaction) =>
      storeResult(transaction, taken, async () => {
        changes = await storeGaps(transaction, taken, found);
        await storeEvidence(
          transaction,
          taken,
          found.map((one) => one.finding),
        );
        return { score: null, units: 0, counts: {}, details: {} };
      }),
    );
    return changes;
  };
  const gaps = async () =>
    (
      await data.asOwner<Record<'fingerprint' | 'change' | 'status', string>>(
        'select fingerprint, change, status from gaps where workspace_id = $1 order by fingerprint',
        [workspaceId],
      )
    ).map(({ fingerprint, change, status }) => `${fingerprint} ${change} ${status}`);
  const decide = (fingerprint: string, set: string) =>
    data.asOwner(`update gaps set ${set} where workspace_id = $1 and fingerprint = $2`, [
      workspaceId,
      fingerprint,
    ]);
  const about = (workProductId: string, fingerprint: string, more: Partial<Finding> = {}): FoundGap => ({
    finding: finding(fingerprint, more),
    workProductId,
  });

  test('tells what is new, unchanged, updated and gone, and what is new again', async () => {
    const [one] = await place();
    expect(await run([one], [about(one, 'a'), about(one, 'b')])).toEqual(counts({ new: 2 }));
    const changed = about(one, 'b', { observed: 'Half of it' });
    expect(await run([one], [about(one, 'a'), changed])).toEqual(counts({ unchanged: 1, updated: 1 }));
    expect(await run([one], [changed])).toEqual(counts({ unchanged: 1, absent: 1 }));
    expect(await run([one], [changed])).toEqual(counts({ unchanged: 1 }));
    expect(await run([one], [about(one, 'a')])).toEqual(counts({ new: 1, absent: 1 }));
    expect(await gaps()).toEqual(['a new open', 'b absent open']);
  });

  test('says nothing about documents that it did not read, but of those that were deleted', async () => {
    const [one, two] = await place();
    await run([one, two], [about(one, 'a'), about(two, 'b'), { finding: finding('c') }]);
    expect(await run([one], [])).toEqual(counts({ absent: 2 }));
    expect(await gaps()).toEqual(['a absent open', 'b new open', 'c absent open']);
    expect(await run([one, two], [about(two, 'b')])).toEqual(counts({ unchanged: 1 }));
    await data.asOwner('update work_products set deleted_at = now() where id = $1', [two]);
    expect(await run([one], [])).toEqual(counts({ absent: 1 }));
  });

  test('opens again what a person was done with, and nothing else', async () => {
    const [one] = await place();
    const found = ['a', 'b', 'c', 'd'].map((name) => about(one, name));
    await run([one], found);
    await decide('a', "status = 'resolved', reason = 'mended'");
    await decide('b', "status = 'accepted', reason = 'so be it', accepted_until = now() - interval '1 day'");
    await decide('c', "status = 'accepted', reason = 'so be it', accepted_until = now() + interval '1 day'");
    await decide('d', "status = 'in_progress'");
    await run([one], found);
    expect(await gaps()).toEqual([
      'a unchanged open',
      'b unchanged open',
      'c unchanged accepted',
      'd unchanged in_progress',
    ]);
    expect(
      await data.asOwner('select note, reason from gaps where workspace_id = $1 order by fingerprint', [
        workspaceId,
      ]),
    ).toEqual([
      { note: 'Found again after it had been resolved.', reason: null },
      { note: 'Found again after its acceptance had ended.', reason: null },
      { note: null, reason: 'so be it' },
      { note: null, reason: null },
    ]);
  });

  test('keeps what a former run saw when a later one sees something else', async () => {
    const [one] = await place();
    const seen = (observed: string) => [about(one, 'a', { observed })];
    for (const observed of ['First', 'First', 'Second', 'Third']) await run([one], seen(observed));
    const told = await data.asOwner<{ observed: string }>(
      `select coalesce(o.finding, g.finding) ->> 'observed' as observed
       from gap_occurrences o
       join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
       join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
       where o.workspace_id = $1 order by a.finished_at`,
      [workspaceId],
    );
    expect(told.map(({ observed }) => observed)).toEqual(['First', 'First', 'Second', 'Third']);
  });

  test('stores many at once', async () => {
    const [one] = await place();
    const evidence: Finding['evidence'] = [
      { documentId: one, location: { line: 1 }, quote: 'words', start: 0, end: 5, role: 'counter' },
    ];
    const found = Array.from({ length: 16_000 }, (_, n) => about(one, `f${n}`, { evidence }));
    expect(await run([one], found)).toEqual(counts({ new: 16_000 }));
    const [stored] = await data.asOwner<{ count: number }>(
      'select count(distinct gap_id)::integer as count from analysis_evidence where workspace_id = $1',
      [workspaceId],
    );
    expect(stored?.count).toBe(16_000);
  });
});

const counts = (some: object) => ({ new: 0, unchanged: 0, updated: 0, absent: 0, ...some });
