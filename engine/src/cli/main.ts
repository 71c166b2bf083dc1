#!/usr/bin/env node
import { engineVersion } from '../engines/run-method.js';
import { analyseCommand, type Streams } from './analyse-command.js';
import { checklistCommand } from './checklist-command.js';
import { checklistsCommand } from './checklists-command.js';
import { CommandError } from './command-error.js';
import { completenessCommand } from './completeness-command.js';
import { modelsCommand } from './models-command.js';
import { reportCommand } from './report-command.js';
import { standardsCommand } from './standards-command.js';
import { traceCommand } from './trace-command.js';
import { USAGE } from './usage.js';

const COMMANDS: Readonly<Record<string, (args: readonly string[], streams: Streams) => Promise<number>>> = {
  analyse: analyseCommand,
  analyze: analyseCommand,
  checklist: checklistCommand,
  checklists: checklistsCommand,
  completeness: completenessCommand,
  models: modelsCommand,
  report: reportCommand,
  standards: standardsCommand,
  trace: traceCommand,
};

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
    return await command(rest, streams);
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

process.exitCode = await main(process.argv.slice(2), { out: process.stdout, error: process.stderr });
