/** Elements whose content nobody sees. */
export const UNSEEN = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'noframes',
  'iframe',
  'svg',
  'math',
  'object',
  'audio',
  'video',
  'canvas',
  'datalist',
  'select',
]);

/** Elements that stand within a line of text; every other element begins and ends a block. */
export const INLINE = new Set(
  `a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark meter nobr output
   progress q rb rp ruby s samp small span strike strong sub sup time tt u var wbr`.split(/\s+/),
);

/** Elements without content and without end tag. */
export const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

const BLOCKS =
  `address article aside blockquote body caption center colgroup dd details dialog dir div dl dt fieldset figcaption
   figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup html legend li main menu menuitem nav ol
   optgroup option p picture pre search section summary table tbody td textarea tfoot th thead title tr ul`.split(
    /\s+/,
  );

/** Names that HTML defines. In other formats `<Project name>` is a gap to fill in, not an element. */
export const KNOWN: ReadonlySet<string> = new Set([...UNSEEN, ...INLINE, ...VOID, ...BLOCKS]);

/** Parts of a page that repeat on every page. */
export function pageRole(
  name: string,
  role: string | undefined,
): 'navigation' | 'page_header' | 'page_footer' | undefined {
  if (name === 'nav' || role === 'navigation') return 'navigation';
  if (name === 'header' || role === 'banner') return 'page_header';
  if (name === 'footer' || role === 'contentinfo') return 'page_footer';
  return undefined;
}
