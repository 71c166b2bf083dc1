import { describeApi } from '../server/dist/openapi/describe.js';
import { settingsPage } from '../server/dist/platform/configuration/describe-settings.js';

/** Every committed file that is made from the code, and what it should hold. Needs a build. */
export const generatedFiles = [
  { path: 'docs/configuration.md', content: settingsPage },
  { path: 'server/openapi.json', content: describeApi },
];
