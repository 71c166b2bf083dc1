import { openBuiltInModel, takeApart, textsToEmbed, withEmbeddingCache } from '@normtrace/engine';
import { unpackDocument } from '../documents/parsed-document.js';
import { ask, type EngineQuestion } from '../engine/engine-question.js';
import type { EngineTask } from '../engine/engine-task.js';
import { keepVectors, keptVectors } from './vector-questions.js';

/** Texts between two looks at what is kept: an end before the end costs no more than these. */
const TOGETHER = 16;

/** The next document, packed; the one before it is done. Undefined after the last one. */
export const nextDocument: EngineQuestion<null, Uint8Array | undefined> = { kind: 'next document' };

/**
 * Computes the vectors that a gap analysis of documents may ask for and that nobody has computed yet, with what other work
 * leaves of the processors. From the end of each document to its beginning: an analysis that is started meanwhile goes
 * from the beginning, so the two meet instead of doing the same.
 */
export const embedAheadTask: EngineTask<null, null> = {
  name: 'embedAhead',
  work: async (_input, context) => {
    const builtIn = openBuiltInModel({ workers: 2, inBackground: true });
    const model = withEmbeddingCache(builtIn, {
      get: (keys) => ask(context, keptVectors, keys),
      set: (entries) => ask(context, keepVectors, entries),
    });
    try {
      for (;;) {
        const packed = await ask(context, nextDocument, null);
        if (!packed) return { result: null };
        const texts = [
          ...textsToEmbed(takeApart('document', await unpackDocument(packed)).passages),
        ].reverse();
        for (let from = 0; from < texts.length; from += TOGETHER) {
          context.signal.throwIfAborted();
          await model.embed(texts.slice(from, from + TOGETHER), context.signal);
        }
      }
    } finally {
      await builtIn.close();
    }
  },
};
