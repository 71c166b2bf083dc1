import { randomUUID } from 'node:crypto';
import type { Finding } from '@normtrace/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../../platform/database/database.js';
import { about, finding, storedRuns } from '../../testing/stored-runs.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { FoundGap } from './store-gaps.js';

describe('storing the gaps of a run', () => {
  let data: TestDatabase;
  let owner: Actor;
  let workspaceId: string;
  let runs: ReturnType<typeof storedRuns>;
  beforeAll(async () => {
    data = await createTestDatabase();
    owner = await data.createUser();
  });
  afterAll(async () => data?.stop());

  /** A workspace with two documents. */
  const place = async () => {
    workspaceId = await data.createWorkspace(owner);
    runs = storedRuns(data, { workspaceId, userId: owner.userId });
    return [await runs.document(), await runs.document()] as const;
  };
  const run = async (documents: readonly string[], found: readonly FoundGap[]) =>
    (await runs.run(documents, found)).changes;
  const gaps = async () =>
    (
      await data.asOwner<Record<'fingerprint' | 'change' | 'status', string>>(
        'select fingerprint, change, status from gaps where workspace_id = $1 order by fingerprint',
        [workspaceId],
      )
    ).map(({ fingerprint, change, status }) => `${fingerprint} ${change} ${status}`);
  /** As before bases of decisions were kept: they rest on the gap as it is stored. */
  const decide = (fingerprint: string, set: string) =>
    data.asOwner(
      `update gaps set ${set}, decision_bases = null where workspace_id = $1 and fingerprint = $2`,
      [workspaceId, fingerprint],
    );
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

  test('leaves alone what it finds as it is stored, and notes that it did', async () => {
    const [one] = await place();
    const found = [about(one, 'a'), about(one, 'b')];
    await run([one], found);
    expect(await run([one], found)).toEqual(counts({ unchanged: 2 }));
    const stored = () =>
      data.asOwner<{ row: string; run: string; observed: string | null }>(
        `select g.xmin::text as row, s.analysis_id as run, g.finding ->> 'observed' as observed
         from gaps g join gap_sightings s on s.workspace_id = g.workspace_id and s.gap_id = g.id
         where g.workspace_id = $1 order by g.fingerprint`,
        [workspaceId],
      );
    const before = await stored();
    expect(await run([one], found)).toEqual(counts({ unchanged: 2 }));
    const after = await stored();
    expect(after.map(({ row }) => row)).toEqual(before.map(({ row }) => row));
    expect(after[0]?.run).not.toBe(before[0]?.run);
    // What was erased is found again.
    await data.asOwner(
      "update gaps set finding = finding - 'observed', said = null where workspace_id = $1 and fingerprint = 'a'",
      [workspaceId],
    );
    expect(await run([one], found)).toEqual(counts({ unchanged: 1, updated: 1 }));
    expect((await stored())[0]?.observed).toBe(after[0]?.observed);
    expect(await run([one], [found[1]!])).toEqual(counts({ unchanged: 1, absent: 1 }));
  });

  test('looks at what a finding says, not at its words: a corrected text changes nothing', async () => {
    const [one] = await place();
    const sentence = (key: string, id: string) => ({ key, values: { id } });
    const words = (observed: string, id: string) => ({
      observed,
      said: {
        title: sentence('findings.title', id),
        severityReasons: [],
        expected: sentence('findings.expected', id),
        observed: sentence('findings.observed', id),
        whyItMatters: sentence('findings.why', id),
        recommendation: sentence('findings.recommendation', id),
      },
    });
    const before = about(one, 'a', words('FSR-01 has no verifcation.', 'FSR-01'));
    const corrected = about(one, 'a', words('FSR-01 has no verification.', 'FSR-01'));
    const other = about(one, 'a', words('FSR-01 has no verification.', 'FSR-02'));
    const withoutKeys = about(one, 'b', { observed: 'As an earlier version wrote it' });
    const withKeys = about(one, 'b', words('As an earlier version wrote it', 'FSR-03'));
    await run([one], [before, withoutKeys]);
    expect(await run([one], [corrected, withKeys])).toEqual(counts({ unchanged: 2 }));
    const [stored] = await data.asOwner<{ observed: string }>(
      "select finding ->> 'observed' as observed from gaps where workspace_id = $1 and fingerprint = 'a'",
      [workspaceId],
    );
    expect(stored?.observed).toBe('FSR-01 has no verification.');
    expect(await run([one], [other, withKeys])).toEqual(counts({ unchanged: 1, updated: 1 }));
  });

  test('says the same with words of ours that have another language now, or a better translation', async () => {
    const [one] = await place();
    const said = (title: unknown, others: readonly unknown[] = [title]) => ({
      title: { key: 'findings.not-found', values: { title } },
      severityReasons: [],
      expected: { key: 'findings.work-products-exist', values: { titles: others } },
      observed: { key: 'general.written', values: { text: 'Said "so", {"de": "x"}' } },
      whyItMatters: { key: 'findings.why' },
      recommendation: { key: 'findings.recommendation' },
    });
    const told = (title: unknown) => about(one, 'a', { said: said(title) } as Partial<Finding>);
    const quoted = 'Concept, "as \\ agreed"';
    await run([one], [told(quoted)]);
    expect(await run([one], [told({ en: quoted, de: 'Konzept' })])).toEqual(counts({ unchanged: 1 }));
    expect(await run([one], [told({ en: quoted, de: 'Das „Konzept“, "neu"' })])).toEqual(
      counts({ unchanged: 1 }),
    );
    expect(await run([one], [told({ en: 'Another concept', de: 'Konzept' })])).toEqual(
      counts({ updated: 1 }),
    );
  });

  test('takes the order in which documents were searched for no change', async () => {
    const [one, two] = await place();
    const searched = (documentIds: readonly string[], affected: readonly string[]) => {
      const search = (ids: readonly string[]) => ({
        statement: '',
        documentIds: ids,
        passages: 2,
        terms: [],
      });
      return [
        {
          finding: finding('a', {
            said: { title: { key: 'k', values: {} } } as unknown as NonNullable<Finding['said']>,
            search: search(documentIds),
            affected: [{ id: 'x', kind: 'missing', severity: 'low' as const, search: search(affected) }],
          }),
        },
      ];
    };
    await run([one, two], searched([one, two], [one, two]));
    expect(await run([one, two], searched([two, one], [one, two]))).toEqual(counts({ unchanged: 1 }));
    expect(await run([one, two], searched([two, one], [two, one]))).toEqual(counts({ unchanged: 1 }));
    expect(await run([one, two], searched([two, one], [two]))).toEqual(counts({ updated: 1 }));
    expect(await run([one, two], searched([two], [two]))).toEqual(counts({ updated: 1 }));
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
    const found = ['a', 'b', 'c', 'd', 'e'].map((name) => about(one, name));
    await run([one], found);
    await decide('a', "status = 'resolved', resolution = 'fixed', reason = 'mended'");
    await decide('b', "status = 'accepted', reason = 'so be it', accepted_until = now() - interval '1 day'");
    await decide('c', "status = 'accepted', reason = 'so be it', accepted_until = now() + interval '1 day'");
    await decide('d', "status = 'in_progress', severity_override = 'critical'");
    await decide('e', "status = 'resolved', resolution = 'false_positive', reason = 'not so'");
    await run([one], found);
    expect(await gaps()).toEqual([
      'a unchanged open',
      'b unchanged open',
      'c unchanged accepted',
      'd unchanged in_progress',
      'e unchanged resolved',
    ]);
    const after = await data.asOwner(
      'select note, reason, effective_severity from gaps where workspace_id = $1 order by fingerprint',
      [workspaceId],
    );
    expect(after).toEqual([
      { note: 'Found again after it had been resolved.', reason: null, effective_severity: 'low' },
      { note: 'Found again after its acceptance had ended.', reason: null, effective_severity: 'low' },
      { note: null, reason: 'so be it', effective_severity: 'low' },
      { note: null, reason: null, effective_severity: 'critical' },
      { note: null, reason: 'not so', effective_severity: 'low' },
    ]);
    const told = await data.asOwner(
      `select e.actor_id, e.action, e.before ->> 'status' as before, e.after ->> 'status' as after
       from audit_events e where e.workspace_id = $1 order by sequence`,
      [workspaceId],
    );
    const reopened = { actor_id: null, action: 'gap.reopened', after: 'open' };
    expect(told).toEqual([
      { ...reopened, before: 'resolved' },
      { ...reopened, before: 'accepted' },
    ]);
  });

  test('lets a severity that a person set count until worse is found than there was then', async () => {
    const [one] = await place();
    const found = (severity: 'high' | 'medium') => [about(one, 'a', { severity })];
    await run([one], found('medium'));
    await decide('a', "severity_override = 'low', severity_reason = 'small'");
    const counts = async () =>
      (
        await data.asOwner<{ effective_severity: string; note: string | null }>(
          'select effective_severity, note from gaps where workspace_id = $1',
          [workspaceId],
        )
      )[0];
    await run([one], found('medium'));
    expect(await counts()).toEqual({ effective_severity: 'low', note: null });
    await run([one], found('high'));
    const note =
      'The severity that was set does not cover what was found since: it is high now, it was medium.';
    expect(await counts()).toEqual({ effective_severity: 'high', note });
    const told = await data.asOwner(
      `select actor_id, action, before ->> 'severity' as before, after ->> 'severity' as after, after -> 'changed' as changed
       from audit_events where workspace_id = $1`,
      [workspaceId],
    );
    const event = { actor_id: null, action: 'gap.severity_changed' };
    expect(told).toEqual([{ ...event, before: 'low', after: 'high', changed: ['severity'] }]);
  });

  test('keeps what a former run saw when a later one sees something else', async () => {
    const [one] = await place();
    const seen = (observed: string) => [about(one, 'a', { observed })];
    for (const observed of ['First', 'First', 'Second', 'Third']) await run([one], seen(observed));
    const told = await data.asOwner<{ observed: string }>(
      `select coalesce(o.finding, g.finding) ->> 'observed' as observed
       from gaps_of_runs o
       join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
       join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
       where o.workspace_id = $1 order by a.finished_at`,
      [workspaceId],
    );
    expect(told.map(({ observed }) => observed)).toEqual(['First', 'First', 'Second', 'Third']);
  });

  test('writes nothing of what the run before had, and each run has what it found', async () => {
    const [one, two] = await place();
    const quoting = (fingerprint: string, quote = `words of ${fingerprint}`, document = one): FoundGap =>
      about(document, fingerprint, {
        evidence: [
          {
            documentId: document,
            location: { line: 1 },
            quote,
            start: 0,
            end: quote.length,
            role: 'counter',
          },
        ],
      });
    const written = async () =>
      data.asOwner<{ table: string; rows: number }>(
        `select 'occurrences' as table, count(*)::integer as rows from gap_occurrences where workspace_id = $1
         union all select 'evidence', count(*)::integer from analysis_evidence where workspace_id = $1 order by 1 desc`,
        [workspaceId],
      );
    const rows = async () => (await written()).map((row) => row.rows);
    const [a, b, c] = [quoting('a'), quoting('b'), quoting('c')];
    const told: (readonly string[])[] = [];
    const store = async (found: readonly FoundGap[], documents: readonly string[] = [one, two]) => {
      await run(documents, found);
      told.push(
        found.map(({ finding: { fingerprint, evidence } }) => `${fingerprint}: ${evidence[0]!.quote}`),
      );
    };
    await store([a, b]);
    expect(await rows()).toEqual([2, 2]);
    for (let n = 0; n < 4; n++) await store([a, b]);
    expect(await rows()).toEqual([2, 2]);
    // One comes in between, one goes, one is quoted otherwise, two change places.
    await store([a, c, b]);
    expect(await rows()).toEqual([3, 3]);
    await store([a, b]);
    await store([a, b]);
    expect(await rows()).toEqual([4, 3]);
    await store([a, quoting('b', 'other words')]);
    expect(await rows()).toEqual([4, 4]);
    await store([quoting('b', 'other words'), a]);
    // A run that does not look at it says nothing of it, the next one finds it again.
    await store([], [two]);
    await store([a, quoting('b', 'other words')]);

    const seen = await data.asOwner<{ gaps: string[] }>(
      `select array(select g.fingerprint || ': ' || (
                      select string_agg(e.quote, ' ' order by e.ordinal) from evidence_of_runs e
                      where e.workspace_id = o.workspace_id and e.gap_id = o.gap_id and e.analysis_id = o.analysis_id)
                    from gaps_of_runs o join gaps g on g.workspace_id = o.workspace_id and g.id = o.gap_id
                    where o.workspace_id = a.workspace_id and o.analysis_id = a.id and o.change <> 'absent'
                    order by o.ordinal) as gaps
       from analyses a where a.workspace_id = $1 order by a.number`,
      [workspaceId],
    );
    expect(seen.map((one) => one.gaps)).toEqual(told);
    const changes = await data.asOwner<{ changes: string }>(
      `select string_agg(o.change, ' ' order by a.number) as changes
       from gaps g join gaps_of_runs o on o.workspace_id = g.workspace_id and o.gap_id = g.id
       join analyses a on a.workspace_id = o.workspace_id and a.id = o.analysis_id
       where g.workspace_id = $1 group by g.fingerprint order by g.fingerprint`,
      [workspaceId],
    );
    const unchanged = (times: number) => Array.from({ length: times }, () => 'unchanged');
    expect(changes.map((one) => one.changes.split(' '))).toEqual([
      ['new', ...unchanged(10)],
      ['new', ...unchanged(10)],
      ['new', 'absent'],
    ]);
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

  test('puts decisions that were imported onto many at once, with the ids that the gaps had', async () => {
    const [one] = await place();
    const found = Array.from({ length: 4_000 }, (_, n) => about(one, `i${n}`));
    await data.asOwner(
      `insert into imported_work (workspace_id, kind, series, fingerprint, content, imported_by, imported_by_name)
       select $1, 'gap_decisions', 'completeness', 'i' || n,
              jsonb_build_object('gap_id', gen_random_uuid(), 'status', 'in_progress', 'due_date', '2030-01-31',
                'accepted_by', null, 'bases', '{}'::jsonb, 'proposals', '[]'::jsonb, 'comments', jsonb_build_array(
                  jsonb_build_object('author', $2::text, 'text', 'Seen.', 'created_at', now()))),
              $2::uuid, 'Jo'
       from generate_series(2000, 5999) as n`,
      [workspaceId, randomUUID()],
    );
    const before = await data.asOwner<{ id: string }>(
      `select content ->> 'gap_id' as id from imported_work where workspace_id = $1 and fingerprint = 'i3999'`,
      [workspaceId],
    );
    await run([one], found);
    const [told] = await data.asOwner<{ decided: number; commented: number; waiting: number }>(
      `select (select count(*)::int from gaps where workspace_id = $1 and status = 'in_progress'
                 and note = 'Imported from an archive by Jo.') as decided,
              (select count(*)::int from comments where workspace_id = $1) as commented,
              (select count(*)::int from imported_work where workspace_id = $1) as waiting`,
      [workspaceId],
    );
    expect(told).toEqual({ decided: 2_000, commented: 2_000, waiting: 2_000 });
    const kept = await data.asOwner(
      `select id from gaps where workspace_id = $1 and fingerprint = 'i3999' and status = 'in_progress'`,
      [workspaceId],
    );
    expect(kept).toEqual(before);
  });
});

const counts = (some: object) => ({ new: 0, unchanged: 0, updated: 0, absent: 0, ...some });
