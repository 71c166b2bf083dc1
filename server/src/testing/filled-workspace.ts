import type { ChecklistState } from '../modules/checklists/checklist-answers.schemas.js';
import type { Gap } from '../modules/gaps/gaps.schemas.js';
import type { Report } from '../modules/reports/reports.schemas.js';
import type { StartedAnalysis } from '../modules/runs/analyses.schemas.js';
import type { Standard } from '../modules/standards/standards.schemas.js';
import { joinWorkspace } from './join-workspace.js';
import type { Client, TestApp } from './test-app.js';
import type { TestDatabase } from './test-database.js';
import { type TestFile, until, uploadStandard, uploadWorkProduct } from './upload.js';

/** A standard of one's own, with words that nothing else says. */
export const RULES: TestFile = {
  name: 'rules.yaml',
  type: 'application/yaml',
  bytes: `standard: { designation: Secret rules, title: Secret rules, edition: "1" }
criteria:
  - id: HR-1
    title: Giraffe plan
    text: There shall be a giraffe plan that names an author.
  - id: HR-2
    title: Giraffe review
    text: Every giraffe review shall be recorded before the release.
`,
};

const MARKED: TestFile = {
  name: 'wombat concept.md',
  type: 'text/markdown',
  bytes: [
    '# Functional safety concept',
    'The giraffe plan of the wombat door names an author: Jo Wombat.',
    '## Functional safety requirements',
    '| ID | Requirement | ASIL | Derived from | Verified by |\n|---|---|---|---|---|\n| FSR-01 | The wombat controller shall hold the door shut above 3 km/h. | D | SG-01 | TC-77 |\n| FSR-02 | The wombat lamp shall report a blocked door, fault time TBD. | B | SG-99 | |',
    '## Safe state',
    'The safe state of the wombat door is TBD.',
  ].join('\n\n'),
};
const OTHER: TestFile = {
  name: 'hara.md',
  type: 'text/markdown',
  bytes: [
    '# Hazard analysis and risk assessment',
    '## Hazardous events',
    '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens while the vehicle moves | S3 | E4 | C3 | D |\n| HE-2 | The door closes on a hand | S2 | E3 | TBD | |',
    '## Safety goals',
    '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | D |\n| SG-02 | The door shall not trap anybody. | C |',
  ].join('\n\n'),
};

export interface Filled {
  readonly workspace: string;
  readonly documents: { readonly marked: string; readonly other: string };
  /** Its own one, with the words of `RULES`. */
  readonly standard: string;
  readonly analyses: readonly string[];
  readonly reports: readonly string[];
  /** Content of its documents and of its standard that stands nowhere else. */
  readonly words: readonly string[];
}

/**
 * A workspace with something of every kind, made through the API by its owner: documents, standards, an analysis of every
 * type, decisions and answers of people, reports, templates, webhooks. The app has to work on jobs.
 */
export async function fillWorkspace({
  app,
  database,
  owner,
  members,
}: {
  readonly app: TestApp;
  readonly database: TestDatabase;
  readonly owner: Client;
  readonly members: { readonly engineer: Client; readonly manager: Client };
}): Promise<Filled> {
  const send = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, body === undefined ? {} : { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const post = <Body>(path: string, body: unknown): Promise<Body> => send('POST', path, body);
  const workspace = (await post<{ id: string }>('/workspaces', { name: 'Filled' })).id;
  for (const [role, member] of Object.entries(members)) {
    await joinWorkspace(app, { by: owner, workspace, member, role });
  }
  const processed = async (kind: string, id: string): Promise<string> => {
    await until(
      owner,
      `/api/v1/${kind}/${id}`,
      (one: { processing_status: string }) => one.processing_status === 'completed',
    );
    return id;
  };
  const upload = async (file: TestFile): Promise<string> => {
    const { body } = await uploadWorkProduct(owner, workspace, file);
    return processed('work-products', (body as { id: string }).id);
  };
  const [marked, other] = [await upload(MARKED), await upload(OTHER)];
  await until(
    owner,
    `/api/v1/traceability/extraction?workspace_id=${workspace}`,
    (one: { under_way: boolean; documents: readonly unknown[] }) =>
      !one.under_way && one.documents.length === 2,
  );
  await until(
    owner,
    `/api/v1/search?workspace_id=${workspace}&q=wombat`,
    (one: { documents_not_searched: number }) => one.documents_not_searched === 0,
  );
  const standard = (await post<Standard>('/standards', { workspace_id: workspace, name: 'House rules' })).id;
  await uploadStandard(owner, standard, RULES);
  await processed('standards', standard);
  await send('PATCH', `/standards/${standard}/attest`, {
    licence_type: 'own_document',
    licence_holder: 'Example Mobility',
  });
  const adopted = await post<Standard>('/standards', {
    workspace_id: workspace,
    catalog_id: 'iso-26262-3-2018',
  });

  await post(`/workspaces/${workspace}/webhooks`, {
    url: 'https://hooks.invalid/',
    events: ['gap.status_changed', 'report.completed'],
  });
  await post(`/workspaces/${workspace}/invitations`, { email: 'new@example.org', role: 'viewer' });
  await post('/compliance/templates', {
    workspace_id: workspace,
    yaml: 'id: work_plan\nname: { en: Work plan, de: Arbeitsplan }\naliases: [Work plan]\nsections:\n  - { key: aims, heading: { en: Aims, de: Ziele }, need: required, severity: medium }\n',
  });
  const list = await post<{ id: string }>('/compliance/checklists', {
    workspace_id: workspace,
    yaml: 'checklist: { title: House review }\nitems:\n  - { id: A, text: Is the safe state of the door described? }\n',
  });

  const analysed = async (path: string, body: object): Promise<string> => {
    const { id } = await post<StartedAnalysis>(path, { workspace_id: workspace, ...body });
    await until(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }: { status: string }) => {
        if (status === 'failed') throw new Error(`The analysis ${path} of a test has failed.`);
        return status === 'completed';
      },
      60_000,
    );
    return id;
  };
  const analyses = [
    await analysed('/analysis/gaps', { standard_id: standard }),
    await analysed('/analysis/gaps', { standard_id: adopted.id }),
    await analysed('/compliance/completeness', {}),
    await analysed('/traceability/analyze', {}),
    await analysed('/compliance/checklist', { checklist_id: list.id }),
  ];

  const gaps = await send<{ items: Gap[] }>('GET', `/analysis/gaps?workspace_id=${workspace}&limit=100`);
  const gap = gaps.items.find(({ analysis_type }) => analysis_type === 'gap_analysis');
  if (!gap) throw new Error('The analysis of a test found no gap.');
  await send('PATCH', `/analysis/gaps/${gap.id}`, {
    status: 'in_progress',
    assignee: members.engineer.userId,
  });
  await post(`/analysis/gaps/${gap.id}/comments`, { text: 'Jo looks at it.' });
  const state = await send<ChecklistState>(
    'GET',
    `/compliance/checklists/${list.id}/results?workspace_id=${workspace}`,
  );
  for (const { item_id } of state.items) {
    await send('PUT', `/compliance/checklists/${list.id}/items/${item_id}/answer`, {
      workspace_id: workspace,
      verdict: 'pass',
      reason: 'Read by the team.',
      evidence: [{ work_product_id: marked, quote: 'The safe state of the wombat door is TBD.' }],
    });
  }
  await post('/traceability/artifacts', {
    workspace_id: workspace,
    artifact_id: 'TC-77',
    type: 'test',
    text: 'Try to open it.',
  });
  await post('/traceability/links', {
    workspace_id: workspace,
    source_id: 'TC-77',
    target_id: 'SG-02',
    link_type: 'satisfies',
  });
  const reports: string[] = [];
  for (const analysis of analyses.slice(0, 3)) {
    const type = analysis === analyses[2] ? 'completeness' : 'gap_analysis';
    const { id } = await post<Report>('/reports', {
      workspace_id: workspace,
      type,
      analysis_ids: [analysis],
      format: 'html',
    });
    await until(owner, `/api/v1/reports/${id}`, (one: Report) => one.status === 'completed', 60_000);
    reports.push(id);
  }
  // A cache and a unit of unfinished work, as runs leave them.
  await database.asOwner("insert into embeddings (workspace_id, key, vector) values ($1, '\\x00', '\\x00')", [
    workspace,
  ]);
  await database.asOwner(
    `insert into analysis_checkpoints (workspace_id, analysis_id, engine_version, units) values ($1, $2, '1', '["wombat"]')`,
    [workspace, analyses[0]],
  );
  // What a language model was asked and said.
  await database.asOwner(
    `with answers as (
       insert into model_answers (workspace_id, key, task, template, model, answered_as, answer, usage, documents, analysis_id)
       values ($1, '\\x00', 'judge', 'judge@1', 'm', 'm', 'The wombat door is latched.', '{}', array[$3::uuid], $2)),
     calls as (
       insert into model_calls (workspace_id, analysis_id, key, task, template, outcome, input_tokens, output_tokens, documents)
       values ($1, $2, '\\x00', 'judge', 'judge@1', 'model', 1, 1,
               jsonb_build_array(jsonb_build_object('work_product_id', $3::uuid, 'version', 1, 'passages', '["p1"]'::jsonb)))),
     decisions as (
       insert into opinion_decisions (workspace_id, analysis_id, criterion_id, decision, reason, by_rules, documents, decided_by)
       values ($1, $2, 'R-1', 'rules', 'Looked at.', 'missing',
               jsonb_build_array(jsonb_build_object('work_product_id', $3::uuid, 'version', 1)), $4))
     insert into analysis_opinions (workspace_id, analysis_id, ordinal, criterion_id, clause, by_rules, by_model, settled,
                                    settled_by, outcome, confirm, parts, missing, rules)
     values ($1, $2, 0, 'R-1', '1', 'missing', 'covered', 'missing', 'rules', 'listed', false,
             '[{"because": "The wombat door."}]', 'A giraffe.', '{}')`,
    [workspace, analyses[0], marked, owner.userId],
  );
  return {
    workspace,
    documents: { marked, other },
    standard,
    analyses,
    reports,
    words: ['wombat', 'giraffe'],
  };
}
