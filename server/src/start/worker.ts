import { startProgram } from './start-program.js';

// A worker alone. Any number of these, on any machines, over one DATABASE_URL.
await startProgram('worker');
