import { parseArgs } from 'node:util';
import { loadChecklists } from '../checklists/load-checklists.js';
import { normaliseText } from '../text/normalise.js';
import type { Streams } from './analyse-command.js';
import { oneOf } from './options.js';
import { fit, painter, widthOf } from './terminal.js';
import { CHECKLISTS_USAGE } from './usage.js';

const FORMATS = ['text', 'table', 'json'] as const;

/** `normtrace checklists`: those that come with the engine; resolves to the exit code. */
export async function checklistsCommand(args: readonly string[], { out }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      format: { type: 'string', default: 'text' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    out.write(CHECKLISTS_USAGE);
    return 0;
  }
  const format = oneOf('--format', values.format, FORMATS);
  const words = normaliseText(positionals.join(' ')).split(' ');
  const lists = [...(await loadChecklists()).values()].filter(({ id, title }) => {
    const names = normaliseText([id, title.en, title.de ?? ''].join(' '));
    return words.every((word) => names.includes(word));
  });
  if (format === 'json') {
    const entries = lists.map(({ id, title, domain, items }) => ({ id, title, domain, items: items.length }));
    out.write(`${JSON.stringify(entries, null, 2)}\n`);
    return 0;
  }
  if (lists.length === 0) {
    out.write(`No checklist fits "${positionals.join(' ')}".\n`);
    return 0;
  }
  const paint = painter(out);
  const idWidth = Math.max(...lists.map(({ id }) => id.length));
  for (const { id, title, items } of lists) {
    const count = `${items.length} item${items.length === 1 ? '' : 's'}`.padStart(8);
    const rest = fit(title.en, widthOf(out) - idWidth - 12);
    out.write(`${paint('bold', id.padEnd(idWidth))}  ${count}  ${rest}\n`);
  }
  return 0;
}
