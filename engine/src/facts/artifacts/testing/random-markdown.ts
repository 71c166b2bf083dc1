/** Chooses one of several, or a number below one. */
export interface Dice {
  (): number;
  pick<Value>(values: readonly Value[]): Value;
}

/** Numbers that repeat (mulberry32). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return Object.assign(roll, {
    pick: <Value>(values: readonly Value[]): Value => values[Math.floor(roll() * values.length)]!,
  });
}

const PREFIXES = ['SG', 'FSR', 'TSR', 'SWR', 'TC', 'ARC', 'EV', 'REQ-ABC', 'FR', 'X_Y', 'Safety Goal'];
const WORDS =
  'brake|the|Bremse|`code`|**bold**|_em_|torque|a < b|x|1.2|Größe|–|see|shall|must|ASIL D|&amp;|<br>|\\*|~1|!|"quoted"|e.g.|z.B.|TBD|[link](a.md)|  |10 ms|No. 5|Test case 3'.split(
    '|',
  );
const KEYS =
  'ASIL|Status|Derived from|Verified by|Abgeleitet aus|Allocated to|Comment|Rationale|Satisfies|Result|Type|Title|Other|See also|Covers|Description|Needs'.split(
    '|',
  );
const COLUMNS =
  'Text|Description|ASIL|Derived from|Verified by|Safety goal|S|E|C|Result|Hazardous event|Expected|Steps|Allocated to|Term|Definition'.split(
    '|',
  );
const HEADINGS = 'Scope|3 Safety goals|Test cases|References|Glossary|Change history|Example'.split('|');
const ODD = [
  ...['---', '***', '```\ncode\n[impl->req~a~1]\n```', '```js', '~~~', '> quote', '<div>', '![pic](a.png)'],
  ...['Table 3: Title', 'Example: this', 'Please describe here what', 'Reviewer: no', 'Scope ..... 3'],
  ...['[Instructions: do]', '\tcode', '===', 'INSTRUCTIONS:', '-  ', '1.', '[a]: b', '  two', 'a | b'],
];

/** Lines as exports have them, and lines that are seldom seen, in any order. */
export function randomMarkdown(roll: Dice, longest: number): string {
  const { pick } = roll;
  const times = <Value>(most: number, make: () => Value) =>
    Array.from({ length: 1 + Math.floor(roll() * most) }, make);
  const id = () =>
    `${pick(PREFIXES)}${pick(['-', '_', ' ', '-'])}${pick(['0', '', '00'])}${1 + Math.floor(roll() * 9)}`;
  const word = () =>
    roll() < 0.8 ? pick(WORDS) : pick([`(see ${id()})`, `[${id()}]`, `derived from ${id()}`, `→ ${id()}`]);
  const words = (most: number) => times(most, word).join(' ');
  const value = () =>
    pick([
      ...[id(), `${id()}, ${id()}`, `${id()}; ${id()}`, 'D', 'B(D)', 'released', words(4), '', 'pass'],
      ...[`${id()}..${id()}`, `${id()}/02`],
    ]);
  const table = () => {
    const isLong = roll() < 0.05;
    const titles = [pick(['ID', 'Req-ID', 'Nr', 'Other']), ...times(3, () => pick(COLUMNS))];
    const row = () => {
      const sparse = isLong && roll() < 0.9;
      const cells = titles.map((_, at) =>
        at === 0 ? pick([id(), id(), words(1), '']) : sparse ? pick(['', 'X']) : value(),
      );
      return `| ${cells.slice(0, roll() < 0.1 ? 1 : 9).join(' | ')} |`;
    };
    const dashes = titles.map(() => pick(['---', ':-:', ' --- ']));
    const rows = roll() < 0.2 ? [] : times(isLong ? 80 : 3, row);
    return [`| ${titles.join(' | ')} |`, `|${dashes.join('|')}|`, ...rows, pick(['', '', words(2)])].join(
      '\n',
    );
  };
  const kinds: readonly (() => string)[] = [
    () =>
      `${'#'.repeat(1 + Math.floor(roll() * 4))} ${pick([`${id()}: ${words(3)}`, words(3), id(), pick(HEADINGS), `${words(2)} (${id()})`])}${pick(['', ' #', '   '])}`,
    () =>
      `${pick(['- ', '* ', '+ ', '-  ', '  - ', '    - ', '1. ', '2) '])}${pick([`${pick(KEYS)}: ${value()}`, `**${pick(KEYS)}**: ${value()}`, words(5), `${pick(KEYS)}:`, `${id()}: ${words(3)}`])}`,
    () => `- ${pick(KEYS)}: ${value()}`,
    () => `${pick(KEYS)}: ${value()}`,
    () => `${id()}${pick([': ', ' – ', ' ', '. '])}${words(6)}`,
    () => `[${id()}] ${words(4)}`,
    () => '',
    () => '',
    table,
    () => words(8),
    () => `  ${words(3)}`,
    () => pick(ODD),
    () => `${id()} ${pick(['>>', '→', 'is verified by', 'satisfies', '->'])} ${id()}`,
    () => pick(['req~a~1', 'Covers:', 'Needs: impl', 'Rationale:']),
    () => `${id()}: ${words(3)} [ASIL ${pick(['A', 'D', 'B(D)'])}]`,
    () => `FR ${1 + Math.floor(roll() * 9)} — ${words(3)}`,
  ];
  return times(longest, () => pick(kinds)()).join(roll() < 0.2 ? '\r\n' : '\n');
}
