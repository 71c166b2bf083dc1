import { createHash } from 'node:crypto';
import { engineVersion } from '../engines/run-method.js';
import { render } from '../sentences/render.js';
import { say } from '../sentences/sentence.js';
import type { Report } from './report.js';

/** What a report is made of: everything but what follows from it. */
export type ReportInput = Omit<Report, 'schema' | 'tool' | 'notice' | 'contentHash' | 'wordsRemoved'>;

/**
 * Puts a report together. Parts that name a group which they do not list would lose findings on paper, so they are
 * refused with an error.
 */
export function makeReport(input: ReportInput): Report {
  for (const part of input.parts) {
    const known = new Set(part.groups.map(({ key }) => key));
    const strange = [...part.results, ...part.findings].find(({ group }) => !known.has(group));
    if (strange) throw new Error(`Part ${part.id} has no group "${strange.group}".`);
  }
  const { language, title, workspace, author, createdAt, scope, documents, parts, summary, copyFor } = input;
  const { mark, cover, chapters, selection } = input;
  const hash = createHash('sha256');
  // Piece by piece: one string of everything can be too long for a string.
  hash.update(JSON.stringify({ scope, documents }));
  for (const { results, findings, trace, ...rest } of parts) {
    hash.update(JSON.stringify(rest));
    for (const one of [...results, ...findings, ...(trace?.matrix ?? [])]) hash.update(JSON.stringify(one));
    hash.update(JSON.stringify(trace === undefined ? null : { ...trace, matrix: [] }));
  }
  return {
    schema: 'normtrace.report/1',
    language,
    title,
    ...(workspace === undefined ? {} : { workspace }),
    ...(author === undefined ? {} : { author }),
    createdAt,
    tool: engineVersion(),
    notice: render(say('terminal.disclaimer'), language),
    contentHash: hash.digest('hex'),
    scope,
    ...(mark === undefined ? {} : { mark }),
    ...(cover === undefined ? {} : { cover }),
    ...(chapters === undefined ? {} : { chapters }),
    ...(selection === undefined ? {} : { selection }),
    documents,
    parts,
    ...(summary === undefined ? {} : { summary }),
    ...(copyFor === undefined ? {} : { copyFor }),
  };
}
