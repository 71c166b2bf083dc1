import { type Colour, looksSame, TINY_POINTS } from '../../colours.js';
import type { XmlAttributes } from '../../files/xml.js';
import type { HiddenReason } from '../../hidden-ranges.js';
import { closePainting, createPainting, type Design, openPainting } from './design.js';
import type { Fill } from './fills.js';
import { mayMeet } from './places.js';

/** What a slide is drawn on. */
export interface SlideGround {
  readonly design: Design;
  /** In English Metric Units. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** How the text looks that stands at the place of a slide that is being read. */
export interface SlideLook {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Why nobody sees the text of the run that is open; of a cell without a look at its colours. */
  hidden(): HiddenReason | undefined;
  /** Colour of the letters as the run states it. */
  colour(): Colour;
  /** What the cell that ends stands on; undefined where that is not known. */
  cellBackground(): Colour;
}

interface Letters {
  /** Hundredths of a point. */
  size: number | undefined;
  fill: Fill | undefined;
  outlined: boolean;
}

/** With more drawings on a slide nothing is said about colours. */
const MOST_PAINTED = 1_000;
const PER_POINT = 100;

export function createSlideLook(ground: SlideGround | undefined): SlideLook {
  const { design, size } = ground ?? {};
  const painting = createPainting(design?.scheme ?? (() => undefined), design?.isPlain ?? false);
  const { fills, places, shape, painted } = painting;
  let run: Letters = nothing();
  /** What the shape that is open says for its paragraphs, by level. */
  let levels = new Map<string, Letters>();
  let levelOpen: string | undefined;
  let level = '1';
  let cell: { fill: Fill | undefined } | undefined;

  function shown(): Letters {
    const base = levels.get(level);
    return {
      size: run.size ?? base?.size,
      fill: run.fill ?? base?.fill,
      outlined: run.outlined || (base?.outlined ?? false),
    };
  }

  /** The one colour behind the shape that is open, its own filling included. */
  function background(): Colour {
    const { fill, isPlaceholder, isStyled } = shape;
    const own = fills.isIn('p:sp') ? fill : 'none';
    if (own !== undefined && own !== 'none') return plain(own);
    const isInherited = isStyled || (isPlaceholder && design!.hasFilledPlaceholders);
    if (own === undefined && fills.isIn('p:sp') && isInherited) return undefined;
    const below = [...design!.painted, ...painted];
    const place = places.place();
    if (below.length > MOST_PAINTED || below.some((one) => mayMeet(one, place))) return undefined;
    return plain(painting.background ?? design!.background);
  }

  function isOffSlide(): boolean {
    const place = places.place();
    if (!place || !size) return false;
    return !mayMeet(place, { left: 0, top: 0, right: size.width, bottom: size.height });
  }

  return {
    open(name, attributes) {
      openPainting(painting, name, attributes);
      if (name === 'p:sp') levels = new Map();
      else if (name === 'a:tc') cell = { fill: undefined };
      else if (name === 'a:p') level = '1';
      else if (name === 'a:pPr') level = String(Number(attributes.lvl ?? 0) + 1);
      else if (name === 'a:r' || name === 'a:fld') run = nothing();
      else if (name === 'a:rPr') run = { ...nothing(), size: sizeOf(attributes) };
      else if (/^a:lvl\dpPr$/.test(name)) levelOpen = name.charAt(5);
      else if (name === 'a:defRPr' && levelOpen && fills.isIn('a:lstStyle'))
        levels.set(levelOpen, { ...nothing(), size: sizeOf(attributes) });
    },
    close(name) {
      const ended = closePainting(painting, name, {
        isDesign: false,
        placeholdersArePainted: design?.hasFilledPlaceholders ?? true,
      });
      const letters =
        ended?.owner === 'a:rPr' || (ended?.owner === 'a:ln' && fills.isIn('a:rPr'))
          ? run
          : fills.isIn('a:lstStyle')
            ? levels.get(levelOpen ?? '')
            : undefined;
      if (letters && ended?.owner === 'a:ln') letters.outlined ||= ended.fill !== 'none';
      else if (letters && /^a:(?:rPr|defRPr)$/.test(ended?.owner ?? '')) letters.fill = ended!.fill;
      if (ended?.owner === 'a:tcPr' && cell) cell.fill = ended.fill;
      if (name === 'a:tc') cell = undefined;
      if (/^a:lvl\dpPr$/.test(name)) levelOpen = undefined;
    },
    hidden() {
      if (isOffSlide()) return 'off-page';
      const letters = shown();
      if (letters.size !== undefined && letters.size <= TINY_POINTS * PER_POINT) return 'tiny';
      if (letters.outlined) return undefined;
      const isClear =
        letters.fill === 'none' || (typeof letters.fill === 'object' && letters.fill.opacity === 0);
      if (isClear) return 'transparent';
      const colour = plain(letters.fill);
      if (colour === undefined || cell || !design) return undefined;
      return looksSame(colour, background()) ? 'same-colour' : undefined;
    },
    colour() {
      const letters = shown();
      return letters.outlined ? undefined : plain(letters.fill);
    },
    cellBackground() {
      if (!cell || cell.fill === undefined || !design) return undefined;
      return cell.fill === 'none' ? background() : plain(cell.fill);
    },
  };
}

const nothing = (): Letters => ({ size: undefined, fill: undefined, outlined: false });

const sizeOf = ({ sz }: XmlAttributes) => (sz === undefined ? undefined : Number(sz));

/** The colour of a filling that lets nothing through. */
function plain(fill: Fill | undefined): Colour {
  return typeof fill === 'object' && fill.opacity === 1 ? fill.colour : undefined;
}
