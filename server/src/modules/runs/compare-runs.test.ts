import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { about, finding, storedRuns } from '../../testing/stored-runs.js';
import { type Answer, type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import type { HistoryEntry } from '../gaps/gap-history.schemas.js';
import type { ComparedGap } from './compare-runs.schemas.js';

describe('comparing runs', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let reader: Client;
  let workspaceId: string;
  let runs: ReturnType<typeof storedRuns>;
  let documents: readonly [string, string];
  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data);
    owner = await app.enter();
    reader = await app.enter();
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  const place = async () => {
    workspaceId = await data.createWorkspace(owner);
    await data.asOwner(
      "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'manager')",
      [workspaceId, reader.userId],
    );
    runs = storedRuns(data, { workspaceId, userId: owner.userId });
    documents = [await runs.document(), await runs.document()];
    return documents;
  };
  const compare = (base: string, head: string, { query = '', by = owner } = {}): Promise<Answer> =>
    by.request('GET', `/api/v1/analysis/compare?base=${base}&head=${head}${query}`);
  const compared = async (base: { id: string }, head: { id: string }, options = {}) =>
    (await compare(base.id, head.id, options)).body as {
      items: ComparedGap[];
      total: number;
      counts: Record<string, number>;
    };
  const counts = (some: object) => ({
    new: 0,
    unchanged: 0,
    updated: 0,
    absent: 0,
    not_compared: 0,
    ...some,
  });
  const fieldsOf = ({ items }: { items: ComparedGap[] }) =>
    items.map(({ change, base, head, differences }) => [
      change,
      base?.observed ?? null,
      head?.observed ?? null,
      differences.map(({ field }) => field),
    ]);

  test('any two runs of a series, both ways, also when others lie between them', async () => {
    const [one] = await place();
    const first = await runs.run([one], [about(one, 'a'), about(one, 'b'), about(one, 'c')]);
    await runs.run([one], [about(one, 'b', { observed: 'A quarter' })]);
    const grown = about(one, 'b', { observed: 'Half of it', severity: 'high', whyItMatters: 'More' });
    const third = await runs.run([one], [about(one, 'a'), grown, about(one, 'd')]);
    const forward = await compared(first, third);
    expect(forward.counts).toEqual(counts({ new: 1, unchanged: 1, updated: 1, absent: 1 }));
    expect(forward.total).toBe(4);
    const updated = await compared(first, third, { query: '&change=updated' });
    expect([updated.total, updated.counts]).toEqual([1, forward.counts]);
    expect(fieldsOf(updated)).toEqual([
      ['updated', 'Nothing', 'Half of it', ['observed', 'severity', 'why_it_matters']],
    ]);
    const back = await compared(third, first, { query: '&change=updated' });
    expect(fieldsOf(back)[0]?.slice(0, 3)).toEqual(['updated', 'Half of it', 'Nothing']);
    expect((await compared(third, first)).counts).toEqual(
      counts({ new: 1, unchanged: 1, updated: 1, absent: 1 }),
    );
    expect((await compared(third, third)).counts).toEqual(counts({ unchanged: 3 }));

    const page = await compared(first, third, { query: '&limit=1' });
    expect([page.items.length, page.total]).toEqual([1, 4]);
    const gapId = updated.items[0]?.gap_id;
    const history = (await owner.request('GET', `/api/v1/analysis/gaps/${gapId}/history?type=run`)).body as {
      items: HistoryEntry[];
    };
    expect(history.items.map(({ change, severity, fields }) => [change, severity, fields])).toEqual([
      ['updated', 'high', ['observed', 'severity', 'why_it_matters']],
      ['updated', 'low', ['observed']],
      ['new', 'low', []],
    ]);
  });

  test('what the later run did not look at is not called absent', async () => {
    const [one, two] = await place();
    const both = await runs.run([one, two], [about(one, 'a'), about(two, 'b'), { finding: finding('c') }]);
    const alone = await runs.run([one], []);
    expect((await compared(both, alone)).counts).toEqual(counts({ absent: 2, not_compared: 1 }));
    await data.asOwner('update work_products set deleted_at = now() where id = $1', [two]);
    expect((await compared(both, alone)).counts).toEqual(counts({ absent: 3 }));
  });

  test('only what can be compared, and only by those who may read it', async () => {
    const [one] = await place();
    const run = await runs.run([one], []);
    const standardId = await uploadedStandard();
    const other = await runs.run([one], [], { standardId });
    const issue = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      const { error } = body as { error: { details: { issues?: { code: string }[] } } };
      return [status, error.details.issues?.[0]?.code];
    };
    expect(await issue(compare(run.id, other.id))).toEqual([422, 'other_series']);
    expect(await issue(compare(run.id, randomUUID()))).toEqual([404, undefined]);
    expect(await issue(compare(randomUUID(), run.id))).toEqual([404, undefined]);
    const stranger = await app.enter();
    expect(await issue(compare(run.id, run.id, { by: stranger }))).toEqual([404, undefined]);
    await data.asOwner("update analyses set status = 'failed' where id = $1", [run.id]);
    expect(await issue(compare(run.id, run.id))).toEqual([422, 'no_result']);
  });

  test('clauses that the later run did not judge are not compared, words of standards are hidden', async () => {
    const [one] = await place();
    const standardId = await uploadedStandard();
    const of = (name: string, more = {}) => about(one, name, { criterionId: name, ...more });
    const whole = await runs.run([one], [of('C-1', { expected: 'Secret words' }), of('C-2')], { standardId });
    const part = await runs.run([one], [of('C-1', { expected: 'Other secret words', severity: 'high' })], {
      standardId,
      clauses: ['C-1'],
    });
    const forOwner = await compared(whole, part);
    expect(forOwner.counts).toEqual(counts({ updated: 1, not_compared: 1 }));
    const differences = (by: Client) =>
      compared(whole, part, { by, query: '&change=updated' }).then((one) => fieldsOf(one)[0]?.[3]);
    expect(await differences(owner)).toEqual(['expected', 'severity']);
    expect(await differences(reader)).toEqual(['severity']);
    expect((await compare(whole.id, part.id, { by: reader })).text).not.toMatch(/secret words/i);
  });

  /** Attested by the owner, who shares it with nobody. */
  async function uploadedStandard(): Promise<string> {
    const id = randomUUID();
    await data.asOwner(
      `with file as (
         insert into standard_files (workspace_id, id, standard_id, file_name, file_size, file_type, sha256, object_key,
                                     created_by)
         values ($1, $2, $2, 'own.pdf', 1, 'application/pdf', 'x', $1::uuid::text || '/x', $3)),
       attestation as (
         insert into attestations (workspace_id, action, standard_id, user_id, organisation, standard_designation,
                                   edition, file_sha256, licence_type, licence_holder, statement_version,
                                   allows_workspace_sharing, allows_ai_processing)
         values ($1, 'attested', $2, $3, 'O', 'Own', '1', 'x', 'single_user', 'O', '1', false, false))
       insert into standards (workspace_id, id, name, category, requires_attestation, file_id, processing_status,
                              created_by)
       values ($1, $2, 'Own', 'functional_safety', true, $2, 'completed', $3)`,
      [workspaceId, id, owner.userId],
    );
    return id;
  }
});
