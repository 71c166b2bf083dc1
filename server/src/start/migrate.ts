import { startProgram } from './start-program.js';

// Brings the database up to date and ends. Running it twice, or in two places at once, does no harm.
await startProgram('migrate');
