import { type Colour, hexColour, looksSame, WHITE } from '../../colours.js';
import type { HiddenReason } from '../../hidden-ranges.js';

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

/** Why an element that is in the page is not shown; `paper`: nothing in the page gives it another background than white. */
export function hiddenBy(attributes: ReadonlyMap<string, string>, paper: boolean): HiddenReason | undefined {
  const style = attributes.get('style')?.toLowerCase() ?? '';
  if (attributes.has('hidden') || /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/.test(style))
    return 'marked-hidden';
  if (style === '' && !attributes.has('color')) return undefined;
  const stated = new Map(
    style.split(';').map((part) => {
      const at = part.indexOf(':');
      return [
        part.slice(0, at).trim(),
        part
          .slice(at + 1)
          .replace('!important', '')
          .trim(),
      ] as const;
    }),
  );
  if (/^0*(?:\.0+)?%?$/.test(stated.get('opacity') ?? '1')) return 'transparent';
  if (/^(?:0*(?:\.\d+)?(?:[a-z]+|%)?|1(?:\.0+)?(?:px|pt))$/.test(stated.get('font-size') ?? '12px')) {
    const size = Number.parseFloat(stated.get('font-size')!);
    if (size === 0 || /p[xt]$/.test(stated.get('font-size')!)) return 'tiny';
  }
  const isPlaced = /^(?:absolute|fixed)$/.test(stated.get('position') ?? '');
  const places = [stated.get('text-indent'), ...(isPlaced ? [stated.get('left'), stated.get('top')] : [])];
  if (places.some((place) => Number.parseFloat(place ?? '0') <= OFF_SCREEN)) return 'off-page';
  const isCut = /^rect\(\s*0(?:px)?[\s,]+0(?:px)?[\s,]+0(?:px)?[\s,]+0(?:px)?\s*\)$/.test(
    stated.get('clip') ?? '',
  );
  if (isCut) return 'clipped';
  const colour = cssColour(stated.get('color') ?? attributes.get('color'));
  const background = stated.get('background-color') ?? stated.get('background') ?? attributes.get('bgcolor');
  const below = background === undefined ? (paper ? WHITE : undefined) : cssColour(background);
  return looksSame(colour, below) ? 'same-colour' : undefined;
}

/** Pixels to the left or above that nobody scrolls to. */
const OFF_SCREEN = -999;

function cssColour(value: string | undefined): Colour {
  if (value === 'white') return WHITE;
  if (value === 'black') return 0;
  const parts = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(value ?? '');
  if (parts) return (Number(parts[1]) << 16) | (Number(parts[2]) << 8) | Number(parts[3]);
  return hexColour(value);
}

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
