import { stderr, stdout } from 'node:process';
import type { Severity } from '@normtrace/engine';

interface Place {
  readonly page?: number;
  readonly section?: readonly string[];
  readonly sheet?: string;
  readonly cell?: string;
  readonly line?: number;
}

/** The fields of a gap that the demo shows. */
export interface ShownGap {
  readonly severity: Severity;
  readonly title: string;
  readonly standard_ref: string;
  readonly observed: string;
  readonly recommendation: string;
  readonly evidence: readonly {
    readonly work_product_id: string;
    readonly location: Place;
    readonly quote: string;
    readonly note: string | null;
  }[];
  readonly search: Readonly<Record<string, unknown>> | null;
}

const COLOURS: Readonly<Record<string, string>> = { critical: '35', high: '31', medium: '33', low: '36' };
const MOST_QUOTES = 3;

/** One step of the demo: said when it begins, ticked off when it is done. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (stdout.isTTY) stdout.write(`  ${name} …`);
  const result = await work();
  stdout.write(`${stdout.isTTY ? '\r' : ''}  ${colour('32', '✓')} ${name}  \n`);
  return result;
}

/** Draws over itself on a terminal; elsewhere one line for each tenth. */
export function progressBar(): { show(percent: number, message: string): void; end(): void } {
  const width = 32;
  let shownTenth = -1;
  return {
    show(percent, message) {
      const tenth = Math.floor(percent / 10);
      if (stderr.isTTY) {
        const full = Math.round((percent / 100) * width);
        const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
        stderr.write(`\r\u001b[2K  ${bar} ${String(percent).padStart(3)} %  ${message}`);
      } else if (tenth !== shownTenth) stderr.write(`  ${percent} %  ${message}\n`);
      shownTenth = tenth;
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[2K');
    },
  };
}

export function printGaps(gaps: readonly ShownGap[], names: ReadonlyMap<string, string>): void {
  const width = Math.min(Math.max(stdout.columns || 100, 60), 120);
  for (const gap of gaps) {
    const label = colour(COLOURS[gap.severity] ?? '0', gap.severity.toUpperCase().padEnd(8));
    stdout.write(`\n${label}  ${colour('1', gap.title)}\n          ${gap.standard_ref}\n`);
    stdout.write(wrapped(gap.observed, width));
    for (const { work_product_id, location, quote, note } of gap.evidence.slice(0, MOST_QUOTES)) {
      const place = [names.get(work_product_id) ?? work_product_id, placeOf(location)]
        .filter(Boolean)
        .join(', ');
      stdout.write(
        `          │ ${colour('3', `“${quote}”`)}\n          │   ${place}${note ? ` – ${note}` : ''}\n`,
      );
    }
    if (gap.evidence.length > MOST_QUOTES) {
      stdout.write(`          │ and ${gap.evidence.length - MOST_QUOTES} more\n`);
    }
    if (gap.evidence.length === 0 && typeof gap.search?.statement === 'string') {
      stdout.write(wrapped(gap.search.statement, width));
    }
    stdout.write(wrapped(`→ ${gap.recommendation}`, width));
  }
}

function placeOf({ page, section, sheet, cell, line }: Place): string {
  const parts = [
    page === undefined ? '' : `p. ${page}`,
    section?.join(' › ') ?? '',
    sheet === undefined ? '' : `sheet ${sheet}`,
    cell ?? '',
    line === undefined ? '' : `line ${line}`,
  ];
  return parts.filter(Boolean).join(', ');
}

function wrapped(text: string, width: number): string {
  const indent = ' '.repeat(10);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line && indent.length + line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  return lines.map((one) => `${indent}${one}\n`).join('');
}

function colour(code: string, text: string): string {
  return stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${code}m${text}\u001b[0m` : text;
}
