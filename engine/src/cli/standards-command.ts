import { parseArgs } from 'node:util';
import { type CatalogEntry, listCatalog } from '../standards/catalog.js';
import { normaliseText } from '../text/normalise.js';
import type { Streams } from './analyse-command.js';
import { CommandError } from './command-error.js';
import { fit, painter, widthOf } from './terminal.js';
import { STANDARDS_USAGE } from './usage.js';

/** Every word stands somewhere in the names of the entry. */
function fits({ id, designation, shortName, title, aliases }: CatalogEntry, words: string): boolean {
  const names = normaliseText([id, designation, shortName, title, ...aliases].join(' '));
  return normaliseText(words)
    .split(' ')
    .every((word) => names.includes(word));
}

const STRUCTURE_NAMES = {
  none: 'own copy needed',
  clauses: 'clauses',
  work_products: 'work products',
  processes_and_practices: 'processes and practices',
} as const;

/** `normtrace standards`; resolves to the exit code. */
export async function standardsCommand(args: readonly string[], { out }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      format: { type: 'string', default: 'table' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    out.write(STANDARDS_USAGE);
    return 0;
  }
  if (values.format !== 'table' && values.format !== 'json') {
    throw new CommandError(`--format ${values.format} is not known.`, 'Use table or json.');
  }
  const words = positionals.join(' ');
  const entries = (await listCatalog()).filter(
    (entry) => (values.all || entry.builtinStructure !== 'none') && fits(entry, words),
  );
  if (values.format === 'json') {
    const list = entries.map(({ id, designation, title, edition, status, builtinStructure }) => ({
      id,
      designation,
      title,
      edition,
      status,
      builtinStructure,
    }));
    out.write(`${JSON.stringify(list, null, 2)}\n`);
    return 0;
  }
  if (entries.length === 0) {
    out.write(
      words === '' ? 'The catalog is empty.\n' : `Nothing in the catalog fits "${words}". Try --all.\n`,
    );
    return 0;
  }
  const paint = painter(out);
  const idWidth = Math.max(...entries.map((entry) => entry.id.length));
  for (const entry of entries) {
    const structure = STRUCTURE_NAMES[entry.builtinStructure].padEnd(23);
    const rest = fit(`${entry.designation} ${entry.title}`, widthOf(out) - idWidth - 28);
    out.write(`${paint('bold', entry.id.padEnd(idWidth))}  ${structure}  ${rest}\n`);
  }
  return 0;
}
