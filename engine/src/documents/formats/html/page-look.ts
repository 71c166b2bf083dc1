import { type Colour, hexColour, looksSame, WHITE } from '../../colours.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import { INLINE } from './elements.js';
import type { PageStyles } from './page-styles.js';

/** How the text looks that stands at the place of a page that is being read. */
export interface PageLook {
  /** Why nothing of an element is seen, whatever stands in it. */
  gone(name: string, attributes: ReadonlyMap<string, string>): HiddenReason | undefined;
  /** An element begins that has content. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** An element ends, with those inside it whose end tags were left out. */
  close(name: string): void;
  /** Why nobody sees text here. */
  hidden(): HiddenReason | undefined;
}

type Values = ReadonlyMap<string, string>;

/** An open element: what it says and what it takes over. */
interface Look {
  readonly name: string;
  readonly colour: Colour;
  readonly background: number | 'unknown';
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
}

/** Deeper elements are seen. */
const DEEPEST = 500;
/** Elements whose end tags may be left out, and the start tags that end them. */
const ENDED_BY: Readonly<Record<string, RegExp>> = {
  p: /./,
  li: /^li$/,
  dt: /^d[td]$/,
  dd: /^d[td]$/,
  td: /^t(?:d|h|r|body|head|foot)$/,
  th: /^t(?:d|h|r|body|head|foot)$/,
  tr: /^t(?:r|body|head|foot)$/,
  option: /^option$/,
};
/** Elements that programs give a colour or background by themselves. */
const COLOURED = new Set(['a', 'mark', 'button']);
const PAINTED = new Set(['mark', 'button', 'textarea', 'dialog']);
/** Pixels to the left or above that nobody scrolls to. */
const OFF_SCREEN = -999;

export function createPageLook(styles: PageStyles): PageLook {
  const canvas: Look = {
    name: '',
    colour: styles.isClosed ? 0 : undefined,
    background: styles.isClosed ? WHITE : 'unknown',
    isTiny: false,
    isInvisible: false,
  };
  const root = within('body', within('html', canvas));
  const around: Look[] = [];
  let tooDeep = 0;
  const top = () => around.at(-1) ?? root;

  /** Page and body are there without tags of their own, and rules mean them. */
  function within(name: string, above: Look): Look {
    const values = styles.of(name, new Map());
    const colour = colourOf(values.get('color'), above.colour);
    return { ...above, colour, background: backgroundOf(name, values, above.background) };
  }

  function endOthers(name: string): void {
    if (INLINE.has(name)) return;
    for (;;) {
      const at = around.findLastIndex((one) => !INLINE.has(one.name));
      if (at < 0 || !ENDED_BY[around[at]!.name]?.test(name)) return;
      around.length = at;
    }
  }

  return {
    gone: (name, attributes) => goneBy(styles.of(name, attributes)),
    open(name, attributes) {
      endOthers(name);
      if (around.length >= DEEPEST) {
        tooDeep++;
        return;
      }
      const values = styles.of(name, attributes);
      const above = top();
      const takesOver = styles.isClosed && !COLOURED.has(name) && (name !== 'table' || styles.tablesTakeOver);
      around.push({
        name,
        colour: colourOf(values.get('color'), takesOver ? above.colour : undefined),
        background: backgroundOf(name, values, above.background),
        isTiny: values.has('font') ? false : isTiny(values.get('font-size'), above.isTiny),
        isInvisible: isInvisible(values.get('visibility'), above.isInvisible),
      });
    },
    close(name) {
      if (tooDeep > 0) {
        tooDeep--;
        return;
      }
      const at = around.findLastIndex((one) => one.name === name);
      if (at >= 0) around.length = at;
    },
    hidden() {
      const { colour, background, ...look } = top();
      if (tooDeep > 0) return undefined;
      if (look.isInvisible) return 'marked-hidden';
      if (look.isTiny) return 'tiny';
      return background !== 'unknown' && looksSame(colour, background) ? 'same-colour' : undefined;
    },
  };
}

function goneBy(values: Values): HiddenReason | undefined {
  if (values.get('display') === 'none') return 'marked-hidden';
  if (/^0*(?:\.0+)?%?$/.test(values.get('opacity') || '1')) return 'transparent';
  const isPlaced = /^(?:absolute|fixed)$/.test(values.get('position') ?? '');
  const places = [values.get('text-indent'), ...(isPlaced ? [values.get('left'), values.get('top')] : [])];
  if (places.some((place) => Number.parseFloat(place ?? '0') <= OFF_SCREEN)) return 'off-page';
  const isCut = /^rect\(\s*0(?:px)?[\s,]+0(?:px)?[\s,]+0(?:px)?[\s,]+0(?:px)?\s*\)$/.test(
    values.get('clip') ?? '',
  );
  return isCut ? 'clipped' : undefined;
}

function backgroundOf(name: string, values: Values, below: Look['background']): Look['background'] {
  const picture = values.get('background-image');
  if (picture !== undefined && picture !== 'none') return 'unknown';
  const stated = values.get('background-color') ?? values.get('background');
  if (stated !== undefined && !/^(?:transparent|none)$/.test(stated)) return cssColour(stated) ?? 'unknown';
  // What is placed elsewhere lies over other things.
  const isMoved = /^(?:absolute|fixed|sticky|unknown)$/.test(values.get('position') ?? '');
  return isMoved || (PAINTED.has(name) && stated === undefined) ? 'unknown' : below;
}

function isTiny(size: string | undefined, above: boolean): boolean {
  if (size === undefined || size === 'inherit') return above;
  const parts = /^(\d*\.?\d+)([a-z]*|%)$/.exec(size);
  if (!parts) return false;
  const number = Number(parts[1]);
  if (/^(?:em|%)$/.test(parts[2]!)) return number === 0 || above;
  return number === 0 || (/^p[xt]$/.test(parts[2]!) && number <= 1);
}

function isInvisible(visibility: string | undefined, above: boolean): boolean {
  return visibility === undefined || visibility === 'inherit'
    ? above
    : /^(?:hidden|collapse)$/.test(visibility);
}

function colourOf(stated: string | undefined, above: Colour): Colour {
  return stated === undefined || stated === 'inherit' ? above : cssColour(stated);
}

function cssColour(value: string | undefined): Colour {
  if (value === 'white') return WHITE;
  if (value === 'black') return 0;
  const parts = /^rgb\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*\)$/.exec(value ?? '');
  if (parts) return (Number(parts[1]) << 16) | (Number(parts[2]) << 8) | Number(parts[3]);
  // Eight digits end with an opacity here.
  return /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/.test(value ?? '') ? hexColour(value) : undefined;
}
