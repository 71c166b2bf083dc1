import { type Token, Tokenizer, TokenizerMode } from 'parse5';
import { type Declaration, readDeclarations, readStyleSheets, type StyleSheet } from './style-sheet.js';

/** What a page says about how its elements look. */
export interface PageStyles {
  /** Values of an element by property: attributes of old, style sheets of the page, its own style. */
  of(name: string, attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string>;
  /** All that gives elements a look stands in the page itself. */
  readonly isClosed: boolean;
  /** Tables take the colours of the text around them: not in pages of old. */
  readonly tablesTakeOver: boolean;
}

/** What scripts show when somebody asks for it. */
const SWITCHED = new Set([
  'display',
  'visibility',
  'opacity',
  'position',
  'left',
  'top',
  'text-indent',
  'clip',
]);

/** Where a doctype stands at the latest. */
const START = 1_000;

export function readPageStyles(html: string): PageStyles {
  const { sheets, scripts, hasOthers, hasOtherScripts } = collect(html);
  const own: StyleSheet | undefined = hasOthers ? undefined : readStyleSheets(sheets);
  const named = new Set(scripts.flatMap((script) => script.match(/[\w-]+/g) ?? []));
  return {
    isClosed: own !== undefined,
    tablesTakeOver: /<!doctype/i.test(html.slice(0, START)),
    of(name, attributes) {
      const values = new Map<string, string>(attributesOfOld(name, attributes));
      const id = attributes.get('id');
      const classes = (attributes.get('class') ?? '').split(/\s+/).filter((one) => one !== '');
      const isSwitched = hasOtherScripts || [...classes, ...(id ? [id] : [])].some((one) => named.has(one));
      const ruled = own?.of({ name, id, classes }) ?? new Map<string, Declaration>();
      for (const [property, { value }] of ruled) {
        if (!(isSwitched && SWITCHED.has(property))) values.set(property, value);
      }
      for (const [property, { value, important }] of readDeclarations(attributes.get('style') ?? '')) {
        if (important || !ruled.get(property)?.important) values.set(property, value);
      }
      return values;
    },
  };
}

function* attributesOfOld(
  name: string,
  attributes: ReadonlyMap<string, string>,
): Generator<[string, string]> {
  const stated = (attribute: string) => attributes.get(attribute)?.trim().toLowerCase();
  if (attributes.has('hidden')) yield ['display', 'none'];
  const colour = name === 'body' ? stated('text') : stated('color');
  if (colour) yield ['color', colour];
  const background = stated('bgcolor');
  if (background) yield ['background-color', background];
  if (attributes.has('background')) yield ['background-image', 'url()'];
}

/** Style sheets and scripts of a page; whether there are others that it only names. */
function collect(html: string) {
  const found = { sheets: [] as string[], scripts: [] as string[], hasOthers: false, hasOtherScripts: false };
  if (!/<(?:style|link|script)/i.test(html)) return found;
  let inside: string[] | undefined;
  const onCharacter = (token: Token.CharacterToken) => {
    if (inside) inside[inside.length - 1] += token.chars;
  };
  const nothing = () => {};
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, attrs }) {
        const attribute = (name: string) => attrs.find((one) => one.name === name)?.value;
        if (tagName === 'link' && /stylesheet/i.test(attribute('rel') ?? '')) found.hasOthers = true;
        if (tagName === 'title' || tagName === 'textarea') tokenizer.state = TokenizerMode.RCDATA;
        if (tagName === 'noframes' || tagName === 'iframe') tokenizer.state = TokenizerMode.RAWTEXT;
        if (tagName === 'style') {
          tokenizer.state = TokenizerMode.RAWTEXT;
          const media = attribute('media') ?? 'all';
          found.sheets.push(
            /^(?:all|screen)?$/i.test(media.trim()) ? '' : `@media ${media.replace(/[{};]/g, ' ')}{`,
          );
          inside = found.sheets;
        }
        if (tagName === 'script') {
          tokenizer.state = TokenizerMode.SCRIPT_DATA;
          if (attribute('src') !== undefined) found.hasOtherScripts = true;
          found.scripts.push('');
          inside = found.scripts;
        }
      },
      onEndTag({ tagName }) {
        if (tagName === 'style' || tagName === 'script') inside = undefined;
      },
      onCharacter,
      onWhitespaceCharacter: onCharacter,
      onNullCharacter: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
    },
  );
  tokenizer.write(html, true);
  return found;
}
