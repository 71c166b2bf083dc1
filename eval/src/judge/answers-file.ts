import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerStore, LanguageModel, StoredAnswer } from '@normtrace/engine';
import { GoldDataError } from '../gold.js';

/** What the keys of recorded answers depend on beside the questions. */
export type RecordedModel = Pick<LanguageModel, 'id' | 'contextTokens' | 'sampling'>;

const ABOUT = 'model.json';

/** The model whose answers are recorded in a folder. Throws `GoldDataError` where there are none. */
export function recordedModel(folder: string): RecordedModel {
  const place = join(folder, ABOUT);
  if (!existsSync(place)) throw new GoldDataError(`${folder} has no recorded answers: there is no ${ABOUT}.`);
  return JSON.parse(readFileSync(place, 'utf8')) as RecordedModel;
}

/**
 * Recorded answers: `model.json` and one `<task>.jsonl` for each task, a line an answer. New ones are appended where `records`
 * names the model that gives them; else they are kept in memory.
 */
export function recordedAnswers(folder: string, records?: RecordedModel): AnswerStore {
  const answers = new Map<string, StoredAnswer>();
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  for (const name of files.sort()) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const { key, answer } = JSON.parse(line) as { key: string; answer: StoredAnswer };
      answers.set(key, answer);
    }
  }
  return {
    get: async (keys) => keys.map((key) => answers.get(key)),
    async set(entries) {
      for (const { key, request, answer } of entries) {
        answers.set(key, answer);
        if (!records) continue;
        mkdirSync(folder, { recursive: true });
        const { id, contextTokens, sampling } = records;
        writeFileSync(join(folder, ABOUT), `${JSON.stringify({ id, contextTokens, sampling })}\n`);
        // How long it took is no part of an answer.
        const { milliseconds: _, ...kept } = answer;
        appendFileSync(join(folder, `${request.task}.jsonl`), `${JSON.stringify({ key, answer: kept })}\n`);
      }
    },
  };
}
