import type { Inline } from '../reports/layout/block.js';
import { writeCauses } from '../reports/layout/causes.js';
import { writeOverview } from '../reports/layout/overview.js';
import type { Report } from '../reports/report.js';
import type { ReportWords } from '../reports/report-words.js';
import { type Output, painter, widthOf, wrap } from './terminal.js';

/** Prints the first page of a report (what is open, goal by goal, and what to decide first) and every cause. */
export function printOverview(output: Output, report: Report, words: ReportWords): void {
  const paint = painter(output);
  const width = widthOf(output);
  const line = (text = '') => output.write(`${text}\n`);
  const indented = (text: string, by: number) => {
    for (const part of wrap(text, width - by)) line(`${' '.repeat(by)}${part}`);
  };
  const title = (text: string) => {
    line();
    line(paint('bold', text));
    line('─'.repeat(Math.min(width, text.length)));
  };
  for (const block of [...writeOverview(report, words), ...writeCauses(report, words)]) {
    if (block.kind === 'heading') title(block.text);
    if (block.kind === 'facts') {
      for (const [label, value] of block.rows) {
        line(paint('grey', label));
        for (const one of plain(value).split('\n')) indented(one, 2);
      }
    }
    if (block.kind !== 'table') continue;
    title(block.caption);
    for (const [first = '', ...rest] of block.rows) {
      for (const part of wrap(plain(first), width)) line(paint('bold', part));
      for (const [at, cell] of rest.entries()) indented(`${block.columns[at + 1]!.title}: ${plain(cell)}`, 4);
    }
  }
  line();
}

const plain = (value: Inline): string =>
  typeof value === 'string' ? value : value.map(({ text }) => text).join('');
