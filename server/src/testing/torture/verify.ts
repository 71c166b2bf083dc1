import { KINDS, type Kind, type Ledger } from './round.js';
import type { StubbornClient } from './stubborn-client.js';

/** Of a round that ended early, not of every kind. */
export type Results = Readonly<Partial<Record<Kind, string>>>;

/** Compares what is there with what was acknowledged, and results with undisturbed ones. A sentence for everything that is wrong. */
export async function verifyRound(
  client: StubbornClient,
  {
    ledger,
    name,
    undisturbed,
  }: { readonly ledger: Ledger; readonly name: string; readonly undisturbed: Results },
): Promise<readonly string[]> {
  const { workspace } = ledger;
  const wrong: string[] = [];
  const same = (what: string, found: unknown, acknowledged: unknown): void => {
    if (JSON.stringify(found) === JSON.stringify(acknowledged)) return;
    wrong.push(`${name}: ${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(acknowledged)}`);
  };
  const ids = async (path: string): Promise<string[]> => {
    const { items } = await client.send<{ items: { id: string }[] }>(
      'GET',
      `${path}?workspace_id=${workspace}&limit=100`,
    );
    return items.map(({ id }) => id).sort();
  };
  same('documents', await ids('/work-products'), ledger.documents.map(({ id }) => id).sort());
  for (const { id, bytes } of ledger.documents) {
    const kept = await client.bytes(`/work-products/${id}/content`);
    if (kept !== bytes)
      wrong.push(`${name}: a document has ${kept.length} bytes instead of ${bytes.length}, or others`);
    const { items } = await client.send<{ items: unknown[] }>('GET', `/work-products/${id}/versions`);
    same('versions of a document', items.length, 1);
  }
  same('runs', await ids('/analysis/analyses'), ledger.runs.map(({ id }) => id).sort());
  same('reports', await ids('/reports'), [...ledger.reports].sort());
  for (const id of ledger.reports) {
    if ((await client.bytes(`/reports/${id}/download`)).length < 1000)
      wrong.push(`${name}: a report is empty`);
  }
  const results = await resultsOf(client, ledger);
  for (const kind of KINDS) {
    const found = results[kind];
    if (found === undisturbed[kind]) continue;
    wrong.push(
      found === undefined
        ? `${name}: there is no result of ${kind}`
        : `${name}: the result of ${kind} is not the undisturbed one: ${difference(found, undisturbed[kind] ?? '')}`,
    );
  }
  if (ledger.gap) {
    const { id } = ledger.gap;
    same(
      'status of a gap',
      (await client.send<{ status: string }>('GET', `/analysis/gaps/${id}`)).status,
      ledger.gap.status,
    );
    const { items } = await client.send<{ items: { text: string }[] }>(
      'GET',
      `/analysis/gaps/${id}/comments`,
    );
    same(
      'comments',
      items.map(({ text }) => text),
      ledger.comments,
    );
  }
  return wrong;
}

/** Results without what differs from workspace to workspace and from day to day. */
export async function resultsOf(client: StubbornClient, ledger: Ledger): Promise<Results> {
  const results = await Promise.all(
    ledger.runs.map(async ({ id, kind }) => {
      const { gaps, status, error, score, summary, verdicts, documents, items } = await client.send<
        Record<string, unknown>
      >('GET', `/analysis/analyses/${id}`);
      const found = ((gaps ?? []) as unknown[]).map(comparable).sort();
      return [
        kind,
        comparable({ status, error, score, summary, verdicts, documents, items }) + found.join('\n'),
      ] as const;
    }),
  );
  return Object.fromEntries(results);
}

/** Keys that name a moment, a place in a workspace, or what people did. */
const OWN =
  /(^|_)(id|at|ids|by|eta_seconds|fingerprints?|attempt|status|change|assignee|comments?|etag|hash|sha256)$/;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const comparable = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) =>
    key !== 'criterion_id' && OWN.test(key) ? undefined : inner,
  ).replace(UUID, '#');

function difference(found: string, expected: string): string {
  let at = 0;
  while (at < found.length && found[at] === expected[at]) at++;
  return `…${found.slice(Math.max(0, at - 80), at + 160)} instead of …${expected.slice(Math.max(0, at - 80), at + 160)}`;
}
