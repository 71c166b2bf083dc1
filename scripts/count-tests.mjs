// Prints "N passed, N failed" from the JSON report of vitest. Arguments: the report, and vitest's exit code. A test
// file that could not run and an error outside any test count as failed.
import { readFileSync } from 'node:fs';

const [, , file, exitCode] = process.argv;
let passed = 0;
let failed = 0;
try {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  for (const { assertionResults, status } of testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed').length;
    passed += assertionResults.filter((test) => test.status === 'passed').length;
    failed += failures === 0 && status === 'failed' ? 1 : failures;
  }
} catch (error) {
  console.error(`There is no report of the tests: ${error.message}`);
}
if (exitCode !== '0' && failed === 0) failed = 1;
if (passed === 0) failed ||= 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
