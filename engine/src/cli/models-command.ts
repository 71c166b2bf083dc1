import { parseArgs } from 'node:util';
import type { Streams } from './analyse-command.js';
import { CommandError } from './command-error.js';
import { MODEL_OPTIONS, providerOf } from './model-options.js';
import { painter } from './terminal.js';
import { MODELS_USAGE } from './usage.js';

const STYLE = { passed: 'green', warning: 'yellow', failed: 'red', skipped: 'grey' } as const;

/** `normtrace models check`: tries a language model before it is relied on; resolves to 0, or 1 where a point failed. */
export async function modelsCommand(args: readonly string[], { out }: Streams): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...MODEL_OPTIONS, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    out.write(MODELS_USAGE);
    return 0;
  }
  if (positionals.join(' ') !== 'check')
    throw new CommandError(
      'What is to be done with the model was not said.',
      'Write: normtrace models check --base-url … --model …',
    );
  const settings = await providerOf(values);
  const { probeModel } = await import('../models/providers/probe.js');
  const probe = await probeModel({
    ...settings,
    structured: args.some((one) => one.startsWith('--structured')) ? settings.structured : 'auto',
  });
  const paint = painter(out);
  out.write(`${probe.model}\n`);
  for (const { id, state, says } of probe.points)
    out.write(`  ${paint(STYLE[state], state.padEnd(8))} ${id}: ${says}\n`);
  out.write(
    probe.usable
      ? `It can be used, with --structured ${probe.structured}.\n`
      : 'It cannot be used as it is.\n',
  );
  return probe.usable ? 0 : 1;
}
