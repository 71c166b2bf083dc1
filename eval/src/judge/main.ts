import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { EmbeddingModel } from '@normtrace/engine';
import { withSection } from '../findings/main.js';
import { GoldDataError, loadLinkSets } from '../gold.js';
import { methodsToCompare } from '../methods.js';
import {
  judgeRecordedLinks,
  RECORDED_HEADING,
  recordedLinksSection,
  recordedLinksTable,
  withJudgements,
} from './recorded-links.js';

/** Links with recorded answers of language models; prints the table and writes its section of the report. */
export async function judgeLinksAgain(
  data: string,
  { model, report }: { readonly model: EmbeddingModel | undefined; readonly report: string },
): Promise<number> {
  const judged = withJudgements(data, loadLinkSets(data));
  if (judged.length < 2)
    throw new GoldDataError(`${data} has recorded answers of fewer than two sets in link-judgements/.`);
  const method = methodsToCompare(model).at(-1)!;
  const figures = await judgeRecordedLinks(judged, method);
  console.log(recordedLinksTable(judged, figures));
  const before = existsSync(report) ? readFileSync(report, 'utf8') : '';
  writeFileSync(
    report,
    withSection(before, recordedLinksSection(judged, figures, method.name), RECORDED_HEADING),
  );
  return 0;
}
