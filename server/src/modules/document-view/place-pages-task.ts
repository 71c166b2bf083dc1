import { hash } from 'node:crypto';
import { createDocumentReader, type Document, openPages, packPages } from '@normtrace/engine';
import type { EngineTask } from '../engine/engine-task.js';

export interface PlacePagesInput {
  readonly bytes: Uint8Array;
  readonly fileName: string;
  /** See `readingOf`: what is kept of the document. */
  readonly reading: string;
}

export interface PlacePagesOutput {
  /** See `openPages`; without lines where the file is read into another text today. Undefined for a format without pages. */
  readonly pages: Uint8Array | undefined;
  readonly isSameReading: boolean;
}

/** Tells readings of a file apart: places are ranges of one of them. */
export const readingOf = ({ text, blocks }: Document): string =>
  `${blocks.length} ${hash('sha256', text, 'base64url')}`;

const reader = createDocumentReader();

/** Places the text of a document on its pages that was read before places were kept, by reading its file once more. */
export const placePagesTask: EngineTask<PlacePagesInput, PlacePagesOutput> = {
  name: 'placePages',
  processorSeconds: 120,
  work: async ({ bytes, fileName, reading }, { signal }) => {
    const { document, pages } = await reader.readWithPages(bytes, { fileName, signal });
    const isSameReading = readingOf(document) === reading;
    const shapes = pages && openPages(pages)?.pages;
    return {
      result: {
        isSameReading,
        pages: isSameReading || !shapes ? pages : packPages({ pages: shapes, blocks: [] }),
      },
    };
  },
};
