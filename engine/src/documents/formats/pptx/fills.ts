import { type Colour, hexColour, WHITE } from '../../colours.js';
import type { XmlAttributes } from '../../files/xml.js';

/** What an area or the letters of a run are filled with; `unknown` for anything but one plain colour. */
export type Fill = 'none' | 'unknown' | { readonly colour: number /** 0 to 1. */; readonly opacity: number };

/** Follows the elements of a part and tells what each of them is filled with. */
export interface FillReader {
  open(name: string, attributes: XmlAttributes): void;
  /** The fill that ended with this element, and the name of the element that it fills. */
  close(): { readonly owner: string; readonly fill: Fill } | undefined;
  /** Whether an element of this name is open. */
  isIn(name: string): boolean;
}

/** Elements that say so; `p:bgRef` names the colour of a background of the theme. */
const FILLS = new Set([
  'p:bgRef',
  'a:noFill',
  'a:solidFill',
  'a:gradFill',
  'a:blipFill',
  'a:pattFill',
  'a:grpFill',
]);
const PLAIN = new Set(['p:bgRef', 'a:solidFill']);
const COLOURS = /^a:(?:srgbClr|schemeClr|sysClr|prstClr|scrgbClr|hslClr)$/;

/** `scheme` gives the colours of the theme by name. */
export function createFillReader(scheme: (name: string) => Colour): FillReader {
  const path: string[] = [];
  let colour: Colour;
  let opacity = 1;
  return {
    open(name, attributes) {
      const parent = path.at(-1);
      path.push(name);
      if (FILLS.has(name)) {
        colour = undefined;
        opacity = 1;
      } else if (PLAIN.has(parent ?? '') && COLOURS.test(name))
        colour = statedColour(name, attributes, scheme);
      else if (parent !== undefined && COLOURS.test(parent)) {
        if (name === 'a:alpha') opacity = Number(attributes.val) / 100_000;
        // Lighter, darker or mixed: another colour than the one that is named.
        else colour = undefined;
      }
    },
    close() {
      const name = path.pop();
      const owner = path.at(-1);
      if (name === undefined || owner === undefined || !FILLS.has(name)) return undefined;
      if (name === 'a:noFill') return { owner, fill: 'none' };
      const isPlain = PLAIN.has(name) && colour !== undefined && Number.isFinite(opacity);
      return { owner, fill: isPlain ? { colour: colour!, opacity } : 'unknown' };
    },
    isIn: (name) => path.includes(name),
  };
}

/** The colour that an element names itself. */
export function statedColour(
  name: string,
  { val, lastClr }: XmlAttributes,
  scheme: (name: string) => Colour,
): Colour {
  if (name === 'a:srgbClr') return hexColour(val);
  if (name === 'a:sysClr') return hexColour(lastClr);
  if (name === 'a:schemeClr') return scheme(val ?? '');
  if (name === 'a:prstClr') return val === 'white' ? WHITE : val === 'black' ? 0 : undefined;
  return undefined;
}
