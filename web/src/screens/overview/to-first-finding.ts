import { type Api, api, take } from '../../api/client.ts';
import { sendFile } from '../documents/sending.ts';

/** What is going on, for the person who waits. */
export type Doing =
  | { readonly what: 'standard' | 'open' }
  | { readonly what: 'send' | 'read'; readonly done: number; readonly total: number }
  | { readonly what: 'analyse'; readonly percent: number };
type Tell = (doing: Doing) => void;
type Part = Api['BatchPart'];

const SAMPLE_STANDARD = 'iso-26262-3-2018';
const ASK_AGAIN_MILLISECONDS = 600;
const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MILLISECONDS));

/** The sample documents as a person would bring them: adopted standard, files sent, read, analysed. Answers the first gap. */
export async function trySamples(
  workspace: string,
  uploads: Api['Installation']['uploads'],
  tell: Tell,
): Promise<string | undefined> {
  tell({ what: 'standard' });
  const adopted = adoptSampleStandard(workspace);
  const names = (await sample('index.json').then((answer) => answer.json())) as readonly string[];
  let done = 0;
  const send = async (name: string): Promise<void> => {
    const file = new File([await sample(name).then((answer) => answer.blob())], name);
    await sendFile(file, { workspace, uploads, onShare: () => undefined });
    done += 1;
    tell({ what: 'send', done, total: names.length });
  };
  // The first is read while the others are on their way.
  const [standard] = await Promise.all([adopted, ...names.map(send)]);
  await untilRead(workspace, tell);
  return untilFirstFinding(workspace, [againstStandard(standard.id)], tell);
}

async function adoptSampleStandard(workspace: string): Promise<{ readonly id: string }> {
  const there = (await standardsOf(workspace)).find(({ catalog_id }) => catalog_id === SAMPLE_STANDARD);
  return there ?? adopt(workspace, SAMPLE_STANDARD);
}

const adopt = (workspace_id: string, catalog_id: string): Promise<Api['Standard']> =>
  take(api.POST('/standards', { body: { workspace_id, catalog_id } }));

async function sample(name: string): Promise<Response> {
  const answer = await fetch(`/samples/${encodeURIComponent(name)}`);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer;
}

/**
 * Waits until everything is read and analyses it: against the adopted standards, else against those that such documents are
 * usually held against, which are adopted; with completeness, the trace and the checklists that fit. Answers the gravest gap that
 * has a place.
 */
export async function analyseAll(workspace: string, tell: Tell): Promise<string | undefined> {
  await untilRead(workspace, tell);
  tell({ what: 'standard' });
  const [adopted, usual] = await Promise.all([standardsOf(workspace), suggestionFor(workspace)]);
  const standards = adopted.map(({ id }) => id);
  if (standards.length === 0) {
    for (const { catalog_id } of usual.standards) standards.push((await adopt(workspace, catalog_id)).id);
  }
  return untilFirstFinding(
    workspace,
    [
      ...standards.map(againstStandard),
      { type: 'completeness' },
      { type: 'traceability' },
      ...usual.checklists.map(({ checklist_id }): Part => ({ type: 'checklist', checklist_id })),
    ],
    tell,
  );
}

const againstStandard = (standard_id: string): Part => ({ type: 'gap_analysis', standard_id });

export const suggestionFor = (workspace: string): Promise<Api['AnalysisSuggestion']> =>
  take(api.GET('/analysis/suggestions', { params: { query: { workspace_id: workspace } } }));

async function untilFirstFinding(
  workspace: string,
  parts: readonly Part[],
  tell: Tell,
): Promise<string | undefined> {
  tell({ what: 'analyse', percent: 0 });
  const { analyses } = await take(
    api.POST('/analysis/batches', {
      body: {
        workspace_id: workspace,
        parts: [...parts],
        mode: 'auto',
        force: false,
        fresh_answers: false,
        conditions: {},
      },
    }),
  );
  const begun = analyses.filter(({ from_store }) => !from_store).map(({ id }) => id);
  for (const [at, id] of begun.entries()) {
    await untilDone(workspace, id, (one) =>
      tell(one.what === 'analyse' ? { ...one, percent: (100 * at + one.percent) / begun.length } : one),
    );
  }
  tell({ what: 'open' });
  const { items } = await take(
    api.GET('/analysis/gaps/summaries', {
      params: { query: { workspace_id: workspace, sort: '-severity', limit: 50 } },
    }),
  );
  return (items.find(({ first_place }) => first_place !== null) ?? items[0])?.id;
}

export const standardsOf = async (workspace: string): Promise<readonly Api['Standard'][]> =>
  (await take(api.GET('/standards', { params: { query: { workspace_id: workspace, limit: 100 } } }))).items;

async function untilRead(workspace: string, tell: Tell): Promise<void> {
  for (;;) {
    const { work_products: documents } = await take(
      api.GET('/analysis/overview', { params: { query: { workspace_id: workspace } } }),
    );
    const { queued = 0, running = 0 } = documents.by_status;
    tell({ what: 'read', done: documents.total - queued - running, total: documents.total });
    if (queued + running === 0) return;
    await wait();
  }
}

async function untilDone(workspace: string, id: string, tell: Tell): Promise<void> {
  for (;;) {
    const { items } = await take(
      api.GET('/analysis/analyses', { params: { query: { workspace_id: workspace, limit: 20 } } }),
    );
    const run = items.find((one) => one.id === id);
    if (run?.status === 'completed') return;
    if (run && !['queued', 'running'].includes(run.status)) throw new Error(run.error ?? run.status);
    tell({ what: 'analyse', percent: run?.progress.percent ?? 0 });
    await wait();
  }
}
