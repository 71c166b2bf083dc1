import { cpus, totalmem } from 'node:os';
import type { Bench, Figure } from './measure.js';

export interface BenchResult {
  readonly bench: Bench;
  readonly figures: readonly Figure[];
  readonly skipped?: string;
}

/** What the figures were measured on, in one line. */
export function machine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${memory} GiB, Node ${process.versions.node}, ${process.platform}`;
}

export function renderText(results: readonly BenchResult[]): string {
  const lines: string[] = [];
  for (const { bench, figures, skipped } of results) {
    lines.push('', bench.name);
    if (skipped) lines.push(`  skipped: ${skipped}`);
    for (const figure of figures) {
      const parts = [
        figure.value,
        figure.peer,
        ratio(figure),
        figure.goal && `goal ${figure.goal}`,
        figure.note,
      ];
      lines.push(`  ${figure.name}: ${parts.filter(Boolean).join(' · ')}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

export function renderMarkdown(results: readonly BenchResult[], machineLine: string, date: Date): string {
  const lines = [
    '# Benchmarks',
    '',
    `Measured on ${date.toISOString().slice(0, 10)} with \`npm run bench -- --data <documents> --write\`: ${machineLine}.`,
    'Shared machines are noisy: the ratios, taken in turn within one run, are what counts.',
  ];
  for (const { bench, figures, skipped } of results) {
    lines.push('', `## ${bench.name}`, '', bench.about, '');
    if (skipped) {
      lines.push(`Not measured: ${skipped}.`);
      continue;
    }
    lines.push('| What | Figure | Peer or limit | Ratio | Goal | Remark |', '|---|---|---|---|---|---|');
    for (const figure of figures) {
      const cells = [figure.name, figure.value, figure.peer, ratio(figure), figure.goal, figure.note];
      lines.push(`| ${cells.map((cell) => (cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function ratio(figure: Figure): string {
  return figure.ratio === undefined ? '' : `${figure.ratio.toFixed(2)} ×`;
}
