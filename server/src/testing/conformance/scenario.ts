import { watch } from '../event-stream.js';
import { completedCheckout, deliver } from '../payment-events.js';
import type { Answer, Client, RequestOptions, TestApp } from '../test-app.js';
import { type TestFile, type UploadSession, until, uploadWorkProduct } from '../upload.js';

/** What the service answered, by `METHOD /path` as the specification writes it, and what was made on the way. */
export interface Story {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly workspace: string;
  readonly owner: Client;
  /** The last answers about things that were read again when their processing had ended. */
  readonly standard: unknown;
  readonly workProduct: unknown;
  readonly gaps: readonly { readonly id: string; readonly severity: string }[];
  /** Verdicts of all items of the checklist that was run. */
  readonly verdicts: readonly string[];
  /** Types of the events that arrived while the gap analysis ran. */
  readonly events: readonly string[];
  /** Exports and downloads by format. */
  readonly files: ReadonlyMap<string, Answer>;
}

const markdown = (name: string, lines: readonly string[]): TestFile => ({
  name,
  type: 'text/markdown',
  bytes: `${lines.join('\n')}\n`,
});

const HARA = markdown('hara.md', [
  '# Hazard analysis and risk assessment',
  '',
  '## Scope',
  '',
  'The sliding door opens and closes by a motor. The winter test is not applicable because the door is heated.',
  '',
  '## Hazardous events',
  '',
  '| ID | Hazardous event | S | E | C | ASIL |',
  '|---|---|---|---|---|---|',
  '| HE-1 | The door opens while the vehicle moves | S3 | E4 | C3 | D |',
  '| HE-2 | The door closes on a hand | S2 | E3 | TBD | |',
  '',
  '## Safety goals',
  '',
  '| ID | Safety goal | ASIL |',
  '|---|---|---|',
  '| SG-01 | The door shall not trap anybody. | D |',
  '| SG-02 | The door shall not open while driving. | B |',
]);
const CONCEPT = markdown('concept.md', [
  '# Functional safety concept',
  '',
  '| ID | Functional safety requirement | ASIL | Derived from | Allocated to | Verified by |',
  '|---|---|---|---|---|---|',
  '| FSR-01 | The door shall stop within 100 ms. | D | SG-01 | ARC-01 | TC-01 |',
  '| FSR-02 | The door shall be locked above 3 km/h. | B | SG-77 | | |',
  '| FSR-03 | The door shall report its position. | A | SG-01 | | TC-02 |',
  '| FSR-04 | The door shall blink when it moves. | D | SG-01 | | |',
  '| FSR-05 | The door shall have a handle. | B | | | TC-01 |',
]);
const ARCHITECTURE = markdown('architecture.md', [
  '# System architecture',
  '',
  '| ID | Architectural element | ASIL |',
  '|---|---|---|',
  '| ARC-01 | Door controller | D |',
]);
const TESTS = markdown('tests.md', [
  '# Test specification',
  '',
  '| ID | Test case | Result |',
  '|---|---|---|',
  '| TC-01 | Put an obstacle into the gap. | passed |',
  '| TC-02 | Read the position. | |',
]);
const RULES: TestFile = {
  name: 'rules.yaml',
  type: 'application/yaml',
  bytes: [
    'standard: { designation: House rules, title: House rules, edition: "1" }',
    'criteria:',
    '  - { id: HR-1, title: Door plan, text: There shall be a plan of the door that names an author. }',
    '  - { id: HR-2, title: Release review, text: Every release review shall be recorded before the release. }',
    '',
  ].join('\n'),
};

/** Uses every endpoint of the specification once, as its owner would; throws at an answer that is no success. */
export async function tellStory(app: TestApp, webhookSecret: string): Promise<Story> {
  const answers = new Map<string, Answer>();
  const owner = await app.signUp();
  /** Sends to an endpoint, written as in the specification, with its parameters filled in. */
  const use = async <Body>(
    endpoint: string,
    parts: RequestOptions & {
      readonly params?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Body> => {
    const { params = {}, query, ...options } = parts;
    const [method = '', template = ''] = endpoint.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const answer = await owner.request(method, `/api/v1${path}${search}`, options);
    if (answer.status >= 300) throw new Error(`${endpoint} was answered ${answer.status}: ${answer.text}`);
    answers.set(endpoint, answer);
    return answer.body as Body;
  };
  const transfer = async ({ upload_url, headers }: UploadSession, file: TestFile) => {
    const body = Buffer.from(file.bytes as string);
    const sent = await fetch(upload_url, { method: 'PUT', headers, body });
    const text = await sent.text();
    if (!sent.ok) throw new Error(`The file was answered ${sent.status}: ${text}`);
    answers.set('PUT {upload_url}', { status: sent.status, headers: sent.headers, body: undefined, text });
  };
  const formOf = (file: TestFile, more: Readonly<Record<string, string>> = {}) => {
    const form = new FormData();
    const size = String(Buffer.from(file.bytes as string).length);
    const fields = { filename: file.name, size, content_type: file.type, ...more };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const processed = (path: string) =>
    until<{ processing_status: string }>(
      owner,
      path,
      ({ processing_status }) => processing_status === 'completed',
    );
  const ended = <Body extends { status: string }>(path: string) =>
    until<Body>(owner, path, ({ status }) => ['completed', 'failed'].includes(status));

  await use('GET /health');
  await use('GET /auth/me');
  await use('POST /auth/refresh');
  const about = { id: owner.userId, email: owner.email, name: 'Owner' };
  await use('POST /auth/sync', { body: about });

  const workspace = (
    await use<{ id: string }>('POST /workspaces', { body: { name: 'Door', description: 'The sliding door' } })
  ).id;
  const inWorkspace = { workspace_id: workspace };
  await use('GET /workspaces');
  await use('GET /workspaces/{id}', { params: { id: workspace } });
  await use('PATCH /workspaces/{id}', {
    params: { id: workspace },
    body: { name: 'Sliding door', description: 'Of the van' },
  });

  await use('GET /standards/common');
  const { id: standard } = await use<{ id: string }>('POST /standards', {
    body: {
      ...inWorkspace,
      name: 'House rules',
      version: '1',
      description: 'Of the house',
      category: 'functional_safety',
    },
  });
  const upload = await use<UploadSession>('POST /standards/{id}/uploads/init', {
    params: { id: standard },
    form: formOf(RULES),
  });
  await transfer(upload, RULES);
  await use('POST /standards/{id}/uploads/{upload_id}/complete', {
    params: { id: standard, upload_id: upload.upload_id },
  });
  await use('PATCH /standards/{id}/attest', {
    params: { id: standard },
    body: { licence_type: 'own_document', licence_holder: 'Example Mobility' },
  });
  await processed(`/api/v1/standards/${standard}`);
  await use('GET /standards', {
    query: { cursor: '', limit: '20', search: 'house', category: 'functional_safety' },
  });
  const standardAsRead = await use('GET /standards/{id}', { params: { id: standard } });

  const session = await use<UploadSession>('POST /work-products/uploads/init', {
    form: formOf(HARA, inWorkspace),
  });
  await transfer(session, HARA);
  await use('POST /work-products/uploads/{file_id}/complete', { params: { file_id: session.file_id } });
  for (const file of [CONCEPT, ARCHITECTURE, TESTS]) {
    const { id } = (await uploadWorkProduct(owner, workspace, file)).body as { id: string };
    await processed(`/api/v1/work-products/${id}`);
  }
  await processed(`/api/v1/work-products/${session.file_id}`);

  const run = await use<{ id: string }>('POST /analysis/gaps', {
    body: { ...inWorkspace, standard_id: standard },
  });
  const events = await watch(app.address, `/api/v1/analysis/analyses/${run.id}/events`, {
    token: owner.token,
  });
  await ended(`/api/v1/analysis/analyses/${run.id}`);
  await events.ended;
  const completeness = await use<{ id: string }>('POST /compliance/completeness', { body: inWorkspace });
  await ended(`/api/v1/analysis/analyses/${completeness.id}`);
  const checklist = await use<{ id: string }>('POST /compliance/checklist', {
    body: { ...inWorkspace, checklist_id: 'FS-HARA' },
  });
  const judged = await ended<{ status: string; items: { verdict: string }[] }>(
    `/api/v1/analysis/analyses/${checklist.id}`,
  );
  await use('GET /analysis/overview', { query: inWorkspace });
  await use('GET /analysis/standards/{id}/drilldown', { params: { id: standard } });
  await use('GET /analysis/evidence', { query: { analysis_id: run.id } });
  await use('GET /analysis/analyses', { query: inWorkspace });
  await use('GET /analysis/analyses/{id}', { params: { id: run.id } });
  const { items: gaps } = await use<{ items: { id: string; severity: string }[] }>('GET /analysis/gaps', {
    query: inWorkspace,
  });
  await use('PATCH /analysis/gaps/{gap_id}', {
    params: { gap_id: gaps[0]?.id ?? '' },
    body: { status: 'in_progress' },
  });
  await use('PATCH /work-products/{id}', {
    params: { id: session.file_id },
    body: { category: 'hara', tags: ['door'] },
  });
  await use('GET /work-products', { query: { cursor: '', limit: '20', type: 'hara', search: 'hara' } });
  const workProduct = await use('GET /work-products/{id}', { params: { id: session.file_id } });

  const files = new Map<string, Answer>();
  for (const format of ['html', 'csv', 'json']) {
    for (const type of ['gap-analysis', 'checklist', 'completeness']) {
      const endpoint = `GET /export/${type}`;
      await use(endpoint, { query: { ...inWorkspace, format } });
      files.set(`${type} ${format}`, answers.get(endpoint) as Answer);
    }
    const report = await use<{ id: string }>('POST /reports', {
      body: { ...inWorkspace, type: 'gap_analysis', analysis_ids: [run.id], format },
    });
    await ended(`/api/v1/reports/${report.id}`);
    await use('GET /reports/{id}', { params: { id: report.id } });
    await use('GET /reports/{id}/download', { params: { id: report.id } });
    files.set(`report ${format}`, answers.get('GET /reports/{id}/download') as Answer);
    if (format === 'json') await use('GET /reports', { query: inWorkspace });
    if (format === 'json') await use('DELETE /reports/{id}', { params: { id: report.id } });
  }

  await until<{ under_way: boolean; documents: unknown[] }>(
    owner,
    `/api/v1/traceability/extraction?workspace_id=${workspace}`,
    ({ under_way, documents }) => !under_way && documents.length === 4,
  );
  await use('GET /traceability/matrix', { query: { ...inWorkspace, standard_id: standard } });
  await use('GET /traceability/gaps', { query: inWorkspace });
  await use('GET /traceability/completeness', { query: inWorkspace });
  await use('GET /traceability/analyze', { query: inWorkspace });
  await use('POST /traceability/links', {
    body: { ...inWorkspace, source_id: 'FSR-02', target_id: 'SG-02', link_type: 'satisfies' },
  });
  await use('GET /traceability/links', { query: inWorkspace });

  const checkout = await use<{ session_id: string }>('POST /payments/create-checkout-session', {
    body: { plan: 'pro', success_url: `${app.address}/paid`, cancel_url: `${app.address}/plans` },
  });
  await use('GET /payments/session-info/{session_id}', { params: checkout });
  const event = completedCheckout({ userId: owner.userId });
  answers.set('POST /payments/webhook', await deliver(app, event, { secret: webhookSecret }));

  // What is deleted is made for it: the rest is looked at afterwards.
  const spare = async (endpoint: string, body: object) => (await use<{ id: string }>(endpoint, { body })).id;
  const kept = new Map(answers);
  const spareWorkspace = await spare('POST /workspaces', { name: 'Spare' });
  const spareStandard = await spare('POST /standards', { workspace_id: spareWorkspace, name: 'Spare' });
  await use('DELETE /standards/{id}', { params: { id: spareStandard } });
  const made = (await uploadWorkProduct(owner, spareWorkspace, TESTS)).body as { id: string };
  await use('DELETE /work-products/{id}', { params: { id: made.id } });
  await use('DELETE /workspaces/{id}', { params: { id: spareWorkspace } });
  for (const [endpoint, answer] of kept) answers.set(endpoint, answer);

  return {
    answers,
    workspace,
    owner,
    standard: standardAsRead,
    workProduct,
    gaps,
    verdicts: judged.items.map(({ verdict }) => verdict),
    events: events.events.map(({ type }) => type),
    files,
  };
}
