import { programOf } from '../scheduling/program.js';

/** What reading processes of the trace run; in a module of its own, because the first one starts before all others are loaded. */
export const TRACE_PROGRAM = programOf('cli/trace-child');
