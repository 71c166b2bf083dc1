import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// Tests run on the compiled output: what is tested is what runs, child processes included.
export default defineConfig({
  test: {
    include: ['{engine,server,eval,bench}/dist/**/*.test.js', 'web/src/**/*.test.ts'],
    // Starts the database server for the tests that ask for one.
    globalSetup: ['server/dist/testing/global-setup.js'],
    // For a test that hangs. How long it takes says how busy the machine is, not whether it is right.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // One more than there are cores: tests wait for processes of their own.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    // Files share a worker with what it has loaded. Tests of this house change nothing that is global.
    isolate: false,
    // What is tested is loaded as Node.js loads it, untransformed: a quarter less processor time for a file.
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
  },
});
