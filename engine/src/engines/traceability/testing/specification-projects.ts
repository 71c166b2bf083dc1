import { type Dice, dice } from '../../../facts/artifacts/testing/dice.js';

/** A specification item as its author means it. */
export interface PlannedItem {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
  readonly needs: readonly string[];
  readonly covers: readonly string[];
  /** How it is written down. `tag`: in source text, without a name of its own. */
  readonly form: 'item' | 'forwarded' | 'tag';
}

export const idOf = ({ type, name, revision }: Pick<PlannedItem, 'type' | 'name' | 'revision'>) =>
  `${type}~${name}~${revision}`;

export interface SpecificationProject {
  /** In the order of the files and of their places there. */
  readonly items: readonly PlannedItem[];
  /** Text by file name. */
  readonly files: Readonly<Record<string, string>>;
}

/** Needs by type, from the feature down; `qal` and `constr` are kinds that only this author has. */
const LEVELS: readonly { readonly type: string; readonly needs: readonly (readonly string[])[] }[] = [
  { type: 'feat', needs: [['req'], ['req', 'qal']] },
  { type: 'req', needs: [['dsn'], ['dsn', 'stest'], ['arch', 'uman']] },
  { type: 'qal', needs: [['constr'], []] },
  { type: 'arch', needs: [['dsn'], ['dsn', 'itest']] },
  { type: 'dsn', needs: [['impl'], ['impl', 'utest'], ['impl', 'utest', 'itest']] },
];
const ENDS = new Set(['impl', 'utest', 'itest', 'stest', 'uman', 'constr']);
const TAGGED = new Set(['impl', 'utest', 'itest']);

/**
 * A project of whole chains of items, into which defects of every kind were put: items left out, links to other revisions,
 * to nothing and to what asks for nothing of the kind, items written twice. `loops`: some cover each other.
 */
export function specificationProject(
  seed: number,
  { features = 3, defects = 0.15, loops = true } = {},
): SpecificationProject {
  const roll = dice(seed);
  const chance = (share: number) => roll() < share;
  const items: PlannedItem[] = [];
  let count = 0;
  const add = (type: string, covers: readonly string[], depth: number): void => {
    const level = LEVELS.find((one) => one.type === type);
    const isEnd = !level || ENDS.has(type) || depth > 6;
    const name =
      roll.pick(['brake', 'steer-limit', 'door.lock', 'Übersicht', 'a_b']) +
      (chance(0.5) ? '.x' : '-y') +
      count++;
    const isTag = isEnd && TAGGED.has(type);
    const covered = covers.map((id) => (chance(defects) ? spoilt(id) : id));
    const needs = !isEnd ? roll.pick(level.needs) : isTag && chance(0.1) ? ['utest'] : [];
    const isForwarded = !isEnd && needs.length > 0 && covers.length === 1 && chance(0.15);
    const [, ofParent, revision] = covered[0]?.split('~') ?? [];
    const item: PlannedItem = {
      type,
      name: isForwarded || (isTag && needs.length > 0) ? ofParent! : name,
      revision: isTag ? 0 : isForwarded ? Number(revision) : 1 + Math.floor(roll() * 3),
      needs,
      covers: covered,
      form: isTag ? 'tag' : isForwarded ? 'forwarded' : 'item',
    };
    const { form } = item;
    items.push(item);
    if (form === 'item' && chance(defects / 3)) items.push(item);
    if (isEnd) return;
    const id = idOf(item);
    for (const needed of needs) {
      if (chance(defects)) continue;
      const times = chance(0.3) ? 2 : 1;
      for (let time = 0; time < times; time++) {
        const others = items.filter((one) => one.needs.includes(needed) && one.form === 'item');
        const also = chance(0.2) && others.length > 0 ? [idOf(roll.pick(others))] : [];
        add(needed, TAGGED.has(needed) ? [id] : [...new Set([id, ...also])], depth + 1);
      }
    }
  };
  const spoilt = (id: string): string => {
    const [type, name, revision] = id.split('~') as [string, string, string];
    const other = items.length > 0 ? roll.pick(items) : undefined;
    const kinds = [
      `${type}~${name}~${Number(revision) + 1}`,
      `${type}~${name}~${Math.max(0, Number(revision) - 1)}`,
      `${type}~nothing-${name}~${revision}`,
      ...(other && !TAGGED.has(other.type) && loops ? [idOf(other)] : []),
    ];
    return roll.pick(kinds);
  };
  for (let feature = 0; feature < features; feature++) add('feat', [], 0);
  if (loops && chance(0.2)) {
    const [first] = items;
    items[0] = { ...first!, covers: [idOf(roll.pick(items.filter(({ form }) => form === 'item')))] };
  }
  return written(items, roll);
}

/** The items as Markdown, ReStructuredText and source text, each in one of the ways in which people write them. */
function written(items: readonly PlannedItem[], roll: Dice): SpecificationProject {
  const files: Record<string, string[]> = {
    'doc/a.md': ['# Specification\n'],
    'doc/b.rst': ['Specification\n=============\n'],
    'src/a.c': ['int first;\n'],
    'src/b.py': ['first = 1\n'],
  };
  const order = new Map<string, PlannedItem[]>();
  const put = (name: string, item: PlannedItem, text: string) => {
    files[name]!.push(text);
    order.get(name)!.push(item);
  };
  for (const name of Object.keys(files)) order.set(name, []);
  for (const item of items) {
    if (item.form === 'tag') {
      const name = roll.pick(['src/a.c', 'src/b.py']);
      const needs = item.needs.length > 0 ? roll.pick([' >> ', '>>']) + item.needs.join(', ') : '';
      const comment = name.endsWith('.c') ? '//' : '#';
      put(name, item, `${comment} [${item.type}->${item.covers[0]}${needs}]\nint x${files[name]!.length};\n`);
      continue;
    }
    const name = roll.pick(['doc/a.md', 'doc/a.md', 'doc/b.rst']);
    put(name, item, name.endsWith('.md') ? markdownOf(item, roll) : rstOf(item, roll));
  }
  return {
    items: [...order.values()].flat(),
    files: Object.fromEntries(Object.entries(files).map(([name, parts]) => [name, `${parts.join('\n')}\n`])),
  };
}

function forwardingOf({ type, needs, covers }: PlannedItem): string {
  return `${type} --> ${needs.join(', ')} : ${covers[0]}`;
}

function markdownOf(item: PlannedItem, roll: Dice): string {
  const title = `## ${roll.pick(['Limit of the force', 'Grenze der Kraft'])} ${item.name}\n`;
  if (item.form === 'forwarded')
    return `## Forwarded\n\n${roll.pick(['', '* '])}${roll.pick(['`', ''])}${forwardingOf(item)}\n`.replace(
      '`',
      '',
    );
  const gap = roll.pick(['\n', '']);
  const list = (lines: readonly string[]) =>
    lines.map((line) => `${roll.pick(['*', '-', '+'])} ${line}`).join('\n');
  const asLink = (id: string) => roll.pick([id, `\`${id}\``, `[\`${id}\`](#${item.name})`]);
  const parts = [
    'The force shall be limited to 5 kN.',
    ...(roll() < 0.3 ? [`Rationale:${gap}\n\nA higher force hurts.`] : []),
    ...(roll() < 0.2 ? ['Comment:\n\nSee the drawing.'] : []),
    ...(item.covers.length > 0 ? [`Covers:\n\n${list(item.covers.map(asLink))}`] : []),
    ...(roll() < 0.2 ? ['Tags: force, brake'] : []),
    ...(item.needs.length > 0
      ? [roll() < 0.3 ? `Needs:\n\n${list(item.needs)}` : `Needs: ${item.needs.join(', ')}`]
      : []),
  ];
  const tick = roll.pick(['`', '']);
  return `${title}${roll.pick(['\n', ''])}${tick}${idOf(item)}${tick}\n${gap}\n${parts.join('\n\n')}\n`;
}

function rstOf(item: PlannedItem, roll: Dice): string {
  const title = `Limit of ${item.name}`;
  const head = `${title}\n${'-'.repeat(title.length)}\n\n`;
  if (item.form === 'forwarded') return `${head}${forwardingOf(item)}\n`;
  const list = (lines: readonly string[]) => lines.map((line) => `* ${line}`).join('\n');
  const parts = [
    'The force shall be limited to 5 kN.',
    ...(roll() < 0.3 ? ['Rationale:\n\nA higher force hurts.'] : []),
    ...(item.covers.length > 0
      ? [`Covers:\n\n${list(item.covers.map((id) => roll.pick([id, `\`${id}\``])))}`]
      : []),
    ...(item.needs.length > 0 ? [`Needs: ${item.needs.join(', ')}`] : []),
  ];
  return `${head}\`${idOf(item)}\`\n\n${parts.join('\n\n')}\n`;
}
