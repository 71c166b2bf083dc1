// Writes every file that is made from the code. Run it after changing settings or routes.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.mjs';

for (const { path, content } of generatedFiles) {
  writeFileSync(new URL(`../${path}`, import.meta.url), content());
  console.log(`wrote ${path}`);
}
