import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ADDRESS_AND_PAGE = /path: '([^']+)',\s*page: \(\) => import\('([^']+)'\)/g;

/** The module that draws each address, as the `screen.ts` of the folders name them. Throws for one that cannot be read. */
function pagesOfScreens(screens) {
  const pages = new Map();
  for (const folder of readdirSync(screens)) {
    let text = '';
    try {
      text = readFileSync(join(screens, folder, 'screen.ts'), 'utf8');
    } catch {
      continue;
    }
    const found = [...text.matchAll(ADDRESS_AND_PAGE)];
    if (found.length !== text.split('page: ').length - 1)
      throw new Error(
        `An address and its page do not stand beside each other in screens/${folder}/screen.ts.`,
      );
    for (const [, address, page] of found) pages.set(address, join(screens, folder, page));
  }
  return pages;
}

/** What nothing is painted before, from `public`. */
const FIRST = 'first-paint.js';
/** The letters of both languages: without being named they are asked for when the first text is laid out, beside the questions to the API. */
const LETTERS = /-latin-wght-normal-[^/]*\.woff2$/;

/**
 * Writes `screens.json`: which files each address needs, those of the frame first. A server that names them with the page has the browser
 * fetch all of them at once, instead of those of a screen after the frame has run. The one style sheet is named by the page itself.
 */
export const screenFiles = (screens) => ({
  name: 'screen-files',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    const entry = chunks.find(({ isEntry }) => isEntry);
    const filesOf = (file, into = new Set()) => {
      const chunk = bundle[file];
      if (into.has(file) || chunk?.type !== 'chunk') return into;
      into.add(file);
      for (const other of chunk.imports) filesOf(other, into);
      return into;
    };
    const letters = Object.keys(bundle).filter((file) => LETTERS.test(file));
    const files = {};
    for (const [address, page] of pagesOfScreens(screens)) {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(page));
      if (!chunk) throw new Error(`There is no file for the page ${page}.`);
      files[address] = [FIRST, ...filesOf(chunk.fileName, filesOf(entry.fileName)), ...letters];
    }
    this.emitFile({ type: 'asset', fileName: 'screens.json', source: JSON.stringify(files) });
  },
});
