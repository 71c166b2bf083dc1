import { describe, expect, it } from 'vitest';
import { compareBlocks, compareWords } from './compare-blocks.js';
import { changeAt, changeOfBase, changesOf, compareVersions } from './comparison.js';

const blocks = (texts: readonly string[]) => texts.map((text) => ({ kind: 'paragraph', text }));
/** As short as it can be said: "=0:0x2", "+3", "-1", "~1:2". */
const told = (base: string[], head: string[]) =>
  compareBlocks(blocks(base), blocks(head)).map((change) =>
    change.op === 'same'
      ? `=${change.base}:${change.head}x${change.count}`
      : change.op === 'insert'
        ? `+${change.head}`
        : change.op === 'delete'
          ? `-${change.base}`
          : `~${change.base}:${change.head}`,
  );

const GOAL = 'The door shall not open while the vehicle drives.';
const TIME = 'It closes within 150 ms after the request of the driver.';
const LAMP = 'The lamp is lit for as long as the door is open.';

describe('blocks of two versions', () => {
  it.each<[string, string[], string[], string[]]>([
    ['the same', [GOAL, TIME], [GOAL, TIME], ['=0:0x2']],
    ['spaces alone', [GOAL], [GOAL.replace(' ', '\n ')], ['=0:0x1']],
    ['one came', [GOAL, TIME], [GOAL, LAMP, TIME], ['=0:0x1', '+1', '=1:2x1']],
    ['one went', [GOAL, LAMP, TIME], [GOAL, TIME], ['=0:0x1', '-1', '=2:1x1']],
    [
      'one changed',
      [GOAL, TIME, LAMP],
      [GOAL, TIME.replace('150', '200'), LAMP],
      ['=0:0x1', '~1:1', '=2:2x1'],
    ],
    [
      'another in its place',
      [GOAL, TIME, LAMP],
      [GOAL, 'Ripe apples.', LAMP],
      ['=0:0x1', '+1', '-1', '=2:2x1'],
    ],
    ['two changed places', [GOAL, TIME], [TIME, GOAL], ['-0', '=1:0x1', '+1']],
    ['nothing before', [], [GOAL], ['+0']],
    ['nothing left', [GOAL], [], ['-0']],
    ['repeated ones', ['TBD', GOAL, 'TBD'], ['TBD', 'TBD', GOAL, 'TBD'], ['=0:0x1', '+1', '=1:2x2']],
  ])('%s', (_name, base, head, expected) => {
    expect(told(base, head)).toEqual(expected);
  });

  it('are all told, each once and in their order, whatever changed', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 300; round++) {
      const text = (): string => `Word ${random(9)} of ${random(3)} and ${random(2)}`;
      const base = Array.from({ length: random(14) }, text);
      const head = base.flatMap((one) => (random(4) === 0 ? [] : random(4) === 0 ? [text(), one] : [one]));
      const [b, h] = [[] as number[], [] as number[]];
      for (const change of compareBlocks(blocks(base), blocks(head))) {
        const count = change.op === 'same' ? change.count : 1;
        for (let at = 0; at < count; at++) {
          if ('base' in change) b.push(change.base + at);
          if ('head' in change) h.push(change.head + at);
          if (change.op === 'same') expect(head[change.head + at]).toBe(base[change.base + at]);
        }
      }
      expect([b, h]).toEqual([[...base.keys()], [...head.keys()]]);
    }
  });

  it('of a large document take no time to speak of', () => {
    const base = Array.from({ length: 60_000 }, (_, at) => `Requirement ${at % 20_000} of the door.`);
    const head = base.flatMap((one, at) =>
      at % 1000 === 0 ? [] : at % 777 === 0 ? [one, `New ${at}.`] : [one],
    );
    const { user } = process.cpuUsage();
    const changes = compareBlocks(blocks(base), blocks(head));
    expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(5);
    expect(changes.filter(({ op }) => op !== 'same').length).toBeLessThan(200);
  });
});

/** "=same|-gone|+new"; checks that what is the same is. */
function toldWords(base: string, head: string): string {
  let [b, h] = [0, 0];
  const told = compareWords(base, head).map(([op, letters]) => {
    const [gone, come] = [base.slice(b, b + letters), head.slice(h, h + letters)];
    if (op === 'same') expect(come).toBe(gone);
    if (op !== 'insert') b += letters;
    if (op !== 'delete') h += letters;
    return { same: `=${gone}`, delete: `-${gone}`, insert: `+${come}` }[op];
  });
  expect([b, h]).toEqual([base.length, head.length]);
  return told.join('|');
}

describe('comparisons that somebody made as dear as can be', () => {
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below; // Its low bits repeat themselves soon.
  };
  let seed = 7;
  const words = (count: number, of: number) =>
    Array.from({ length: count }, () => `w${random(of)}`).join(' ');
  const lines = (count: number, anchorEvery: number, of: number) =>
    Array.from({ length: count }, (_, at) => (at % anchorEvery === 0 ? `anchor ${at}` : `r${random(of)}`));

  it.each<[string, () => [string[], string[]]]>([
    ['tables without end', () => [lines(200_000, 2000, 50), lines(200_000, 2000, 50)]],
    [
      'paragraphs that are all a little alike',
      () => {
        const paragraphs = () =>
          Array.from({ length: 10_000 }, (_, at) => (at % 190 === 0 ? `anchor ${at}` : words(40, 400)));
        return [paragraphs(), paragraphs()];
      },
    ],
    [
      'words of all of them',
      () => {
        const paragraphs = () =>
          Array.from({ length: 3_000 }, (_, at) => (at % 100 === 0 ? `anchor ${at}` : words(740, 60)));
        return [paragraphs(), paragraphs()];
      },
    ],
  ])('end: %s', (_name, make) => {
    const [base, head] = make();
    const { user } = process.cpuUsage();
    const comparison = compareVersions(blocks(base), blocks(head));
    expect((process.cpuUsage().user - user) / 1e6).toBeLessThan(20);
    let [b, h] = [0, 0];
    for (let index = 0; index < changesOf(comparison); index++) {
      const change = changeAt(comparison, index);
      const count = change.op === 'same' ? change.count : 1;
      if ('base' in change) {
        if (change.base !== b || changeOfBase(comparison, b + count - 1).op !== change.op)
          expect.fail(`${index}`);
        b += count;
      }
      if ('head' in change) {
        if (change.head !== h) expect.fail(`${index}`);
        h += count;
      }
    }
    expect([b, h]).toEqual([base.length, head.length]);
  });
});

describe('words of two texts', () => {
  it.each([
    [TIME, TIME.replace('150', '200'), '=It closes within |-150|+200|= ms after the request of the driver.'],
    ['a', '', '-a'],
    ['', 'a b', '+a b'],
    ['Die Tür schließt.', 'Die Tür schließt nicht.', '=Die Tür schließt|+ nicht|=.'],
  ])('%s → %s', (base, head, expected) => {
    expect(toldWords(base, head)).toBe(expected);
  });
});
