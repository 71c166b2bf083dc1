/** What the reading process writes to standard error before it ends itself for want of memory. */
export const MEMORY_EXCEEDED = 'resident memory exceeded';
