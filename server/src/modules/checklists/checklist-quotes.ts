import { buffer } from 'node:stream/consumers';
import type { z } from 'zod';
import { invalid } from '../../platform/http/api-error.js';
import type { WriteContext } from '../../platform/http/route.js';
import { unpackDocument } from '../documents/parsed-document.js';
import { quoteFinder } from '../documents/quote-places.js';
import * as repository from './checklist-answers.repository.js';
import type { NewAnswer } from './checklist-answers.schemas.js';

/** Reading a longer document would hold up other requests. */
const MOST_BLOCKS = 20_000;

/** The quotes of a person with their places, in the versions that the run read. Throws 422 for words that are not there. */
export async function findQuotes(
  { transaction, dependencies: { storage } }: Pick<WriteContext, 'transaction' | 'dependencies'>,
  workspaceId: string,
  { documents }: repository.StateRunRow,
  evidence: z.output<typeof NewAnswer>['evidence'],
): Promise<readonly repository.AnswerEvidence[]> {
  const found: repository.AnswerEvidence[] = [];
  for (const [at, { work_product_id, quote, note = null }] of evidence.entries()) {
    const path = `body.evidence.${at}`;
    const version = documents.find((one) => one.work_product_id === work_product_id)?.version;
    if (version === undefined) {
      throw invalid(`${path}.work_product_id`, 'The newest run did not read this work product.', 'unknown');
    }
    const { parsed_key, block_count } = await repository.findParsed(transaction, workspaceId, {
      work_product_id,
      version,
    });
    if (parsed_key === null || (block_count ?? 0) > MOST_BLOCKS) {
      throw invalid(
        `${path}.work_product_id`,
        `Quotes are checked in documents of up to ${MOST_BLOCKS} paragraphs and rows. Name the place in the reason.`,
        'too_long',
      );
    }
    const document = await unpackDocument(
      new Uint8Array(await buffer(await storage.within(workspaceId).read(parsed_key))),
    );
    const place = placeOf(document, quote);
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
  { transaction, dependencies: { storage } }: Pick<WriteContext, 'transaction' | 'dependencies'>,
  workspaceId: string,
  {
    version,
    work_product_id,
    quote,
  }: Pick<repository.AnswerEvidence, 'version' | 'work_product_id' | 'quote'>,
) {
  const place = { work_product_id, version };
  const { parsed_key, block_count } = await repository.findParsed(transaction, workspaceId, place);
  if (parsed_key === null || (block_count ?? 0) > MOST_BLOCKS) return undefined;
  const packed = await buffer(await storage.within(workspaceId).read(parsed_key));
  const found = placeOf(await unpackDocument(new Uint8Array(packed)), quote);
  return found && { ...place, ...found };
}

function placeOf(document: Awaited<ReturnType<typeof unpackDocument>>, quote: string) {
  const narrowed = quoteFinder(document);
  for (
    let start = document.text.indexOf(quote);
    start >= 0;
    start = document.text.indexOf(quote, start + 1)
  ) {
    const block = document.blocks.find((one) => one.start <= start && start < one.end);
    const end = start + quote.length;
    const place = block && narrowed({ start, end, location: block.location });
    if (place?.quote === quote) return place;
  }
  return undefined;
}
