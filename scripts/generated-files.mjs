import { reportJsonSchema } from '@normtrace/engine';
import { sentenceKeys, path as sentenceKeysPath } from '../engine/scripts/sentence-keys.mjs';
import { describeApi } from '../server/dist/openapi/describe.js';
import { settingsPage } from '../server/dist/platform/configuration/describe-settings.js';

/** Every committed file that is made from the code, and what it should hold. Needs a build. */
export const generatedFiles = [
  { path: 'docs/configuration.md', content: settingsPage },
  { path: sentenceKeysPath, content: sentenceKeys },
  { path: 'server/openapi.json', content: describeApi },
  { path: 'docs/report.schema.json', content: () => `${JSON.stringify(reportJsonSchema(), null, 2)}\n` },
];
