import type { Colour } from '../../colours.js';
import type { OfficePackage } from '../../files/office-package.js';
import { createFillReader, type Fill, type FillReader, statedColour } from './fills.js';
import { createPlaceReader, type Place, type PlaceReader } from './places.js';

/** What lies below the shapes of a slide: theme, master and layout. */
export interface Design {
  /** Colours of the theme by name; undefined where they are not known. */
  scheme(name: string): Colour;
  readonly background: Fill;
  /** The first of the theme's backgrounds is the plain colour that is named with it. */
  readonly isPlain: boolean;
  /** Where layout and master draw something that is filled. */
  readonly painted: readonly (Place | undefined)[];
  /** A placeholder of layout or master is filled; those of the slide may take that over. */
  readonly hasFilledPlaceholders: boolean;
}

/** Looks at what is painted in a part, in the order of its shapes. */
export interface Painting {
  readonly fills: FillReader;
  readonly places: PlaceReader;
  readonly painted: (Place | undefined)[];
  /** Background that the part states itself. */
  background: Fill | undefined;
  hasFilledPlaceholders: boolean;
  /** Filling of the shape that is open, as it is stated. */
  readonly shape: { fill: Fill | undefined; isPlaceholder: boolean; isStyled: boolean };
  /** The colour of a background of the theme is the one that is named with it. */
  readonly isPlain: boolean;
  /** The background refers to the theme's first one. */
  isFirst: boolean;
}

export function createPainting(scheme: (name: string) => Colour, isPlain: boolean): Painting {
  return {
    isPlain,
    isFirst: false,
    fills: createFillReader(scheme),
    places: createPlaceReader(),
    painted: [],
    background: undefined,
    hasFilledPlaceholders: false,
    shape: { fill: undefined, isPlaceholder: false, isStyled: false },
  };
}

/** Follows one element that begins. */
export function openPainting(
  painting: Painting,
  name: string,
  attributes: Readonly<Record<string, string>>,
): void {
  const { fills, places, shape } = painting;
  if (name === 'p:sp') Object.assign(shape, { fill: undefined, isPlaceholder: false, isStyled: false });
  else if (name === 'p:ph') shape.isPlaceholder = true;
  else if (name === 'a:fillRef' && attributes.idx !== '0') shape.isStyled = true;
  else if (name === 'p:bgRef') painting.isFirst = attributes.idx === '1001';
  fills.open(name, attributes);
  places.open(name, attributes);
}

/** Follows one element that ends. Gives back what it filled. */
export function closePainting(
  painting: Painting,
  name: string,
  {
    isDesign,
    placeholdersArePainted,
  }: { readonly isDesign: boolean; readonly placeholdersArePainted: boolean },
) {
  const { fills, places, shape, painted } = painting;
  const ended = fills.close();
  if (ended?.owner === 'p:spPr') shape.fill = ended.fill;
  if (ended?.owner === 'p:bgPr') painting.background = ended.fill;
  // A reference to the backgrounds of the theme.
  if (ended?.owner === 'p:bg')
    painting.background = painting.isFirst && painting.isPlain ? ended.fill : 'unknown';
  if (name === 'p:sp') {
    const isInherited = shape.isStyled || (shape.isPlaceholder && placeholdersArePainted);
    const isPainted = shape.fill === undefined ? isInherited : shape.fill !== 'none';
    if (isPainted && shape.isPlaceholder) painting.hasFilledPlaceholders = true;
    // Placeholders of a design are not drawn on its slides.
    if (isPainted && !(isDesign && shape.isPlaceholder)) painted.push(places.place());
  } else if (name === 'p:pic' || name === 'p:graphicFrame') painted.push(places.place());
  places.close(name);
  return ended;
}

export type Designs = (slide: string) => Promise<Design>;

/** Designs of slides by their part; slides of one layout share theirs. */
export function createDesigns(file: OfficePackage): Designs {
  const known = new Map<string, Promise<Design>>();
  const related = async (part: string, type: string) =>
    [...(await file.relationships(part)).values()].find((one) => one.type === type && file.has(one.target))
      ?.target;
  return async (slide) => {
    const layout = await related(slide, 'slideLayout');
    if (layout === undefined) return NO_DESIGN;
    const design = known.get(layout) ?? readDesign(file, layout, related);
    known.set(layout, design);
    return design;
  };
}

/** Nothing is known of it, so nothing is said about colours. */
const NO_DESIGN: Design = {
  isPlain: false,
  scheme: () => undefined,
  background: 'unknown',
  painted: [],
  hasFilledPlaceholders: true,
};

async function readDesign(
  file: OfficePackage,
  layoutPart: string,
  related: (part: string, type: string) => Promise<string | undefined>,
): Promise<Design> {
  const masterPart = await related(layoutPart, 'slideMaster');
  const themePart = masterPart === undefined ? undefined : await related(masterPart, 'theme');
  if (masterPart === undefined || themePart === undefined) return NO_DESIGN;
  const theme = await readTheme(file, themePart);
  const mapping = await readMapping(file, masterPart);
  const scheme = (name: string) => theme.colours.get(mapping.get(name) ?? name);
  const master = await readPart(file, masterPart, theme, scheme);
  const layout = await readPart(file, layoutPart, theme, scheme);
  return {
    isPlain: theme.isPlain,
    scheme: layout.isRecoloured ? () => undefined : scheme,
    background: layout.isRecoloured ? 'unknown' : (layout.background ?? master.background ?? 'unknown'),
    painted: [...master.painted, ...layout.painted],
    hasFilledPlaceholders: master.hasFilledPlaceholders || layout.hasFilledPlaceholders,
  };
}

const SLOTS = /^a:(?:(?:dk|lt)[12]|accent[1-6]|hlink|folHlink)$/;

interface Theme {
  readonly colours: ReadonlyMap<string, Colour>;
  /** The first of the theme's backgrounds is the plain colour that is named with it. */
  readonly isPlain: boolean;
}

async function readTheme(file: OfficePackage, part: string): Promise<Theme> {
  const colours = new Map<string, Colour>();
  // The placeholder of a colour counts as one, so that it can be told from a gradient or a shade of it.
  const fills = createFillReader((name) => (name === 'phClr' ? 0 : undefined));
  let slot: string | undefined;
  let inScheme = false;
  let first: Fill | undefined;
  await file.parse(part, {
    open(name, attributes) {
      if (name === 'a:clrScheme') inScheme = true;
      else if (inScheme && SLOTS.test(name)) slot = name.slice(2);
      else if (slot !== undefined)
        colours.set(
          slot,
          statedColour(name, attributes, () => undefined),
        );
      fills.open(name, attributes);
    },
    close(name) {
      const ended = fills.close();
      if (ended?.owner === 'a:bgFillStyleLst') first ??= ended.fill;
      if (name === 'a:clrScheme') inScheme = false;
      if (name === `a:${slot}`) slot = undefined;
    },
  });
  return { colours, isPlain: typeof first === 'object' };
}

/** The names by which a master calls the colours of its theme; they stand at its end. */
async function readMapping(file: OfficePackage, part: string): Promise<ReadonlyMap<string, string>> {
  const mapping = new Map<string, string>();
  await file.parse(part, {
    open(name, attributes) {
      if (name === 'p:clrMap') for (const [from, to] of Object.entries(attributes)) mapping.set(from, to);
    },
  });
  return mapping;
}

/** What a master or layout paints, and whether it changes the names of colours. */
async function readPart(file: OfficePackage, part: string, theme: Theme, scheme: Design['scheme']) {
  const painting = createPainting(scheme, theme.isPlain);
  let isRecoloured = false;
  await file.parse(part, {
    open(name, attributes) {
      if (name === 'a:overrideClrMapping') isRecoloured = true;
      openPainting(painting, name, attributes);
    },
    close(name) {
      closePainting(painting, name, { isDesign: true, placeholdersArePainted: false });
    },
  });
  return { ...painting, isRecoloured };
}
