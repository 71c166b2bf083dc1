import { fit, type Output, widthOf } from './terminal.js';

/** Tells how far a command is. */
export interface Progress {
  /** `label` names what is being worked on; `done` of `total`. */
  step(label: string, done: number, total: number): void;
  /** A line that stays. */
  note(text: string): void;
  /** Removes the bar. */
  end(): void;
}

const BAR = 24;
/** Without a terminal a line is written at these shares only. */
const PLAIN_STEPS = 4;

/** A bar that rewrites its line on a terminal, plain lines elsewhere. */
export function createProgress(output: Output): Progress {
  let last = '';
  const clear = () => output.write(`\r\u001b[2K`);
  return {
    step(label, done, total) {
      const share = total > 0 ? done / total : 0;
      if (!output.isTTY) {
        const key = `${label.split(':')[0]} ${Math.floor(share * PLAIN_STEPS)}`;
        if (key === last && done < total) return;
        if (key !== last) output.write(`${label} (${done} of ${total})\n`);
        last = key;
        return;
      }
      const full = Math.round(share * BAR);
      const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
      clear();
      output.write(
        fit(`${bar} ${String(Math.round(share * 100)).padStart(3)} % ${label}`, widthOf(output) - 1),
      );
    },
    note(text) {
      if (output.isTTY) clear();
      output.write(`${text}\n`);
    },
    end() {
      if (output.isTTY) clear();
    },
  };
}
