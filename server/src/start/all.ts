import { startProgram } from './start-program.js';

// The whole service in one process: database, API, worker.
await startProgram('all');
