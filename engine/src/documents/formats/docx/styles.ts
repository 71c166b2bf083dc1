import { type Colour, hexColour } from '../../colours.js';
import type { OfficePackage } from '../../files/office-package.js';

/** What a paragraph or character style says, its ancestors included. */
export interface Style {
  /** `heading 1`, `caption`, `toc 2`, …: Word keeps built-in names in English, in lower case here. */
  readonly name: string;
  /** Heading level from 1 by name or outline level. */
  readonly headingLevel?: number;
  /** Numbering instance; `0` says explicitly that there is none. */
  readonly numberingId?: string;
  /** 0-based list level. */
  readonly listLevel?: number;
  readonly bold?: boolean;
  readonly hidden?: boolean;
  /** Of the letters; undefined also where it is chosen by the program. */
  readonly colour?: Colour;
  /** Half points. */
  readonly size?: number;
  /** Background behind text or cells; `unknown` where it is not one colour. */
  readonly shade?: Shade;
}

export type Shade = number | 'unknown';

/** What a `w:shd` lays behind text; undefined where that is nothing. */
export function shadeOf(fill: string | undefined): Shade | undefined {
  if (fill === undefined || /^(?:auto|nil|none)$/i.test(fill)) return undefined;
  return hexColour(fill) ?? 'unknown';
}

export interface Styles {
  byId(id: string | undefined): Style;
}

interface OwnStyle {
  id: string;
  name: string;
  basedOn?: string;
  outlineLevel?: number;
  numberingId?: string;
  listLevel?: number;
  bold?: boolean;
  hidden?: boolean;
  colour?: Colour;
  size?: number;
  shade?: Shade;
}

const HEADING_NAME = /^(?:heading|überschrift|berschrift)\s*([1-9])$/i;

/** A property such as `<w:b/>` or `<w:b w:val="0"/>`. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !/^(?:0|false|off|none)$/.test(value);
}

export async function readStyles(file: OfficePackage, part: string | undefined): Promise<Styles> {
  const own = new Map<string, OwnStyle>();
  let defaultParagraph: string | undefined;
  let style: OwnStyle | undefined;
  if (part && file.has(part)) {
    await file.parse(part, {
      open(name, attributes) {
        const value = attributes['w:val'];
        if (name === 'w:style') {
          style = { id: attributes['w:styleId'] ?? '', name: '' };
          own.set(style.id, style);
          const isDefault = attributes['w:default'] && isOn(attributes['w:default']);
          if (isDefault && attributes['w:type'] === 'paragraph') defaultParagraph = style.id;
        }
        if (!style) return;
        if (name === 'w:name') style.name = (value ?? '').toLowerCase();
        if (name === 'w:basedOn' && value) style.basedOn = value;
        if (name === 'w:outlineLvl') style.outlineLevel = Number(value);
        if (name === 'w:numId' && value) style.numberingId = value;
        if (name === 'w:ilvl') style.listLevel = Number(value);
        if (name === 'w:b') style.bold = isOn(value);
        if (name === 'w:vanish') style.hidden = isOn(value);
        const colour = name === 'w:color' ? hexColour(value) : undefined;
        if (colour !== undefined) style.colour = colour;
        if (name === 'w:sz') style.size = Number(value);
        const shade = name === 'w:shd' ? shadeOf(attributes['w:fill']) : undefined;
        if (shade !== undefined)
          style.shade = style.shade === undefined || style.shade === shade ? shade : 'unknown';
      },
      close(name) {
        if (name === 'w:style') style = undefined;
      },
    });
  }
  const resolved = new Map<string, Style>();
  const nothing: Style = { name: '' };
  return {
    byId(id) {
      const key = id ?? defaultParagraph;
      if (key === undefined) return nothing;
      let found = resolved.get(key);
      if (!found) {
        found = resolveStyle(own, key);
        resolved.set(key, found);
      }
      return found;
    },
  };
}

/** Merges a style with its ancestors; the nearest statement counts. */
function resolveStyle(own: ReadonlyMap<string, OwnStyle>, id: string): Style {
  const merged: OwnStyle = { id, name: own.get(id)?.name ?? id.toLowerCase() };
  const seen = new Set<string>();
  let headingLevel: number | undefined;
  for (let style = own.get(id); style && !seen.has(style.id); style = own.get(style.basedOn ?? '')) {
    seen.add(style.id);
    headingLevel ??= statedLevel(style);
    merged.numberingId ??= style.numberingId;
    merged.listLevel ??= style.listLevel;
    merged.bold ??= style.bold;
    merged.hidden ??= style.hidden;
    merged.colour ??= style.colour;
    merged.size ??= style.size;
    merged.shade ??= style.shade;
  }
  if (!own.has(id)) headingLevel = statedLevel(merged);
  return {
    name: merged.name,
    ...(headingLevel && headingLevel > 0 ? { headingLevel } : {}),
    ...(merged.numberingId === undefined ? {} : { numberingId: merged.numberingId }),
    ...(merged.listLevel === undefined ? {} : { listLevel: merged.listLevel }),
    ...(merged.bold === undefined ? {} : { bold: merged.bold }),
    ...(merged.hidden === undefined ? {} : { hidden: merged.hidden }),
    ...(merged.colour === undefined ? {} : { colour: merged.colour }),
    ...(merged.size === undefined ? {} : { size: merged.size }),
    ...(merged.shade === undefined ? {} : { shade: merged.shade }),
  };
}

/** Level that a style states itself: by outline level (0 to 8; 9 is body text, given as 0), name or id. */
function statedLevel(style: OwnStyle): number | undefined {
  const named = HEADING_NAME.exec(style.name) ?? HEADING_NAME.exec(style.id);
  if (named) return Number(named[1]);
  if (style.outlineLevel !== undefined) return style.outlineLevel <= 8 ? style.outlineLevel + 1 : 0;
  return style.name === 'title' ? 1 : undefined;
}
