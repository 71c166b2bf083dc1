import { setFlagsFromString } from 'node:v8';

/**
 * What V8 compiles a second time, and when. By default an expression is compiled for an interpreter when it is used first and for the
 * processor when it is used again, and a function is optimised after so little work that a process which lives for seconds spends a
 * quarter of its processor time on that. The budget is in bytes of bytecode: with a larger one long inputs lose what short ones gain
 * (decision 550). `--no-regexp-tier-up` would say the first as well, but ends a process in which expressions have been used.
 */
const FLAGS = ['--regexp-tier-up-ticks=0', '--interrupt-budget=1000000'];

/** For a process that works through documents: the command line, and processes that read or analyse. At any time. */
export function compileLate(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}

/**
 * Between two collections the heap grows by two fifths, where by default it may grow to a multiple: for a process that holds all that it
 * reads until its end, so that what it takes of memory is not half garbage. Costs no measurable time there. At any time.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=40');
}
