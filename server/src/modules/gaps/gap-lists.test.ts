import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../platform/database/sql.js';
import { type FilledApp, startFilledApp } from '../../testing/filled-app.js';
import type { Client } from '../../testing/test-app.js';
import type { TestDatabase } from '../../testing/test-database.js';
import { evidenceOfGap } from './gap-evidence.repository.js';
import { SUMMARY_SORTS, selectGapKeys } from './gap-lists.repository.js';
import type { GapSummary } from './gap-lists.schemas.js';
import { LAST_SEEN } from './gaps.repository.js';
import type { Gap } from './gaps.schemas.js';

let database: TestDatabase;
let started: FilledApp | undefined;
let owner: Client;
let engineer: Client;
let manager: Client;
let workspace: string;

beforeAll(async () => {
  started = await startFilledApp();
  ({ database, owner, engineer, manager } = started);
  ({ workspace } = started.filled);
}, 300_000);
afterAll(async () => {
  await started?.stop();
});

const get = async <Body>(path: string, client = owner, headers = {}): Promise<Body> => {
  const answer = await client.request('GET', `/api/v1${path}`, { headers });
  expect([path, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, 200, '']);
  return answer.body as Body;
};
interface Facets {
  readonly total: number;
  readonly facets: Readonly<
    Record<string, { values: { value: string; label: string | null; count: number }[]; more: number }>
  >;
}
const facetsOf = (query = '') => get<Facets>(`/analysis/gaps/facets?workspace_id=${workspace}${query}`);
const totalOf = async (query: string) =>
  (await get<{ total: number }>(`/analysis/gaps?workspace_id=${workspace}&limit=1${query}`)).total;

describe('the facets of gaps', () => {
  it.each([
    '',
    '&severity=high,critical',
    '&status=open&analysis_type=gap_analysis',
    '&change=new&type=placeholder',
    '&has=comment,proposal,waiver',
    '&document_type=functional_safety_concept&severity=high,critical',
  ])(
    'say what the list has with each value (%s)',
    async (filters) => {
      const { total, facets } = await facetsOf(filters);
      expect(total).toBe(await totalOf(filters));
      expect(Object.keys(facets).length).toBe(11);
      for (const [facet, { values, more }] of Object.entries(facets)) {
        expect(more === 0 || values.length === 50).toBe(true);
        const others = filters
          .split('&')
          .filter((one) => one !== '' && !one.startsWith(`${facet}=`))
          .map((one) => `&${one}`)
          .join('');
        for (const { value, count } of values.slice(0, 6)) {
          const listed = await totalOf(`${others}&${facet}=${encodeURIComponent(value)}`);
          expect([facet, value, count]).toEqual([facet, value, listed]);
        }
      }
    },
    120_000,
  );

  it('count a gap for each document that it is about, that was searched, or that it quotes', async () => {
    const { items } = await get<{ items: Gap[] }>(`/analysis/gaps?workspace_id=${workspace}&limit=100`);
    const gapsOf = new Map<string, Set<string>>();
    for (const { id, work_product_id, search, evidence } of items) {
      const about = [
        work_product_id,
        ...((search?.work_product_ids ?? []) as readonly string[]),
        ...evidence.map((one) => one.work_product_id),
      ];
      for (const document of about) {
        if (document) gapsOf.set(document, (gapsOf.get(document) ?? new Set()).add(id));
      }
    }
    const { facets } = await facetsOf('&facets=work_product_id');
    const counted = facets.work_product_id!.values.map(({ value, count }) => [value, count] as const);
    expect(new Map(counted)).toEqual(new Map([...gapsOf].map(([value, ids]) => [value, ids.size])));
    expect(gapsOf.size).toBeGreaterThan(1);
  });

  it('name what ids mean, and only those that are asked for', async () => {
    const { facets } = await facetsOf('&facets=work_product_id,standard_id');
    expect(Object.keys(facets).sort()).toEqual(['standard_id', 'work_product_id']);
    const labels = [...facets.work_product_id!.values, ...facets.standard_id!.values].map(
      ({ label }) => label,
    );
    expect(labels).toEqual(expect.arrayContaining(['wombat concept', 'House rules']));
    expect(labels).not.toContain(null);
  });
});

describe('filters of gaps', () => {
  const idsOf = async (query: string) =>
    (await get<{ items: Gap[] }>(`/analysis/gaps?workspace_id=${workspace}&limit=100${query}`)).items
      .map(({ id }) => id)
      .sort();

  it('take the type of the documents that a gap is about, searched or quotes', async () => {
    const { items } = await get<{ items: { id: string; category: string }[] }>(
      `/work-products?workspace_id=${workspace}`,
    );
    expect(new Set(items.map(({ category }) => category)).size).toBe(2);
    const found: string[][] = [];
    for (const { id, category } of items) {
      const ids = await idsOf(`&document_type=${category}`);
      expect([category, ids]).toEqual([category, await idsOf(`&work_product_id=${id}`)]);
      found.push(ids);
    }
    expect(found[0]).not.toEqual(found[1]);
    const both = await idsOf(`&document_type=${items.map(({ category }) => category).join(',')}`);
    expect(both).toEqual([...new Set(found.flat())].sort());
    expect(await idsOf('&document_type=cybersecurity_plan')).toEqual([]);
  });

  it('take what people left at a gap: proposals, comments and waivers', async () => {
    const had = async () => ({
      proposal: await idsOf('&has=proposal'),
      comment: await idsOf('&has=comment'),
      waiver: await idsOf('&has=waiver'),
    });
    const change = (client: Client, id: string, body: object) =>
      client.request('PATCH', `/api/v1/analysis/gaps/${id}`, { body });
    const before = await had();
    expect([before.proposal, before.comment.length, before.waiver]).toEqual([[], 1, []]);
    const [proposed, waived] = (await idsOf('&status=open&severity=low,medium')) as [string, string];
    const reason = 'Not in this variant.';
    const asked = { status: 'resolved', resolution: 'false_positive', reason };
    expect((await change(engineer, proposed, asked)).status).toBe(200);
    expect((await change(manager, waived, { status: 'accepted', reason })).status).toBe(200);
    const said = await engineer.request('POST', `/api/v1/analysis/gaps/${waived}/comments`, {
      body: { text: 'Agreed.' },
    });
    const comments = [...before.comment, waived].sort();
    const now = await had();
    expect({ ...now, comment: [...now.comment].sort() }).toEqual({
      proposal: [proposed],
      comment: comments,
      waiver: [waived],
    });
    expect((await idsOf('&has=proposal,comment')).sort()).toEqual([...comments, proposed].sort());
    const preview = await manager.request('POST', '/api/v1/analysis/gaps/preview', {
      body: {
        workspace_id: workspace,
        filter: { has: 'proposal,comment' },
        expected_total: 3,
        change: { due_date: '2030-01-31' },
      },
    });
    expect(preview.body).toMatchObject({ total: 3 });
    const { id } = said.body as { id: string };
    expect((await engineer.request('DELETE', `/api/v1/comments/${id}`)).status).toBeLessThan(300);
    expect(await idsOf('&has=comment')).toEqual(before.comment);
    const { proposals } = await get<Gap>(`/analysis/gaps/${proposed}`);
    await engineer.request('PATCH', `/api/v1/analysis/gaps/${proposed}/proposals/${proposals[0]!.id}`, {
      body: { decision: 'withdraw' },
    });
    await change(manager, waived, { status: 'open' });
    expect(await had()).toEqual(before);
  });
});

describe('gaps in short', () => {
  it('stand beside each other with those of one owner or one document, the others behind', async () => {
    const page = await get<{ items: GapSummary[] }>(
      `/analysis/gaps/summaries?workspace_id=${workspace}&limit=500&sort=work_product_id`,
    );
    const ids = page.items.map(({ work_product_id }) => work_product_id);
    const runs = ids.filter((id, at) => id !== ids[at - 1]);
    expect(new Set(runs).size).toBe(runs.length);
    expect(runs.length).toBeGreaterThan(1);
    expect(runs.indexOf(null)).toBe(ids.includes(null) ? runs.length - 1 : -1);
    const { id } = page.items.at(-1)!;
    const mine = await owner.request('PATCH', '/api/v1/analysis/gaps', {
      body: { workspace_id: workspace, ids: [id], change: { assignee: owner.userId } },
    });
    expect(mine.status).toBe(200);
    const owned = await get<{ items: GapSummary[] }>(
      `/analysis/gaps/summaries?workspace_id=${workspace}&limit=500&sort=assignee`,
    );
    const owners = owned.items.map(({ assignee }) => assignee);
    expect(owners.filter((one, at) => one !== owners[at - 1]).at(-1)).toBeNull();
    expect(owners[0]).not.toBeNull();
  });

  it('are the gaps of the list in its order, page after page', async () => {
    for (const sort of ['-severity', 'title', '-created_at', 'due_date', 'clause']) {
      const query = `workspace_id=${workspace}&sort=${sort}`;
      const whole = await get<{ items: Gap[]; total: number }>(`/analysis/gaps?${query}&limit=100`);
      const short: GapSummary[] = [];
      let cursor = '';
      do {
        const page = await get<{ items: GapSummary[]; total: number; next_cursor: string | null }>(
          `/analysis/gaps/summaries?${query}&limit=40&cursor=${cursor}`,
        );
        expect(page.total).toBe(whole.total);
        short.push(...page.items);
        cursor = page.next_cursor ?? '';
      } while (cursor);
      expect(short.length).toBe(whole.total);
      for (const [at, gap] of whole.items.entries()) {
        const one = short[at]!;
        expect([sort, one.id]).toEqual([sort, gap.id]);
        expect(one).toMatchObject({
          title: gap.title,
          severity: gap.severity,
          status: gap.status,
          overdue: gap.overdue,
          due_date: gap.due_date,
          asil: gap.asil,
          acceptance_pending: gap.acceptance_pending,
          evidence_count: gap.evidence.length,
        });
        const [first] = gap.evidence;
        expect(one.first_place).toEqual(
          first
            ? {
                work_product_id: first.work_product_id,
                version: first.version,
                location: first.location,
                range: first.range,
              }
            : null,
        );
      }
    }
  });

  it('are a file as well: the whole list under its filters, in its order, safe in a spreadsheet', async () => {
    const query = `workspace_id=${workspace}&sort=-severity,title&severity=high,medium`;
    const list = await get<{ items: GapSummary[]; total: number }>(
      `/analysis/gaps/summaries?${query}&limit=500`,
    );
    const [named] = list.items;
    await database.asOwner(
      `update gaps set title = $1, finding = jsonb_set(finding #- '{said,title}', '{title}', to_jsonb($1::text)) where id = $2`,
      ['=SUM(A1), "quoted"', named!.id],
    );
    const answer = await owner.request('GET', `/api/v1/analysis/gaps/export?${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="gaps.csv"');
    const [head = '', ...lines] = answer.text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head.split(',').slice(0, 3)).toEqual(['severity', 'title', 'status']);
    expect(lines.length).toBe(list.total);
    expect(lines.map((line) => line.split(',').at(-1)).toSorted()).toEqual(
      list.items.map(({ id }) => id).toSorted(),
    );
    expect(answer.text).toContain(`"'=SUM(A1), ""quoted"""`);
    expect((await owner.request('GET', '/api/v1/analysis/gaps/export')).status).toBe(422);
  });

  it('are sorted by several fields, each its own way round, page after page', async () => {
    const RANKS = ['low', 'medium', 'high', 'critical'];
    const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);
    const fields: Record<string, (gap: GapSummary) => string | number> = {
      severity: (gap) => RANKS.indexOf(gap.severity),
      clause: (gap) => gap.clause,
      due_date: (gap) => gap.due_date ?? 'infinity',
      created_at: (gap) => gap.created_at,
    };
    const { items: some } = await get<{ items: GapSummary[] }>(
      `/analysis/gaps/summaries?workspace_id=${workspace}&limit=6`,
    );
    for (const [at, { id }] of some.entries()) {
      const body = { due_date: `2030-01-0${(at % 3) + 1}` };
      expect((await owner.request('PATCH', `/api/v1/analysis/gaps/${id}`, { body })).status).toBe(200);
    }
    for (const sort of [
      '-severity,clause',
      'severity,-clause,due_date',
      'due_date,-severity',
      '-severity,-clause',
      'clause,-severity,severity,-due_date',
    ]) {
      for (const list of ['gaps/summaries', 'gaps']) {
        const all: GapSummary[] = [];
        let cursor = '';
        do {
          const page = await get<{ items: GapSummary[]; total: number; next_cursor: string | null }>(
            `/analysis/${list}?workspace_id=${workspace}&sort=${sort}&limit=7&cursor=${cursor}`,
          );
          all.push(...page.items);
          cursor = page.next_cursor ?? '';
          if (!cursor) expect([sort, all.length]).toEqual([sort, page.total]);
        } while (cursor);
        expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
        const known = new Set<string>();
        const wanted = sort.split(',').filter((one) => {
          const field = one.replace('-', '');
          return !known.has(field) && known.add(field);
        });
        const keysOf = (gap: GapSummary) => wanted.map((one) => fields[one.replace('-', '')]!(gap));
        const inOrder = [...all].sort((a, b) => {
          const [left, right] = [keysOf(a), keysOf(b)];
          const at = wanted.findIndex((_one, index) => left[index] !== right[index]);
          return at < 0 ? 0 : compare(left[at]!, right[at]!) * (wanted[at]!.startsWith('-') ? -1 : 1);
        });
        expect([sort, list, all.map(keysOf)]).toEqual([sort, list, inOrder.map(keysOf)]);
      }
    }
    for (const sort of ['-severity,moon', 'clause,title,due_date,severity,created_at', ',']) {
      const { status } = await owner.request(
        'GET',
        `/api/v1/analysis/gaps/summaries?workspace_id=${workspace}&sort=${sort}`,
      );
      expect([sort, status]).toEqual([sort, 422]);
    }
  });

  it('begin anywhere in their order', async () => {
    const query = `/analysis/gaps/summaries?workspace_id=${workspace}&sort=-severity`;
    const whole = await get<{ items: GapSummary[]; total: number }>(`${query}&limit=500`);
    const ids = whole.items.map(({ id }) => id);
    const at = Math.floor(whole.total / 2);
    const page = await get<{ items: GapSummary[]; page: number; next_cursor: string }>(
      `${query}&limit=5&offset=${at}`,
    );
    expect(page.items.map(({ id }) => id)).toEqual(ids.slice(at, at + 5));
    expect(page.page).toBe(Math.floor(at / 5) + 1);
    const next = await get<{ items: GapSummary[] }>(`${query}&limit=5&cursor=${page.next_cursor}`);
    expect(next.items.map(({ id }) => id)).toEqual(ids.slice(at + 5, at + 10));
    const beyond = await get<{ items: GapSummary[]; total: number }>(`${query}&offset=${whole.total}`);
    expect([beyond.items, beyond.total]).toEqual([[], whole.total]);
    const both = await owner.request('GET', `/api/v1${query}&limit=5&offset=3&cursor=${page.next_cursor}`);
    expect(both.status).toBe(422);
  });

  it('are found by parts of their words, whatever the case', async () => {
    const { items } = await get<{ items: Gap[] }>(`/analysis/gaps?workspace_id=${workspace}&limit=100`);
    for (const word of ['ombat', 'NOTHING', 'no_such%words']) {
      const expected = items.filter((gap) =>
        [gap.title, gap.expected, gap.observed].some((text) =>
          text.toLowerCase().includes(word.toLowerCase()),
        ),
      );
      const found = await get<{ items: GapSummary[]; total: number }>(
        `/analysis/gaps/summaries?workspace_id=${workspace}&limit=100&search=${encodeURIComponent(word)}`,
      );
      expect([word, found.total, found.items.map(({ id }) => id)]).toEqual([
        word,
        expected.length,
        expected.map(({ id }) => id),
      ]);
    }
  });

  it('are small, in the language of the reader, with names beside their ids', async () => {
    const path = `workspace_id=${workspace}&limit=100`;
    const whole = JSON.stringify(await get(`/analysis/gaps?${path}`)).length;
    const page = await get<{ items: GapSummary[]; refs: Record<string, Record<string, { name: string }>> }>(
      `/analysis/gaps/summaries?${path}`,
    );
    expect(JSON.stringify(page).length).toBeLessThan(whole / 2);
    for (const { work_product_id, standard_id, first_place } of page.items) {
      for (const id of [work_product_id, first_place?.work_product_id]) {
        if (id) expect(page.refs.work_products![id]?.name).toBeTruthy();
      }
      if (standard_id) expect(page.refs.standards![standard_id]?.name).toBeTruthy();
    }
    const german = await get<{ items: GapSummary[] }>(`/analysis/gaps/summaries?${path}`, owner, {
      'accept-language': 'de',
    });
    expect(german.items.map(({ title }) => title)).not.toEqual(page.items.map(({ title }) => title));
  });
});

describe('a change of many gaps', () => {
  const change = (method: 'POST' | 'PATCH', body: object, client = manager) =>
    client.request(method, `/api/v1/analysis/gaps${method === 'POST' ? '/preview' : ''}`, {
      body: { workspace_id: workspace, ...body },
    });

  it('is previewed as it then happens, changes nothing before, and can be taken back', async () => {
    const total = await totalOf('&severity=low&status=open');
    expect(total).toBeGreaterThan(0);
    const body = {
      filter: { severity: 'low', status: 'open' },
      expected_total: total,
      change: { status: 'in_progress', due_date: '2030-01-31' },
    };
    const preview = await change('POST', body);
    expect([preview.status, preview.body]).toEqual([
      200,
      {
        total,
        changed: total,
        proposed: 0,
        unchanged: 0,
        refused: [],
        by_status: { open: total },
        by_severity: { low: total },
      },
    ]);
    expect(await totalOf('&severity=low&status=open')).toBe(total);
    const changed = await change('PATCH', body);
    const { items } = changed.body as {
      items: { id: string; status: string; before: { status: string; due_date: string | null } }[];
    };
    expect([changed.status, items.length]).toEqual([200, total]);
    expect(new Set(items.map(({ status, before }) => `${before.status} ${status}`))).toEqual(
      new Set(['open in_progress']),
    );
    const ids = items.map(({ id }) => id);
    const again = await change('POST', { ids, change: body.change });
    expect(again.body).toMatchObject({ changed: 0, unchanged: total });
    const { status, due_date } = items[0]!.before;
    const back = await change('PATCH', { ids, change: { status, due_date } });
    expect(back.status).toBe(200);
    expect(await totalOf('&severity=low&status=open')).toBe(total);
  });

  it('says for each that cannot be changed why, as the caller may change it', async () => {
    const { items } = await get<{ items: GapSummary[] }>(
      `/analysis/gaps/summaries?workspace_id=${workspace}&status=open&limit=3`,
    );
    const ids = items.map(({ id }) => id);
    const body = { ids, change: { status: 'accepted', reason: 'Not in this variant.' } };
    const asEngineer = await change('POST', body, engineer);
    expect(asEngineer.body).toMatchObject({ total: 3, changed: 0, proposed: 0 });
    expect((asEngineer.body as { refused: { code: string }[] }).refused.map(({ code }) => code)).toEqual(
      Array(3).fill('AUTHORIZATION_ERROR'),
    );
    expect((await change('PATCH', body, engineer)).status).toBe(403);
    const stale = await change('POST', { ...body, unchanged_since: '2020-01-01T00:00:00Z' });
    expect((stale.body as { refused: { code: string }[] }).refused[0]?.code).toBe('PRECONDITION_FAILED');
  });
});

// With 100,000 gaps, a page in the middle took a third of a second: all of them were sorted, or read on the way to it.
it.each([
  ['severity', 'gaps_severity'],
  ['clause', 'gaps_clause'],
  ['due_date', 'gaps_due_first'],
  ['updated_at', 'gaps_updated'],
])('pages by %s are read from an index alone, in its order', async (field, index) => {
  const filters = { workspace_id: workspace, status: ['open', 'in_progress'], sort: [`-${field}`] };
  const keys = selectGapKeys(filters, { userId: owner.userId, now: new Date() });
  const { by } = SUMMARY_SORTS[field] ?? { by: sql`updated_at` };
  const plan = await database.database.withWorkspace(workspace, async (transaction) => {
    // Of a handful of rows the planner would read and sort all.
    for (const way of ['sort', 'incremental_sort', 'seqscan', 'bitmapscan']) {
      await transaction.run(sql`select set_config(${`enable_${way}`}, 'off', true)`);
    }
    return transaction.many<{ 'QUERY PLAN': string }>(sql`
      explain select id from (select *, ${by} as key from (${keys}) as listed) as keyed
      order by key desc, id desc limit 5 offset 2`);
  });
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(lines).toContain(`Index Only Scan Backward using ${index}`);
  expect(lines).not.toContain('Sort');
});

// With 26,000 quotes of a run, looking through them for each of a thousand gaps took four seconds.
it('evidence of a gap is read by the index of its gap', async () => {
  const plan = await database.database.withWorkspace(workspace, async (transaction) => {
    // Of a handful of rows the planner would read all.
    await transaction.run(sql`set local enable_seqscan = off`);
    return transaction.many<{ 'QUERY PLAN': string }>(sql`
      explain select (select json_agg(e.quote) from ${evidenceOfGap(LAST_SEEN)}) from gaps g`);
  });
  const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(lines).toContain('analysis_evidence_gap');
  expect(lines).not.toContain('analysis_evidence_run');
});
