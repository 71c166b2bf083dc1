import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, factTable } from './fact.js';
import { laneFacts } from './lane-facts.js';
import { toolFacts } from './tool-facts.js';
import { warcFacts } from './warc-facts.js';

/**
 * Prints the known facts of the real documents beside what the engines find. Resolves to 0 when all hold, 1 when one
 * does not, 2 when the folder is not there.
 * @param data Folder with documents/ and gold/.
 */
export async function checkFacts(data: string | undefined): Promise<number> {
  if (data === undefined || !existsSync(join(data, 'documents'))) {
    console.error(
      `npm run eval -- facts --data <folder with documents/ and gold/>: ${data ?? 'no folder'} is not there.`,
    );
    return 2;
  }
  const documents = join(data, 'documents');
  const facts: readonly Fact[] = [
    ...(await laneFacts(join(documents, 'lane-assistance'))),
    ...(await toolFacts(documents)),
    ...(await warcFacts(join(documents, 'warc'), join(data, 'gold', 'links', 'warc'))),
  ];
  console.log(factTable(facts));
  const differing = facts.filter(({ holds }) => !holds).length;
  console.log(`\n${facts.length - differing} of ${facts.length} known facts hold.`);
  return differing === 0 ? 0 : 1;
}
