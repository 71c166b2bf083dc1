import { readFileSync, writeFileSync } from 'node:fs';
import { describeApi, OPENAPI_FILE } from './describe.js';

// Writes openapi.json; with --check says whether it is stale and changes nothing.
const described = describeApi();
if (process.argv.includes('--check')) {
  const committed = readFileSync(OPENAPI_FILE, 'utf8');
  if (committed !== described) {
    console.error('server/openapi.json is stale. Run: node server/dist/openapi/write.js');
    process.exitCode = 1;
  }
} else {
  writeFileSync(OPENAPI_FILE, described);
}
