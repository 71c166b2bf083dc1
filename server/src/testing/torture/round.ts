import type { StubbornClient } from './stubborn-client.js';

/** What the service has acknowledged in one round, to be found again at the end. */
export interface Ledger {
  readonly workspace: string;
  readonly documents: { readonly id: string; readonly bytes: string }[];
  readonly runs: { readonly id: string; readonly kind: Kind }[];
  readonly reports: string[];
  readonly comments: string[];
  gap: { readonly id: string; readonly status: string } | undefined;
}

export const KINDS = ['gaps', 'completeness', 'checklist', 'traceability'] as const;
export type Kind = (typeof KINDS)[number];

const requirement = (n: number): string =>
  `| FSR-${n} | The door controller shall hold the door shut in situation ${n} above ${n} km/h. | ${'ABCD'[n % 4]} | SG-${n % 9} | ${n % 3 ? `TC-${n}` : ''} |`;

const DOCUMENTS = [
  {
    name: 'concept.md',
    bytes: [
      '# Functional safety concept',
      'The concept names an author: Jo Example. The safe state of the door is TBD.',
      '## Functional safety requirements',
      ['| ID | Requirement | ASIL | Derived from | Verified by |', '|---|---|---|---|---|']
        .concat(Array.from({ length: 120 }, (_, n) => requirement(n)))
        .join('\n'),
      ...Array.from(
        { length: 60 },
        (_, n) => `The lamp shall report a blocked door in situation ${n} at once.`,
      ),
    ].join('\n\n'),
  },
  {
    name: 'hara.md',
    bytes: [
      '# Hazard analysis and risk assessment',
      '## Safety goals',
      ['| ID | Safety goal | ASIL |', '|---|---|---|']
        .concat(
          Array.from({ length: 9 }, (_, n) => `| SG-${n} | The door shall not open in situation ${n}. | D |`),
        )
        .join('\n'),
    ].join('\n\n'),
  },
] as const;

const CHECKLIST = [
  'checklist: { title: House review }',
  'items:',
  ...Array.from(
    { length: 20 },
    (_, n) => `  - { id: I${n}, text: Is situation ${n} of the door described? }`,
  ),
].join('\n');

/**
 * One piece of work of a person: a workspace with documents, a run of every kind, a decision, a comment and a report. Says in the
 * ledger what was acknowledged, at once. Resolves when all of it is done.
 */
export async function playRound(client: StubbornClient, name: string, ledgers: Ledger[]): Promise<Ledger> {
  const { id: workspace } = await client.send<{ id: string }>('POST', '/workspaces', { name });
  const ledger: Ledger = { workspace, documents: [], runs: [], reports: [], comments: [], gap: undefined };
  ledgers.push(ledger);
  const inWorkspace = <Body = { id: string }>(path: string, body: object): Promise<Body> =>
    client.send<Body>('POST', path, { workspace_id: workspace, ...body });

  for (const { name: filename, bytes } of DOCUMENTS) {
    const session = await inWorkspace<{
      file_id: string;
      upload_url: string;
      headers: Record<string, string>;
    }>('/work-products/uploads/init', {
      filename,
      size: Buffer.byteLength(bytes),
      content_type: 'text/markdown',
    });
    await client.put(session.upload_url, session.headers, bytes);
    await client.send('POST', `/work-products/uploads/${session.file_id}/complete`);
    ledger.documents.push({ id: session.file_id, bytes });
  }
  for (const { id } of ledger.documents) {
    await client.until<{ processing_status: string }>(
      `/work-products/${id}`,
      ({ processing_status }) => processing_status === 'completed',
    );
  }
  await client.until<{ under_way: boolean; documents: readonly unknown[] }>(
    `/traceability/extraction?workspace_id=${workspace}`,
    (one) => !one.under_way && one.documents.length === DOCUMENTS.length,
  );
  const standard = await inWorkspace('/standards', { catalog_id: 'iso-26262-3-2018' });
  const checklist = await inWorkspace('/compliance/checklists', { yaml: CHECKLIST });
  const asked: Readonly<Record<Kind, readonly [path: string, body: object]>> = {
    gaps: ['/analysis/gaps', { standard_id: standard.id }],
    completeness: ['/compliance/completeness', {}],
    checklist: ['/compliance/checklist', { checklist_id: checklist.id }],
    traceability: ['/traceability/analyze', {}],
  };
  for (const kind of KINDS) {
    const { id } = await inWorkspace(...asked[kind]);
    ledger.runs.push({ id, kind });
  }
  for (const { id } of ledger.runs) {
    await client.until<{ status: string }>(
      `/analysis/analyses/${id}`,
      ({ status }) => !['queued', 'running'].includes(status),
    );
  }
  const { items } = await client.send<{ items: { id: string; type: string }[] }>(
    'GET',
    `/analysis/gaps?workspace_id=${workspace}&limit=1`,
  );
  const gap = items[0]!;
  await client.send('PATCH', `/analysis/gaps/${gap.id}`, { status: 'in_progress' });
  ledger.gap = { id: gap.id, status: 'in_progress' };
  const text = `Looked at in ${name}.`;
  await client.send('POST', `/analysis/gaps/${gap.id}/comments`, { text });
  ledger.comments.push(text);
  const gaps = ledger.runs.find(({ kind }) => kind === 'gaps')!;
  const report = await inWorkspace('/reports', {
    type: 'gap_analysis',
    analysis_ids: [gaps.id],
    format: 'html',
  });
  ledger.reports.push(report.id);
  await client.until<{ status: string }>(`/reports/${report.id}`, ({ status }) => status === 'completed');
  return ledger;
}
