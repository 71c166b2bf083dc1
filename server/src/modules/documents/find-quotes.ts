import { buffer } from 'node:stream/consumers';
import type { Location } from '@normtrace/engine';
import type { Transaction } from '../../platform/database/database.js';
import { sql } from '../../platform/database/sql.js';
import { invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { unpackDocument } from './parsed-document.js';
import { quoteFinder } from './quote-places.js';

/** Reading a longer document would hold up other requests. */
const MOST_BLOCKS = 20_000;

interface ReadVersion {
  readonly work_product_id: string;
  readonly version: number;
}

/** Words that a person names; with a range those that stand there, else the first such words of the document. */
export interface NamedQuote {
  readonly work_product_id: string;
  readonly quote: string;
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly note?: string | undefined;
}

/** Where a person saw it. */
export interface FoundQuote {
  readonly work_product_id: string;
  readonly version: number;
  readonly location: Location;
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly note: string | null;
}

type Tools = Pick<WriteContext, 'transaction' | 'dependencies'>;

/** The quotes of a person with their places, in the versions that a run read. Throws 422 for words that are not there. */
export async function findQuotes(
  tools: Tools,
  workspaceId: string,
  {
    documents,
    evidence,
  }: { readonly documents: readonly ReadVersion[]; readonly evidence: readonly NamedQuote[] },
): Promise<readonly FoundQuote[]> {
  const found: FoundQuote[] = [];
  for (const [at, { work_product_id, quote, range, note = null }] of evidence.entries()) {
    const path = `body.evidence.${at}`;
    const version = documents.find((one) => one.work_product_id === work_product_id)?.version;
    if (version === undefined) {
      throw invalid(`${path}.work_product_id`, 'The run did not read this work product.', 'unknown');
    }
    const document = await readDocument(tools, workspaceId, { work_product_id, version });
    if (!document) {
      throw invalid(
        `${path}.work_product_id`,
        `Quotes are checked in documents of up to ${MOST_BLOCKS} paragraphs and rows. Name the place in the reason.`,
        'too_long',
      );
    }
    const place = placeOf(document, quote, range);
    if (!place) {
      throw invalid(
        `${path}.quote`,
        'These words are not in one paragraph or cell of the document.',
        'not_found',
      );
    }
    found.push({ work_product_id, version, ...place, note });
  }
  return found;
}

/** The words where they stand in a document of a run; undefined when they do not stand there. */
export async function placeInRun(
  tools: Tools,
  workspaceId: string,
  { quote, ...place }: ReadVersion & { readonly quote: string },
): Promise<Omit<FoundQuote, 'note'> | undefined> {
  const document = await readDocument(tools, workspaceId, place);
  const found = document && placeOf(document, quote);
  return found && { ...place, ...found };
}

type Unpacked = Awaited<ReturnType<typeof unpackDocument>>;

/** Undefined where it is too long to be looked through here, or has no text. */
async function readDocument(
  { transaction, dependencies: { storage } }: Tools,
  workspaceId: string,
  place: ReadVersion,
): Promise<Unpacked | undefined> {
  const { parsed_key, block_count } = await findParsed(transaction, workspaceId, place);
  if (parsed_key === null || (block_count ?? 0) > MOST_BLOCKS) return undefined;
  return unpackDocument(new Uint8Array(await buffer(await storage.within(workspaceId).read(parsed_key))));
}

/** Where the parsed text of a version lies. */
const findParsed = (
  transaction: Transaction,
  workspaceId: string,
  { work_product_id, version }: ReadVersion,
): Promise<{ readonly parsed_key: string | null; readonly block_count: number | null }> =>
  transaction.one(sql`
    select parsed_key, block_count from work_product_versions
    where workspace_id = ${workspaceId} and work_product_id = ${work_product_id} and version = ${version}`);

function placeOf(document: Unpacked, quote: string, range?: NamedQuote['range']) {
  const narrowed = quoteFinder(document);
  const placeAt = (start: number) => {
    const block = document.blocks.find((one) => one.start <= start && start < one.end);
    const place = block && narrowed({ start, end: start + quote.length, location: block.location });
    return place?.quote === quote ? place : undefined;
  };
  if (range) {
    return document.text.slice(range.start, range.end) === quote ? placeAt(range.start) : undefined;
  }
  for (
    let start = document.text.indexOf(quote);
    start >= 0;
    start = document.text.indexOf(quote, start + 1)
  ) {
    const place = placeAt(start);
    if (place) return place;
  }
  return undefined;
}
