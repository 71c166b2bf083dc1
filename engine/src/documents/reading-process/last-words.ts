/** What the reading process writes to standard error before it ends itself. */
export const MEMORY_EXCEEDED = 'resident memory exceeded';
export const PROCESSOR_TIME_EXCEEDED = 'processor time exceeded';

/** Of the memory that a process may have: what may come between two looks at it. */
export const MARGIN_MEGABYTES = 20;
