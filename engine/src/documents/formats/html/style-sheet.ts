/** What is stated about how an element looks, by property; `unknown` where a rule that may apply is not understood. */
export type Declarations = ReadonlyMap<string, Declaration>;

export interface Declaration {
  readonly value: string;
  readonly important: boolean;
}

/** An element as selectors see it. */
export interface StyledElement {
  readonly name: string;
  readonly id: string | undefined;
  readonly classes: readonly string[];
}

export interface StyleSheet {
  /** What the rules say about an element, the strongest of each property. */
  of(element: StyledElement): Declarations;
}

/** A value that rules may set and that is not known. */
const UNKNOWN = 'unknown';

/** `p`, `.note`, `#id` or several of them on one element. */
interface Compound {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
}

interface Rule {
  readonly compound: Compound;
  /** Selector and conditions are understood as a whole. */
  readonly isSure: boolean;
  readonly weight: number;
  readonly declared: Declarations;
}

/** Properties that decide whether a text can be seen. */
const TELLING = new Set([
  'display',
  'visibility',
  'opacity',
  'color',
  'background',
  'background-color',
  'background-image',
  'font',
  'font-size',
  'position',
  'left',
  'top',
  'text-indent',
  'clip',
]);
/** With more rules nothing is said about what they hide. */
const MOST_RULES = 5_000;
/** Rules that are compared with elements; a page that wants more is not written for people. */
const MOST_WORK = 500_000;
const NOT_KNOWN: Declarations = new Map(
  [...TELLING].map((name) => [name, { value: UNKNOWN, important: true }]),
);
/** At-rules without rules about elements of the page. */
const BESIDE = /^@(?:font-face|keyframes|-webkit-keyframes|page|charset|namespace|counter-style|property)\b/i;
/** What counts on every screen. */
const ALWAYS = /^@media\s+(?:all|screen)$/i;

const NOTHING: StyleSheet = { of: () => new Map() };

/** Reads the style sheets of a page; undefined when they take in others, which are not read. Linear in their length. */
export function readStyleSheets(sheets: readonly string[]): StyleSheet | undefined {
  const rules: Rule[] = [];
  for (const sheet of sheets) {
    if (/@import/i.test(sheet)) return undefined;
    readRules(withoutComments(sheet), rules);
    if (rules.length > MOST_RULES) return undefined;
  }
  return rules.length === 0 ? NOTHING : sheetOf(rules);
}

function sheetOf(rules: readonly Rule[]): StyleSheet {
  const known = new Map<string, Declarations>();
  const ids = new Set(rules.map(({ compound }) => compound.id));
  const named = new Set(rules.flatMap(({ compound }) => compound.classes));
  let work = 0;
  /** By what an element has to have to be meant: `.class`, `#id`, name, or nothing. */
  const byKey = new Map<string, { rule: Rule; at: number }[]>();
  for (const [at, rule] of rules.entries()) {
    const { id, classes, name } = rule.compound;
    const key = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (name ?? '');
    const list = byKey.get(key) ?? [];
    list.push({ rule, at });
    byKey.set(key, list);
  }
  return {
    of(stated) {
      const { name } = stated;
      const id = ids.has(stated.id) ? stated.id : undefined;
      const classes = stated.classes.filter((one) => named.has(one));
      const element = { name, id, classes };
      const key = JSON.stringify([name, id, classes]);
      let found = known.get(key);
      if (!found && work > MOST_WORK) return NOT_KNOWN;
      if (!found) {
        const keys = new Set([
          '',
          name,
          ...(id === undefined ? [] : [`#${id}`]),
          ...classes.map((one) => `.${one}`),
        ]);
        const listed = [...keys].flatMap((one) => byKey.get(one) ?? []);
        work += listed.length;
        const meant = listed
          .filter(({ rule }) => means(rule.compound, element))
          .sort((a, b) => a.rule.weight - b.rule.weight || a.at - b.at);
        found = strongest(meant.map(({ rule }) => rule));
        known.set(key, found);
      }
      return found;
    },
  };
}

function means({ name, id, classes }: Compound, element: StyledElement): boolean {
  return (
    (name === undefined || name === element.name) &&
    (id === undefined || id === element.id) &&
    classes.every((one) => element.classes.includes(one))
  );
}

/** Rules in the order of their strength, the weakest first. */
function strongest(rules: readonly Rule[]): Declarations {
  const values = new Map<string, Declaration>();
  for (const important of [false, true])
    for (const rule of rules)
      for (const [property, stated] of rule.declared)
        if (stated.important === important && rule.isSure) values.set(property, stated);
  for (const rule of rules)
    if (!rule.isSure)
      for (const [property, { value, important }] of rule.declared)
        if (values.get(property)?.value !== value) values.set(property, { value: UNKNOWN, important });
  return values;
}

function withoutComments(css: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (;;) {
    const start = css.indexOf('/*', from);
    if (start < 0) break;
    pieces.push(css.slice(from, start));
    const end = css.indexOf('*/', start + 2);
    if (end < 0) return pieces.join(' ');
    from = end + 2;
  }
  pieces.push(css.slice(from));
  return pieces.join(' ');
}

function readRules(css: string, rules: Rule[]): void {
  /** Whether the rules around this place always count; `undefined`: what stands here are no rules. */
  const around: (boolean | undefined)[] = [true];
  let at = 0;
  while (at < css.length && rules.length <= MOST_RULES) {
    const match = /[{};]/g;
    match.lastIndex = at;
    const mark = match.exec(css);
    if (!mark) return;
    const before = css.slice(at, mark.index).trim();
    at = mark.index + 1;
    if (mark[0] === '}') {
      if (around.length > 1) around.pop();
    } else if (mark[0] === '{') {
      const isSure = around.at(-1);
      if (before.startsWith('@') || isSure === undefined) {
        around.push(isSure === undefined || BESIDE.test(before) ? undefined : isSure && ALWAYS.test(before));
        continue;
      }
      const end = css.indexOf('}', at);
      const declared = readDeclarations(css.slice(at, end < 0 ? css.length : end));
      at = end < 0 ? css.length : end + 1;
      if (declared.size === 0) continue;
      for (const selector of before.split(',')) rules.push(ruleOf(selector.trim(), isSure, declared));
    }
  }
}

function ruleOf(selector: string, isSure: boolean, declared: Declarations): Rule {
  const whole = compoundOf(selector);
  const last = selector.split(/[\s>+~]+/).at(-1) ?? '';
  const compound = whole ?? compoundOf(last.replace(/(?:::?|\[).*$/, '')) ?? compoundOf('*')!;
  const { id, classes, name } = compound;
  const weight = (id === undefined ? 0 : 10_000) + classes.length * 100 + (name === undefined ? 0 : 1);
  return { compound, isSure: isSure && whole !== undefined, weight, declared };
}

function compoundOf(selector: string): Compound | undefined {
  const plain = selector === ':root' ? 'html' : selector;
  const parts = /^([a-z][\w-]*|\*)?((?:[.#][\w-]+)*)$/i.exec(plain);
  if (!parts || plain === '') return undefined;
  const rest = parts[2]!.match(/[.#][\w-]+/g) ?? [];
  const ids = rest.filter((one) => one.startsWith('#'));
  if (ids.length > 1) return undefined;
  return {
    name: parts[1] === undefined || parts[1] === '*' ? undefined : parts[1].toLowerCase(),
    id: ids[0]?.slice(1),
    classes: rest.filter((one) => one.startsWith('.')).map((one) => one.slice(1)),
  };
}

/** Telling declarations of a block or of a `style` attribute. */
export function readDeclarations(text: string): Declarations {
  const declared = new Map<string, Declaration>();
  for (const part of text.split(';')) {
    const at = part.indexOf(':');
    const property = part.slice(0, Math.max(0, at)).trim().toLowerCase();
    if (!TELLING.has(property)) continue;
    const stated = part
      .slice(at + 1)
      .trim()
      .toLowerCase();
    const important = /!\s*important$/.test(stated);
    const value = stated.replace(/!\s*important$/, '').trim();
    if (important || !declared.get(property)?.important) declared.set(property, { value, important });
  }
  return declared;
}
