import { join } from 'node:path';
import type { Document } from '@normtrace/engine';
import { type Fact, same } from './fact.js';
import { filesBelow, type TracedSet, traceFiles } from './read-set.js';

const DEMAND = /(?<!\p{L})(?:shall|must)(?!\p{L})/iu;

/** Sets that tools wrote: how many artifacts of each kind, how many links. */
export async function toolFacts(folder: string): Promise<readonly Fact[]> {
  return [
    ...(await messagePassing(join(folder, 'mw-message-passing'))),
    ...(await sphinxNeeds(join(folder, 'sphinx-needs-demo'))),
    ...(await strictDoc(join(folder, 'strictdoc'))),
    ...(await reqif(join(folder, 'reqif'))),
    ...(await cfe(join(folder, 'cfe'))),
  ];
}

function countOf({ documents }: TracedSet, type: RegExp): number {
  return documents
    .flatMap(({ document }) => recordsOf(document))
    .filter((record) => type.test(record.type ?? '')).length;
}

function recordsOf(document: Document) {
  return document.blocks.flatMap(({ record }) => (record ? [record] : []));
}

async function messagePassing(folder: string): Promise<Fact[]> {
  const set = await traceFiles(folder, /\.trlc$/);
  const counts = [/^AssumedSystemReq$/, /^FeatReq$/, /^CompReq$/].map((type) => countOf(set, type));
  return [
    same('mw-message-passing', 'system, feature and component requirements', {
      expected: '1, 11, 33',
      found: counts.join(', '),
    }),
  ];
}

async function sphinxNeeds(folder: string): Promise<Fact[]> {
  const set = await traceFiles(folder, /safety_example\/.*\.rst$/);
  const ofType = (type: string) =>
    new Set(set.extraction.artifacts.filter((one) => one.type === type).map(({ id }) => id)).size;
  const counts = [
    'hazardous_event',
    'safety_goal',
    'functional_safety_requirement',
    'technical_safety_requirement',
  ].map(ofType);
  return [
    same('sphinx-needs-demo', 'hazards, goals, functional and system requirements of the safety example', {
      expected: '1, 20, 36, 18',
      found: counts.join(', '),
    }),
  ];
}

async function strictDoc(folder: string): Promise<Fact[]> {
  const set = await traceFiles(folder, /\.sdoc$/);
  const own = set.documents.map(({ id }) => set.extraction.artifacts.filter((one) => one.documentId === id));
  const second = set.documents.find(({ id }) => id.includes('l2'))?.id;
  const children = new Set(
    set.extraction.links.filter(({ type }) => type === 'derives_from').map(({ sourceId }) => sourceId),
  );
  const without = set.extraction.artifacts.filter(
    ({ id, documentId }) => documentId === second && !children.has(id),
  );
  return [
    same('strictdoc', 'requirements of the three levels', {
      expected: '69, 133, 36',
      found: own.map((all) => all.length).join(', '),
    }),
    same('strictdoc', 'requirements of level 2 without a parent', {
      expected: '18',
      found: String(without.length),
    }),
  ];
}

/** Every file that is valid has to be read; what the tool's own tests call broken may be refused with a reason. */
async function reqif(folder: string): Promise<Fact[]> {
  const files = filesBelow(folder, /\.reqifz?$/);
  const set = await traceFiles(folder, /\.reqifz?$/);
  const relations = set.documents.reduce(
    (sum, { document }) =>
      sum + recordsOf(document).reduce((links, record) => links + (record.links?.length ?? 0), 0),
    0,
  );
  return [
    {
      set: 'reqif',
      about: 'samples read, relations included',
      expected: 'all files, or a clear reason',
      found: `${set.documents.length} of ${files.length} read, ${relations} relations, ${set.unread.length} refused: ${set.unread.join('; ')}`,
      holds: set.documents.length >= 20 && relations > 0,
    },
  ];
}

async function cfe(folder: string): Promise<Fact[]> {
  const table = await traceFiles(folder, /\.csv$/);
  const text = await traceFiles(folder, /\.docx$/);
  const demands = text.documents.flatMap(({ document }) =>
    document.blocks.filter((block) => block.kind !== 'heading' && DEMAND.test(block.text)),
  );
  return [
    same('cfe', 'requirements of the CSV', {
      expected: '397',
      found: String(table.extraction.artifacts.length),
    }),
    {
      set: 'cfe',
      about: 'requirements of the DOCX',
      expected: '336',
      found: `${text.extraction.artifacts.length} with an id; ${demands.length} paragraphs and cells with "shall" or "must", ${text.extraction.noteCounts.demand_without_id ?? 0} told as demands without id`,
      holds: text.extraction.artifacts.length === 336,
    },
  ];
}
