#!/usr/bin/env node
import { engineVersion } from '../engines/run-method.js';
import { compileLate } from '../scheduling/compile-late.js';
import type { Streams } from './analyse-command.js';
import { CommandError } from './command-error.js';
import { TRACE_PROGRAM } from './trace-program.js';
import { USAGE } from './usage.js';

type Command = (args: readonly string[], streams: Streams) => Promise<number>;

/** Each with its modules, which are loaded for the command that is given: all together take a third of a second. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  analyse: async () => (await import('./analyse-command.js')).analyseCommand,
  analyze: async () => (await import('./analyse-command.js')).analyseCommand,
  checklist: async () => (await import('./checklist-command.js')).checklistCommand,
  checklists: async () => (await import('./checklists-command.js')).checklistsCommand,
  completeness: async () => (await import('./completeness-command.js')).completenessCommand,
  demands: async () => (await import('./demands-command.js')).demandsCommand,
  models: async () => (await import('./models-command.js')).modelsCommand,
  report: async () => (await import('./report-command.js')).reportCommand,
  standards: async () => (await import('./standards-command.js')).standardsCommand,
  trace: async () => (await import('./trace-command.js')).traceCommand,
};

/** Those that read documents, and begin with it as soon as they are loaded. */
const READING: ReadonlySet<string> = new Set([
  'analyse',
  'analyze',
  'checklist',
  'completeness',
  'report',
  'trace',
]);
/** What a reading process runs for a command that has it make something of documents. */
const PROGRAMS: Readonly<Record<string, URL>> = { trace: TRACE_PROGRAM };

/** Exit codes: 0 done, 1 gaps at or above the threshold, 2 could not run. */
async function main(args: readonly string[], streams: Streams): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    streams.out.write(`${engineVersion().version}\n`);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    streams.out.write(USAGE);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  try {
    if (!command)
      throw new CommandError(
        `There is no command "${name}".`,
        `Commands: ${Object.keys(COMMANDS)
          .filter((one) => one !== 'analyze')
          .join(', ')}. See normtrace --help.`,
      );
    if (READING.has(name) && rest.length > 0 && !rest.includes('--help') && !rest.includes('-h')) {
      (await import('./first-process.js')).startFirstProcess(PROGRAMS[name]);
    }
    return await (await command())(rest, streams);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const known = isForPeople(error);
    streams.error.write(`normtrace: ${error.message}\n`);
    if (known && typeof known === 'string') streams.error.write(`${known}\n`);
    if (!known) streams.error.write(`${error.stack ?? ''}\n`);
    return 2;
  }
}

/** The hint of an error that a person can do something about; false for a defect of ours. */
function isForPeople(error: Error): string | boolean {
  if ('hint' in error && typeof error.hint === 'string') return error.hint;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')) return 'See normtrace <command> --help.';
  return ['DataError', 'UnknownStandardError', 'EmbeddingServiceError'].includes(error.name);
}

compileLate();
process.exitCode = await main(process.argv.slice(2), { out: process.stdout, error: process.stderr });
