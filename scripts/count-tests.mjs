// Prints "N passed, N failed" from the JSON report of vitest. Arguments: the report, and vitest's exit code. A test
// file that could not run and an error outside any test count as failed. A test that passed only when it was run again
// is told with its first failure: it is a fault of the test or, worse, of what it tests.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , file, exitCode] = process.argv;
let passed = 0;
let failed = 0;
try {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  for (const { assertionResults, name, status } of testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed').length;
    passed += assertionResults.filter((test) => test.status === 'passed').length;
    for (const { fullName, failureMessages } of assertionResults.filter(isSecondTry)) {
      console.log(
        `Passed only at the second try: ${relative('.', name)}: ${fullName}\n  ${failureMessages[0]}`,
      );
    }
    failed += failures === 0 && status === 'failed' ? 1 : failures;
  }
} catch (error) {
  console.error(`There is no report of the tests: ${error.message}`);
}
if (exitCode !== '0' && failed === 0) failed = 1;
if (passed === 0) failed ||= 1;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function isSecondTry({ status, failureMessages }) {
  return status === 'passed' && failureMessages.length > 0;
}
