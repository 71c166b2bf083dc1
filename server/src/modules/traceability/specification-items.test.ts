import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, startTestApp, type TestApp } from '../../testing/test-app.js';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import { type TestFile, until, uploadWorkProduct } from '../../testing/upload.js';
import type { WorkProduct } from '../work-products/work-products.schemas.js';
import type { TraceAnalysis } from './trace-views.schemas.js';

const FILES: readonly TestFile[] = [
  {
    name: 'requirements.md',
    type: 'text/markdown',
    bytes: `# Limit
\`req~limit~2\`

The force shall be limited to 5 kN.

Needs: dsn, utest

# Time
\`req~time~1\`

The force is applied within 100 ms.

Needs: dsn
`,
  },
  {
    name: 'design.rst',
    type: 'text/x-rst',
    bytes:
      'Limiter\n=======\n\n`dsn~limiter~1`\n\nA limiter.\n\nCovers:\n\n* `req~limit~1`\n* `req~time~1`\n\nNeeds: impl\n\nForwarded\n=========\n\ndsn --> impl : req~limit~2\n',
  },
  {
    name: 'other.md',
    type: 'text/markdown',
    bytes: '# Time again\n`req~time~1`\n\nThe force is applied within 200 ms.\n\nNeeds: dsn\n',
  },
  {
    name: 'limiter.c',
    type: 'text/plain',
    bytes: 'int first;\n\n// [impl->dsn~limiter~1]\nint x;\n// [utest->req~limit~2]\n',
  },
];

describe('specification items in the service', () => {
  let data: TestDatabase;
  let app: TestApp;
  let owner: Client;
  let workspace: string;

  beforeAll(async () => {
    data = await createTestDatabase();
    app = await startTestApp(data, { work: true, environment: { EMBEDDINGS: 'off' } });
    owner = await app.signUp();
    const made = await owner.request('POST', '/api/v1/workspaces', { body: { name: 'Items' } });
    workspace = (made.body as { id: string }).id;
  });
  afterAll(async () => {
    await app?.stop();
    await data?.stop();
  });

  test('are stored with their needs and have the gaps of their form, with quotes and places', async () => {
    const ids: string[] = [];
    for (const file of FILES) {
      const { status, body } = await uploadWorkProduct(owner, workspace, file);
      expect([file.name, status]).toEqual([file.name, 200]);
      ids.push((body as WorkProduct).id);
    }
    await until<{ under_way: boolean; documents: readonly unknown[] }>(
      owner,
      `/api/v1/traceability/extraction?workspace_id=${workspace}`,
      ({ under_way, documents }) => !under_way && documents.length === FILES.length,
      90_000,
    );
    const { body } = await owner.request('GET', `/api/v1/traceability/analyze?workspace_id=${workspace}`);
    const { gaps, total_artifacts } = body as TraceAnalysis;
    expect(total_artifacts).toBe(6);
    const told = gaps.map(({ artifact_id, kind, missing }) => `${kind} ${artifact_id} ${missing ?? ''}`);
    expect(told.sort()).toEqual([
      'ambiguous_link dsn~limiter~1 ',
      'duplicate_item req~time~1 ',
      'needed_item dsn~limit~2 impl',
      'needed_item req~time~1 dsn',
      'outdated_link dsn~limiter~1 req~limit~1',
    ]);
    expect(gaps.find(({ kind }) => kind === 'outdated_link')).toMatchObject({
      related: ['req~limit~2'],
      place: { work_product_id: ids[1], quote: 'req~limit~1', location: { line: 10 } },
    });
    expect(gaps.find(({ artifact_id }) => artifact_id === 'dsn~limit~2')).toMatchObject({
      description: expect.stringContaining('Not covered whole with it: req~limit~2.'),
      place: { work_product_id: ids[1], location: { line: 18 } },
    });
  }, 120_000);
});
