import { defineConfig } from 'vitest/config';

// Tests run on the compiled output: what is tested is what runs, child processes included.
export default defineConfig({
  test: {
    include: ['{engine,server,eval,bench}/dist/**/*.test.js'],
    // Starts the database server for the tests that ask for one.
    globalSetup: ['server/dist/testing/global-setup.js'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
