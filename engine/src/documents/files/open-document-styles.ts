import { type Colour, hexColour } from '../colours.js';
import type { XmlAttributes } from './xml.js';

/** What lies behind text; `unknown` where that is not one colour. */
export type Background = number | 'unknown';

/** What a style of OpenDocument says about letters and what they stand on, its ancestors included. */
export interface OpenDocumentStyle {
  /** Text, or a sheet. */
  readonly isHidden?: boolean;
  /** Of the letters; `auto` where the program chooses one that can be seen. */
  readonly colour?: Colour | 'auto';
  readonly isTransparent?: boolean;
  /** Points. */
  readonly size?: number;
  /** Behind the letters alone. */
  readonly highlight?: Background;
  /** Behind paragraph, cell, row, table or section. */
  readonly background?: Background;
  /** A condition may give another look. */
  readonly isConditional?: boolean;
}

export interface OpenDocumentStyles {
  /** Notes what an element of styles says. */
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  /** Style of a family (`paragraph`, `text`, `table-cell`, …) by name; the default of the family where there is none. */
  find(family: string, name: string | undefined): OpenDocumentStyle;
  /** Whether something other than white paper may lie behind text: a colour of pages, a drawing behind the text. */
  hasUnknownPaper(): boolean;
}

type OwnStyle = { -readonly [name in keyof Omit<OpenDocumentStyle, 'size'>]: OpenDocumentStyle[name] } & {
  parent?: string;
  /** Points, or a share of the size that is inherited. */
  size?: { readonly points: number } | { readonly share: number };
};

const USUAL_POINTS = 12;

/**
 * Collects the styles of `styles.xml` and `content.xml` as they go by. The automatic styles of `styles.xml` belong to
 * headers and footers and have names of their own scope: they are left out.
 */
export function createOpenDocumentStyles(): OpenDocumentStyles {
  const own = new Map<string, OwnStyle>();
  const resolved = new Map<string, OpenDocumentStyle>();
  let style: OwnStyle | undefined;
  let inStylesPart = false;
  let inPageLayout = false;
  let isForeign = false;
  let unknownPaper = false;

  function resolve(family: string, key: string): OpenDocumentStyle {
    const known = resolved.get(key);
    if (known) return known;
    const chain: OwnStyle[] = [];
    for (let next: string | undefined = key; next !== undefined; ) {
      const found = own.get(next);
      if (!found || chain.includes(found)) break;
      chain.push(found);
      next = found.parent === undefined ? undefined : keyOf(family, found.parent);
    }
    const root = own.get(keyOf(family, undefined));
    if (root && !chain.includes(root)) chain.push(root);
    let size: number | undefined;
    const merged: OwnStyle = {};
    for (const one of chain.reverse()) {
      const { parent: _, size: stated, ...said } = one;
      Object.assign(merged, said);
      if (stated) size = 'points' in stated ? stated.points : (size ?? USUAL_POINTS) * stated.share;
    }
    const { size: _, ...rest } = merged;
    const whole = { ...rest, ...(size === undefined ? {} : { size }) } as OpenDocumentStyle;
    resolved.set(key, whole);
    return whole;
  }

  return {
    open(name, attributes) {
      if (name === 'office:document-styles') inStylesPart = true;
      else if (name === 'office:automatic-styles') isForeign = inStylesPart;
      else if (name === 'style:page-layout') inPageLayout = true;
      else if (name === 'style:style' || name === 'style:default-style') {
        style = {};
        const family = attributes['style:family'] ?? '';
        const parent = attributes['style:parent-style-name'];
        if (parent) style.parent = parent;
        if (!isForeign) own.set(keyOf(family, attributes['style:name']), style);
      } else if (name.endsWith('-properties')) {
        // Drawings behind the text may be anywhere on the page.
        if (attributes['style:run-through'] === 'background') unknownPaper = true;
        if (inPageLayout && backgroundOf(attributes) !== undefined) unknownPaper = true;
        if (style) noteProperties(style, name, attributes);
      } else if (name === 'style:background-image' && attributes['xlink:href']) {
        if (style) style.background = 'unknown';
        if (inPageLayout) unknownPaper = true;
      } else if (name === 'style:map' && style) style.isConditional = true;
    },
    close(name) {
      if (name === 'style:style' || name === 'style:default-style') style = undefined;
      else if (name === 'style:page-layout') inPageLayout = false;
      else if (name === 'office:automatic-styles') isForeign = false;
      else if (name === 'office:document-styles') inStylesPart = false;
    },
    find: (family, name) => resolve(family, keyOf(family, name)),
    hasUnknownPaper: () => unknownPaper,
  };
}

const keyOf = (family: string, name: string | undefined) => `${family}\n${name ?? ''}`;

function noteProperties(style: OwnStyle, name: string, attributes: XmlAttributes): void {
  const background = backgroundOf(attributes);
  if (name !== 'style:text-properties') {
    if (background !== undefined) style.background = background;
    if (attributes['table:display'] === 'false') style.isHidden = true;
    return;
  }
  if (background !== undefined) style.highlight = background;
  const display = attributes['text:display'];
  if (display !== undefined) style.isHidden = display === 'none';
  const isAuto = attributes['style:use-window-font-color'] === 'true';
  if (isAuto) style.colour = 'auto';
  else if (attributes['fo:color'] !== undefined) style.colour = hexColour(attributes['fo:color']);
  // Written with the colour that the program chooses, it says nothing.
  const opacity = attributes['loext:opacity'];
  if (opacity !== undefined || isAuto) style.isTransparent = !isAuto && Number.parseFloat(opacity!) === 0;
  const size = sizeOf(attributes['fo:font-size']);
  if (size) style.size = size;
}

function backgroundOf(attributes: XmlAttributes): Background | undefined {
  const fill = attributes['draw:fill'];
  if (fill !== undefined && fill !== 'none' && fill !== 'solid') return 'unknown';
  const stated = fill === 'solid' ? attributes['draw:fill-color'] : attributes['fo:background-color'];
  if (stated === undefined || stated === 'transparent') return fill === 'solid' ? 'unknown' : undefined;
  return hexColour(stated) ?? 'unknown';
}

/** Points of each unit of length. */
const UNITS: Readonly<Record<string, number>> = { pt: 1, px: 0.75, in: 72, cm: 28.35, mm: 2.835, pc: 12 };

function sizeOf(value: string | undefined): OwnStyle['size'] {
  const parts = /^(\d*\.?\d+)(pt|px|in|cm|mm|pc|%)$/.exec(value ?? '');
  if (!parts) return undefined;
  const number = Number(parts[1]);
  return parts[2] === '%' ? { share: number / 100 } : { points: number * UNITS[parts[2]!]! };
}
