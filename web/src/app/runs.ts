/** A run as it is started where nothing else is said. */
export const STARTED = { mode: 'auto', force: false, fresh_answers: false } as const;

const OVER = new Set(['completed', 'failed', 'cancelled', 'timed_out']);

/** Whether a run has ended, with a result or without. */
export const isOver = (status: string): boolean => OVER.has(status);
