import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { languageOf } from '../../platform/http/language.js';
import { type FilledApp, startFilledApp } from '../filled-app.js';
import type { Filled } from '../filled-workspace.js';
import type { Answer, Client, TestApp } from '../test-app.js';
import type { TestDatabase } from '../test-database.js';

/** Properties that hold sentences of ours: nothing else may differ from language to language. */
const SENTENCES = new Set([
  ...['title', 'observed', 'expected', 'why_it_matters', 'recommendation', 'recommendations'],
  ...['severity_reasons', 'reason', 'review_reason', 'note', 'statement', 'description', 'suggested_action'],
  ...['text', 'problems', 'missing', 'before', 'after', 'searched', 'question', 'label', 'what'],
  ...['standard_ref', 'name', 'finding'],
]);

/** Where two answers differ, each as the name of the property that holds it. */
function differences(one: unknown, other: unknown, name = ''): string[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    expect(other).toHaveLength(one.length);
    return one.flatMap((each, at) => differences(each, other[at], name));
  }
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null) {
    expect(Object.keys(other)).toEqual(Object.keys(one));
    return Object.entries(one).flatMap(([key, value]) =>
      differences(value, (other as Readonly<Record<string, unknown>>)[key], key),
    );
  }
  return one === other ? [] : [name];
}

describe('the language of a reader', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en-GB, de;q=0.9', 'en'],
    ['fr, de;q=0.4, en;q=0.2', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['*;q=0.5, de;q=0.1', 'en'],
    ['en;q=0, de;q=0.3', 'de'],
    ['en;q=0, *', 'de'],
    ['de;q=none', 'en'],
  ])('of %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});

describe('results in English and in German', () => {
  let data: TestDatabase;
  let started: FilledApp | undefined;
  let app: TestApp;
  let owner: Client;
  let filled: Filled;
  let gapId: string;
  beforeAll(async () => {
    started = await startFilledApp();
    ({ database: data, app, owner, filled } = started);
    const { body } = await read(`/analysis/gaps?analysis_id=${filled.analyses[1]}&limit=1`, 'en');
    gapId = (body as { items: { id: string }[] }).items[0]!.id;
  }, 240_000);
  afterAll(async () => {
    await started?.stop();
  });

  const read = (path: string, language: string, headers = {}): Promise<Answer> =>
    owner.request('GET', `/api/v1${path}`, { headers: { 'accept-language': language, ...headers } });

  const analysis = (at: number) => `/analysis/analyses/${filled.analyses[at]}`;
  const ofWorkspace = () => `workspace_id=${filled.workspace}`;
  const PLACES: readonly (readonly [what: string, path: () => string, said: readonly string[]])[] = [
    [
      'a gap analysis',
      () => analysis(1),
      ['title', 'observed', 'recommendation', 'reason', 'severity_reasons', 'statement'],
    ],
    ['a completeness check', () => analysis(2), ['title', 'observed', 'reason', 'recommendation']],
    ['an analysis of the trace', () => analysis(3), ['observed', 'recommendation', 'severity_reasons']],
    ['a checklist', () => analysis(4), ['reason']],
    ['the gaps', () => `/analysis/gaps?${ofWorkspace()}&limit=100`, ['observed', 'why_it_matters', 'title']],
    ['a gap', () => `/analysis/gaps/${gapId}`, ['recommendation']],
    [
      'the clauses of a standard',
      () => `/analysis/standards/${standardOfRun}/drilldown?analysis_id=${filled.analyses[1]}`,
      ['reason', 'title'],
    ],
    ['the criteria of a standard', () => `/standards/${standardOfRun}/criteria?limit=100`, ['title', 'text']],
    [
      'which document speaks about which criterion',
      () => `/analysis/standards/${standardOfRun}/heatmap?analysis_id=${filled.analyses[1]}`,
      ['title'],
    ],
    [
      'where a standard stands',
      () => `/analysis/standards/${standardOfRun}/review?analysis_id=${filled.analyses[1]}`,
      ['title'],
    ],
    [
      'one criterion',
      () => `/analysis/standards/${standardOfRun}/criteria/26262-3:6.5.1-8?analysis_id=${filled.analyses[1]}`,
      ['title', 'text'],
    ],
    ['the evidence', () => `/analysis/evidence?${ofWorkspace()}&limit=100`, []],
    [
      'two runs',
      () => `/analysis/compare?base=${filled.analyses[1]}&head=${filled.analyses[1]}`,
      ['title', 'observed'],
    ],
    [
      'the gaps of the trace',
      () => `/traceability/gaps?${ofWorkspace()}`,
      ['description', 'suggested_action'],
    ],
    ['how complete the trace is', () => `/traceability/completeness?${ofWorkspace()}`, ['description']],
    ['the trace', () => `/traceability/analyze?${ofWorkspace()}`, ['description']],
  ];
  let standardOfRun: string;

  test.each(PLACES)('%s', async (what, path, said) => {
    standardOfRun ??= ((await read(analysis(1), 'en')).body as { standard_id: string }).standard_id;
    const [en, de] = [await read(path(), 'en'), await read(path(), 'de-DE, de;q=0.9, en;q=0.5')];
    expect([en.status, de.status]).toEqual([200, 200]);
    expect([en, de].map(({ headers }) => headers.get('content-language'))).toEqual(['en', 'de']);
    for (const { headers } of [en, de]) expect(headers.get('vary')).toMatch(/Accept-Language/);
    const differing = new Set(
      differences(en.body, de.body).filter((name) => what !== 'the trace' || name !== 'analyzed_at'),
    );
    expect([...differing].filter((name) => !SENTENCES.has(name))).toEqual([]);
    expect([...differing]).toEqual(expect.arrayContaining([...said]));
    // Keys and values stay with us.
    expect(de.text).not.toContain('"said"');
  });

  test('a tag names the language, and If-Match and If-None-Match go by it', async () => {
    const path = `/analysis/gaps/${gapId}`;
    const [en, de] = [await read(path, 'en'), await read(path, 'de')].map((one) => one.headers.get('etag')!);
    expect(en).not.toBe(de);
    const known = await read(path, 'de', { 'if-none-match': de });
    expect([known.status, known.headers.get('content-language')]).toEqual([304, 'de']);
    expect((await read(path, 'en', { 'if-none-match': de })).status).toBe(200);
    const change = (language: string, tag: string) =>
      owner.request('PATCH', `/api/v1${path}`, {
        body: { due_date: '2031-01-01' },
        headers: { 'accept-language': language, 'if-match': tag },
      });
    expect((await change('en', de!)).status).toBe(412);
    const changed = await change('de', de!);
    expect([changed.status, changed.headers.get('content-language')]).toEqual([200, 'de']);
    expect(changed.headers.get('etag')).toBe((await read(path, 'de')).headers.get('etag'));
  });

  test('an error is English, whoever reads it', async () => {
    const answer = await read('/analysis/gaps/00000000-0000-4000-8000-000000000000', 'de');
    expect([answer.status, answer.headers.get('content-language')]).toEqual([404, null]);
  });

  test('who may not read a standard reads nothing of it in any language', async () => {
    const stranger = await app.signUp();
    await data.asOwner(
      "insert into workspace_members (workspace_id, user_id, role) values ($1, $2, 'viewer')",
      [filled.workspace, stranger.userId],
    );
    for (const language of ['en', 'de']) {
      const answer = await stranger.request('GET', `/api/v1${analysis(0)}`, {
        headers: { 'accept-language': language },
      });
      expect(answer.status).toBe(200);
      expect(answer.text.toLowerCase()).not.toContain('giraffe plan that names');
    }
  });

  test('what was stored before keys were kept stays in the words that it was stored with', async () => {
    const path = analysis(1);
    const before = await read(path, 'en');
    await data.asOwner('update analysis_verdicts set said = null, search = search - $1', ['said']);
    await data.asOwner('update analysis_evidence set said = null');
    const withoutKeys = `(finding - 'said' #- '{search,said}') || coalesce(
      (select jsonb_build_object('affected', jsonb_agg(item - 'said' #- '{search,said}'))
         from jsonb_array_elements(finding -> 'affected') as a (item) having count(*) > 0), '{}')`;
    await data.asOwner(`update gaps set finding = ${withoutKeys}`);
    await data.asOwner(`update gap_occurrences set finding = ${withoutKeys}`);
    const after = await read(path, 'de');
    const found = new Set(differences(before.body, after.body));
    for (const name of ['reason', 'note', 'observed', 'title']) expect(found).not.toContain(name);
  });
});

describe('the API description', () => {
  const { paths, components } = JSON.parse(
    readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
  ) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters: unknown[] } }>>;
    readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
  };
  /** Shapes that hold sentences of findings, verdicts and notes. */
  const WORDED = [
    'Gap',
    'Evidence',
    'CriterionVerdict',
    'ChecklistVerdict',
    'DocumentCompleteness',
    'FindingEvent',
  ];

  const schemasOf = (part: unknown, seen = new Set<string>()): ReadonlySet<string> => {
    for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (seen.has(name!)) continue;
      seen.add(name!);
      schemasOf(components.schemas[name!], seen);
    }
    return seen;
  };

  test('says of everything that is read with such sentences that it honours Accept-Language', () => {
    const found = Object.entries(paths).flatMap(([path, { get }]) => {
      const isWorded = get && WORDED.some((name) => schemasOf(get).has(name));
      return isWorded ? [{ path, honours: JSON.stringify(get.parameters).includes('Accept-Language') }] : [];
    });
    expect(found.length).toBeGreaterThan(7);
    expect(found.filter(({ honours }) => !honours)).toEqual([]);
  });
});
