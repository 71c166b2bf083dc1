import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files of these folders start services, browsers and commands or read whole projects, however short their text is: begun last, one of
 * them would go on alone for most of a minute.
 */
const TAKE_LONG = /\/(?:eval|server)\/dist\/(?:findings|testing|start|backup)\/|\/engine\/dist\/cli\//;

class LongOnesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const takesLong = ({ moduleId }: TestSpecification): boolean => TAKE_LONG.test(moduleId);
    return [...sorted.filter(takesLong), ...sorted.filter((file) => !takesLong(file))];
  }
}

// Tests run on the compiled output: what is tested is what runs, child processes included.
export default defineConfig({
  test: {
    include: ['{engine,server,eval,bench}/dist/**/*.test.js', 'web/src/**/*.test.ts'],
    // Starts the database server for the tests that ask for one.
    globalSetup: ['server/dist/testing/global-setup.js'],
    // For a test that hangs. How long it takes says how busy the machine is, not whether it is right.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Two more than there are cores: tests wait for processes of their own, for times that end, and for pages to be drawn.
    maxWorkers: Math.min(availableParallelism() + 2, 6),
    // Files share a worker with what it has loaded. Tests of this house change nothing that is global.
    isolate: false,
    sequence: { sequencer: LongOnesFirst },
    // What is tested is loaded as Node.js loads it, untransformed: a quarter less processor time for a file.
    server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
  },
});
