import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../testing/processor-time.js';
import { read } from '../../testing/outline.js';

/** Text and reason of each block of a page with this style sheet. */
async function looks(style: string, body: string, head = '') {
  const page = `<!doctype html><html><head>${head}<style>${style}</style></head><body><p>first</p>${body}</body></html>`;
  const { blocks } = await read(page, 'a.html');
  expect(blocks[0]!.hidden).toBeUndefined();
  return blocks
    .slice(1)
    .map((block) => [
      block.cells ? block.cells.map((one) => one.text).join('|') : block.text,
      block.hidden?.[0]?.reason,
    ]);
}

describe('hidden text of HTML', () => {
  it.each([
    ['.x { display: none }', 'marked-hidden'],
    ['p.x{display:none}', 'marked-hidden'],
    ['.y, .x { visibility: hidden }', 'marked-hidden'],
    ['#i { opacity: 0 }', 'transparent'],
    ['.x { font-size: 1px }', 'tiny'],
    ['.x { color: #fff }', 'same-colour'],
    ['.x { color: rgb(255, 255, 255) !important } p { color: black }', 'same-colour'],
    ['body { background: #123456 } .x { color: #123456 }', 'same-colour'],
    ['.x { position: absolute; left: -9999px }', 'off-page'],
    ['.x { clip: rect(0, 0, 0, 0) }', 'clipped'],
    ['@media screen { .x { display: none } }', 'marked-hidden'],
    [
      '/* .x { display: block } */ .x { display: none } @media print { .x { display: none } }',
      'marked-hidden',
    ],
  ])('marks what the rules %s hide', async (style, reason) => {
    expect(await looks(style, '<p class="x z" id="i">lost</p><p>seen</p>')).toEqual([
      ['lost', reason],
      ['seen', undefined],
    ]);
  });

  it.each([
    ['.x.other { display: none }'],
    ['.x { display: none } .x { display: block }'],
    ['.x { display: none } #i { display: block }'],
    ['.x { display: none } .open .x { display: block }'],
    ['.x { display: none } .x:target { display: block }'],
    ['.x { display: none } @media print { .x { display: block } }'],
    ['@media print { .x { display: none } }'],
    ['.nav > .x { display: none }'],
    ['.x { color: #fff; background: #036 }'],
    ['.x { color: #fff } body { background: url(a.png) }'],
    ['.x { color: #fff } div p { background: #036 }'],
    ['.x { color: var(--text) }'],
    ['@import "more.css"; .x { display: none }'],
  ])('sees what the rules %s do not hide', async (style) => {
    expect(await looks(style, '<p class="x" id="i">seen</p>')).toEqual([['seen', undefined]]);
  });

  it('lets the style of an element stand above the rules, unless they are important', async () => {
    expect(await looks('.x { display: none }', '<p class=x style="display:block">seen')).toEqual([
      ['seen', undefined],
    ]);
    expect(await looks('.x { display: none !important }', '<p class=x style="display:block">lost')).toEqual([
      ['lost', 'marked-hidden'],
    ]);
    expect(await looks('[hidden] { display: block }', '<p hidden>seen')).toEqual([['seen', undefined]]);
  });

  it('takes colours and sizes over from the elements around, and lets those inside have their own', async () => {
    const style =
      '.white { color: #fff } .dark { background: #036 } .black { color: #000 } .none { font-size: 0 } .some { font-size: 12px }';
    expect(
      await looks(
        style,
        '<div class=white>lost<p>lost too</p><p class=black>seen</p><p class=dark>on dark</p></div>',
      ),
    ).toEqual([
      ['lost', 'same-colour'],
      ['lost too', 'same-colour'],
      ['seen', undefined],
      ['on dark', undefined],
    ]);
    expect(await looks(style, '<ul class=none><li class=some>seen<li>lost</ul>')).toEqual([
      ['seen', undefined],
      ['lost', 'tiny'],
    ]);
    expect(await looks(style, '<p>One <b class=white>secret words</b> two.</p>')).toEqual([
      ['One two.', undefined],
      ['secret words', 'same-colour'],
    ]);
  });

  it('sees white letters in dark cells of a table and not in white ones', async () => {
    const style = 'th { background: #036; color: #fff } .x { color: white }';
    expect(
      await looks(
        style,
        '<table><tr><th>ID<th>Goal<tr><td>G1<td class=x>secret<tr><td bgcolor=#000000 class=x>a<td>b</table>',
      ),
    ).toEqual([
      ['ID|Goal', undefined],
      ['G1|', undefined],
      ['a|b', undefined],
      ['secret', 'same-colour'],
    ]);
  });

  it('knows the colours that links have by themselves', async () => {
    expect(await looks('.x { color: #fff }', '<p class=x><a href=a>seen</a></p>')).toEqual([
      ['seen', undefined],
    ]);
  });

  it('leaves open what style sheets and scripts elsewhere may change', async () => {
    const hidden = '<p class="x">text</p>';
    const rule = '.x { display: none }';
    expect(await looks(rule, hidden, '<link rel="stylesheet" href="a.css">')).toEqual([['text', undefined]]);
    expect(await looks(rule, hidden, '<link rel="icon" href="a.png">')).toEqual([['text', 'marked-hidden']]);
    expect(await looks(rule, hidden, '<script src="a.js"></script>')).toEqual([['text', undefined]]);
    expect(await looks(rule, hidden, '<script>show(document.querySelector(".x"))</script>')).toEqual([
      ['text', undefined],
    ]);
    expect(await looks(rule, hidden, '<script>count()</script>')).toEqual([['text', 'marked-hidden']]);
    // What only looks like a style sheet says nothing.
    expect(await looks(rule, hidden, '<!-- <style>.x{display:block}</style> -->')).toEqual([
      ['text', 'marked-hidden'],
    ]);
  });

  it('bounds what rules without end cost', async () => {
    const page = (size: number) => {
      const rules = Array.from({ length: 4_000 }, (_, at) => `.c.b${at % 40} { color: #fff }`).join('');
      const classes = (at: number) =>
        Array.from({ length: 14 }, (_, bit) => ((at >> bit) & 1 ? `b${bit}` : '')).join(' ');
      const body = Array.from(
        { length: size },
        (_, at) => `<p class="c ${classes(at)}" id="i${at}">x</p>`,
      ).join('');
      return `<!doctype html><html><style>${rules}</style>${body}`;
    };
    const cost = async (size: number) => {
      const html = page(size);
      const spent = processorTime();
      await read(html, 'a.html');
      return spent();
    };
    await cost(100);
    expect(await cost(4_000)).toBeLessThan(5_000);
  });
});
