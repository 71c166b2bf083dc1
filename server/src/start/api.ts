import { startProgram } from './start-program.js';

// The API alone. Any number of these, on any machines, over one DATABASE_URL.
await startProgram('api');
