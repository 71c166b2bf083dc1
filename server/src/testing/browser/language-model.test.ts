import { MODEL_SERVER_KEY, type ModelServer, startModelServer } from '@normtrace/engine/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isProbe, judgeOnTheWire } from '../judge-on-the-wire.js';
import { type Client, startTestApp, type TestApp } from '../test-app.js';
import { createTestDatabase, type TestDatabase } from '../test-database.js';
import { until, uploadWorkProduct } from '../upload.js';
import { accessibilityProblems, findChromium, openBrowser } from './open-browser.js';
import { signInBrowser } from './sign-in-browser.js';

const SOON = { timeout: 30_000 };
const CONCEPT = `# Functional safety concept of the door

| ID | Functional safety requirement | ASIL | Safety goal | Safe state | FTTI |
|----|-------------------------------|------|-------------|------------|------|
| FSR-01 | The control unit shall keep the door latched while driving. | B | SG-01 | latched | 200 ms |

The item boundary is the door module with its latch. The concept was reviewed together with the customer.
`;

describe.skipIf(findChromium() === undefined)('the language model in Chromium', () => {
  let database: TestDatabase;
  let app: TestApp;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let server: ModelServer;
  let owner: Client;
  let workspace: string;
  let standard: string;
  beforeAll(async () => {
    server = await startModelServer('openai-compatible', judgeOnTheWire());
    database = await createTestDatabase();
    app = await startTestApp(database, {
      work: true,
      environment: {
        EMBEDDINGS: 'off',
        MODEL_PROVIDER: 'openai-compatible',
        MODEL_BASE_URL: server.baseUrl,
        MODEL_NAME: 'small',
        MODEL_API_KEY: MODEL_SERVER_KEY,
        MODEL_PLACE: 'inside',
      },
    });
    owner = await app.signUp();
    workspace = (await send<{ id: string }>('POST', '/workspaces', { name: 'Door' })).id;
    const about = { workspace_id: workspace, catalog_id: 'iso-26262-3-2018' };
    standard = (await send<{ id: string }>('POST', '/standards', about)).id;
    const { body } = await uploadWorkProduct(owner, workspace, {
      name: 'concept.md',
      type: 'text/markdown',
      bytes: CONCEPT,
    });
    const path = `/api/v1/work-products/${(body as { id: string }).id}`;
    await until<{ processing_status: string }>(
      owner,
      path,
      ({ processing_status }) => processing_status === 'completed',
      90_000,
    );
    browser = await openBrowser(app.address);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await app?.stop();
    await database?.stop();
    await server?.stop();
  });

  const send = async <Body>(method: string, path: string, body: unknown): Promise<Body> => {
    const answer = await owner.request(method, `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as Body;
  };
  const open = async (path: string) => {
    const opened = await browser.newPage();
    await signInBrowser(opened.page, app, owner, `/w/${workspace}${path}`);
    await opened.page.getByRole('heading', { level: 1 }).waitFor(SOON);
    return opened;
  };
  const questions = () => server.questions.filter((one) => !isProbe(one));

  it('lets a manager decide what is sent, and keep documents out', async () => {
    const { page, faults } = await open('/settings');
    await page.getByRole('link', { name: 'Language model' }).click();
    await page.getByText('small at').first().waitFor(SOON);
    expect(await page.getByRole('radio', { name: 'Nothing: rules judge alone' }).isChecked()).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('radio', { name: /only to servers of the operator/ }).check();
    await page.getByRole('textbox', { name: /Words to be replaced/ }).fill('Aurora\nBorealis');
    const path = `/api/v1/workspaces/${workspace}/model-policy`;
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await owner.request('GET', path)).body, SOON)
      .toMatchObject({ policy: 'inside', redacted_words: ['Aurora', 'Borealis'] });
    const out = page.getByRole('checkbox', { name: /concept/ });
    const isOut = async () =>
      (
        (await owner.request('GET', `/api/v1/work-products?workspace_id=${workspace}`)).body as {
          items: { ai_excluded: boolean }[];
        }
      ).items[0]!.ai_excluded;
    await out.click();
    await expect.poll(isOut, SOON).toBe(true);
    await expect.poll(() => out.isEnabled(), SOON).toBe(true);
    await out.click();
    await expect.poll(isOut, SOON).toBe(false);
    expect(questions()).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('says before a run what would be asked, and sends nothing for it', async () => {
    const { page, faults } = await open('/runs');
    await page.getByRole('button', { name: 'Analyse …' }).click();
    await page.getByRole('checkbox', { name: /26262/ }).first().waitFor(SOON);
    await page.getByRole('button', { name: 'What would the language model be asked?' }).click();
    await page.getByText(/About \d+ questions .* Nothing was sent for this/).waitFor(SOON);
    expect(questions()).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows where rules and model differ, takes a decision, and marks what a model wrote', async () => {
    const about = { workspace_id: workspace, standard_id: standard, mode: 'ai' };
    const { id } = await send<{ id: string }>('POST', '/analysis/gaps', {
      ...about,
      options: { written_in: 'en' },
    });
    await until<{ status: string }>(
      owner,
      `/api/v1/analysis/analyses/${id}`,
      ({ status }) => status === 'completed',
      90_000,
    );
    const { page, faults } = await open(`/runs/${id}`);
    await page.getByText('Written by a language model').waitFor(SOON);
    const list = page.getByRole('list', { name: 'Where rules and the language model differ' });
    const first = list.getByRole('listitem').first();
    await first.getByRole('button', { name: /^Decide on/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: 'The rules are right.' }).check();
    await dialog.getByRole('textbox', { name: 'Why' }).fill('Looked at <b>it</b>.');
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Decide' }).click();
    await list.getByText('Looked at <b>it</b>.').waitFor(SOON);
    const { items } = (
      await owner.request('GET', `/api/v1/analysis/gaps?workspace_id=${workspace}&severity=high`)
    ).body as { items: { id: string; remedy: object | null }[] };
    await page.goto(`${app.address}/w/${workspace}/gaps/${items.find(({ remedy }) => remedy)!.id}`);
    await page.getByText('written by a model, checked').waitFor(SOON);
    await page.getByText('Have it reviewed by a second person.').waitFor(SOON);
    expect(faults).toEqual([]);
  });
});
