import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { until, uploadWorkProduct } from '../../testing/upload.js';
import type { Analysis, StartedAnalysis } from '../runs/analyses.schemas.js';
import type { Standard } from '../standards/standards.schemas.js';
import type { Report } from './reports.schemas.js';

const NORMTRACE = fileURLToPath(new URL('../bin/normtrace.js', import.meta.resolve('@normtrace/engine')));
const run = promisify(execFile);

const DOCUMENTS: Readonly<Record<string, string>> = {
  'hara.md': [
    '# Hazard analysis and risk assessment',
    '## Hazardous events',
    '| ID | Hazardous event | S | E | C | ASIL |\n|---|---|---|---|---|---|\n| HE-1 | The door opens while the vehicle moves | S3 | E4 | C3 | D |\n| HE-2 | The door closes on a hand | S2 | E3 | TBD | |',
    '## Safety goals',
    '| ID | Safety goal | ASIL |\n|---|---|---|\n| SG-01 | The door shall not open while the vehicle moves. | D |\n| SG-02 | The door shall not trap anybody. | C |',
  ].join('\n\n'),
  'concept.md': [
    '# Functional safety concept',
    '## Functional safety requirements',
    '| ID | Requirement | ASIL | Derived from |\n|---|---|---|---|\n| FSR-01 | The controller shall hold the door shut above 3 km/h. | D | SG-01 |\n| FSR-02 | The lamp shall report a blocked door, fault time TBD. | B | SG-99 |',
    '## Safe state',
    'The safe state of the door is TBD.',
  ].join('\n\n'),
};

describe('a report of the command line and one of the service about the same documents', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let folder: string;
  let workspace: string;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'normtrace-roads-'));
    await mkdir(join(folder, 'docs'));
    for (const [name, text] of Object.entries(DOCUMENTS)) await writeFile(join(folder, 'docs', name), text);
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    workspace = (await post<{ id: string }>('/workspaces', { name: 'Doors' })).id;
    // The command line reads them in the order of their names.
    for (const name of Object.keys(DOCUMENTS).sort()) {
      const file = { name, type: 'text/markdown', bytes: DOCUMENTS[name]! };
      const { id } = (await uploadWorkProduct(owner, workspace, file)).body as { id: string };
      await until(
        owner,
        `/api/v1/work-products/${id}`,
        (one: { processing_status: string }) => one.processing_status === 'completed',
      );
      // A work product is named without the ending of its file, the command line names the file.
      const renamed = await owner.request('PATCH', `/api/v1/work-products/${id}`, { body: { name } });
      expect(renamed.status).toBe(200);
      ids.set(id, name);
    }
    await until(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      (one: { under_way: boolean; documents: readonly unknown[] }) =>
        !one.under_way && one.documents.length === ids.size,
    );
  }, 120_000);
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const post = async <Body>(path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request('POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };

  const FORMATS = ['csv', 'html'] as const;
  type Texts = Readonly<Record<(typeof FORMATS)[number], string>>;

  /** Written by the service. */
  async function ofService(analysis: string, type: string, language: string): Promise<Texts> {
    const text = async (format: string): Promise<string> => {
      const options = { language };
      const asked = { workspace_id: workspace, type, analysis_ids: [analysis], format, options };
      const { id } = await post<Report>('/reports', asked);
      await until<Report>(owner, `/api/v1/reports/${id}`, ({ status }) => status === 'completed', 60_000);
      const answer = await owner.request('GET', `/api/v1/reports/${id}/download`);
      expect(answer.status).toBe(200);
      // Documents are named by their files on the command line.
      return [...ids].reduce((all, [one, name]) => all.replaceAll(one, name), answer.text);
    };
    return { csv: await text('csv'), html: await text('html') };
  }

  /** Written by the command line. */
  async function ofCommandLine(command: readonly string[], language: string): Promise<Texts> {
    const text = async (format: string): Promise<string> => {
      const output = join(folder, `report.${format}`);
      const [name, ...options] = command;
      const asked = ['--format', format, '--language', language, '--output', output];
      await run(process.execPath, [NORMTRACE, name!, join(folder, 'docs'), ...options, ...asked]);
      return readFile(output, 'utf8');
    };
    return { csv: await text('csv'), html: await text('html') };
  }

  async function analysed(path: string, body: object): Promise<string> {
    const { id } = await post<StartedAnalysis>(path, { workspace_id: workspace, ...body });
    await until<Analysis>(owner, `/api/v1/analysis/analyses/${id}`, ({ status }) => {
      if (status === 'failed') throw new Error(`${path} has failed.`);
      return status === 'completed';
    });
    return id;
  }

  /** Findings, results and rows of the matrix, without what only one of them can know, and every share of the page. */
  function compared({ csv, html }: Texts, type: string): object {
    const [columns = [], ...lines] = rowsOf(csv.replace('\ufeff', ''));
    const rows = lines.map((cells) => Object.fromEntries(columns.map((name, at) => [name, cells[at]])));
    return {
      rows: rows
        .filter(({ record }) => record !== 'report')
        .map(
          ({ fingerprint: _fingerprint, status: _status, change: _change, analysis: _analysis, ...row }) =>
            // Of the row of an artifact the stored trace quotes the cell with its text, the command line all of it.
            type === 'traceability' ? { ...row, places: '', quotes: '' } : row,
        ),
      shares: html.replaceAll(/<style[\s\S]*?<\/style>/g, '').match(/[\d.,]+[ \u00a0\u202f]?%/g),
    };
  }

  const ROADS = [
    [
      'gap_analysis',
      '/analysis/gaps',
      async () => ({
        standard_id: (
          await post<Standard>('/standards', { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' })
        ).id,
      }),
      ['analyse', '--standard', 'iso-26262-3-2018', '--embeddings', 'off'],
    ],
    ['completeness', '/compliance/completeness', async () => ({}), ['completeness']],
    ['traceability', '/traceability/analyze', async () => ({}), ['trace']],
    [
      'checklist',
      '/compliance/checklist',
      async () => ({ checklist_id: 'FS-HARA' }),
      ['checklist', '--checklist', 'FS-HARA'],
    ],
  ] as const;

  test.each(ROADS)(
    '%s: the same part',
    async (type, path, body, command) => {
      const analysis = await analysed(path, await body());
      for (const language of ['en', 'de']) {
        const printed = compared(await ofCommandLine(command, language), type);
        expect(compared(await ofService(analysis, type, language), type)).toEqual(printed);
        expect(JSON.stringify(printed)).toContain('"record":"finding"');
      }
    },
    120_000,
  );
});

/** Cells of lines by RFC 4180. */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((cells) => cells.length > 1);
}
