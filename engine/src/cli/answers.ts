import { loadConditions } from '../conditions/load-conditions.js';
import { CommandError } from './command-error.js';

/** What `--answer <condition>=yes|no` says, given any number of times. Throws `CommandError` for what is not understood. */
export async function answersOf(given: readonly string[]): Promise<Record<string, boolean>> {
  const known = await loadConditions();
  const answers: Record<string, boolean> = {};
  for (const one of given) {
    const match = /^([\w-]+)=(yes|no)$/.exec(one);
    if (!match)
      throw new CommandError(`--answer ${one} is not understood.`, 'Write --answer <condition>=yes or =no.');
    if (!known.has(match[1]!)) {
      throw new CommandError(
        `There is no condition "${match[1]}".`,
        `Conditions: ${[...known.keys()].join(', ')}.`,
      );
    }
    answers[match[1]!] = match[2] === 'yes';
  }
  return answers;
}
