import { describe, expect, it } from 'vitest';
import { read } from '../../testing/outline.js';
import { designedPptxFile, pptxFile, type TestDesign, textLine } from '../../testing/presentation.js';

const rgb = (value: string) => `<a:solidFill><a:srgbClr val="${value}"/></a:solidFill>`;
const scheme = (value: string, more = '') =>
  `<a:solidFill><a:schemeClr val="${value}">${more}</a:schemeClr></a:solidFill>`;
const run = (text: string, properties = '', attributes = '') =>
  `<a:r><a:rPr${attributes}>${properties}</a:rPr><a:t>${text}</a:t></a:r>`;
const place = (x: number, y: number, width = 1000, height = 500, attributes = '') =>
  `<a:xfrm${attributes}><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm>`;
const box = (runs: string, { at = place(100, 100), fill = '', holder = '', body = '' } = {}) =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${at}${fill}</p:spPr><p:txBody>${body}<a:p>${runs}</a:p></p:txBody></p:sp>`;
const WHITE = rgb('FFFFFF');

/** Text and reason of each block of a slide. */
async function looks(shapes: string, design?: TestDesign) {
  const { text, blocks } = await read(designedPptxFile(shapes, design), 'a.pptx');
  return blocks.map((block) =>
    block.cells
      ? [
          block.cells.map((one) => one.text).join('|'),
          ...(block.hidden ?? []).map((range) => `${range.reason}: ${text.slice(range.start, range.end)}`),
        ]
      : [block.text, block.hidden?.[0]?.reason],
  );
}

describe('hidden text of PPTX', () => {
  it.each([
    ['white', run('secret', WHITE), 'same-colour'],
    ['the background of the theme', run('secret', scheme('bg1')), 'same-colour'],
    ['one point', run('secret', '', ' sz="100"'), 'tiny'],
    ['nothing', run('secret', '<a:noFill/>'), 'transparent'],
    [
      'full transparency',
      run('secret', '<a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>'),
      'transparent',
    ],
  ])('marks a run in %s and keeps the words around it', async (_, hidden, reason) => {
    expect(await looks(box(`${run('One ')}${hidden}${run('two.')}`))).toEqual([
      ['One two.', undefined],
      ['secret', reason],
    ]);
  });

  it.each([
    ['black', run('seen', rgb('000000'))],
    ['a shade of the background', run('seen', scheme('bg1', '<a:lumMod val="50000"/>'))],
    ['an outline', run('seen', `<a:ln>${rgb('000000')}</a:ln>${WHITE}`)],
    ['a gradient', run('seen', '<a:gradFill/>')],
    [
      'half transparency',
      run('seen', '<a:solidFill><a:srgbClr val="000000"><a:alpha val="50000"/></a:srgbClr></a:solidFill>'),
    ],
    ['small letters', run('seen', '', ' sz="600"')],
  ])('sees a run in %s', async (_, shown) => {
    expect(await looks(box(shown))).toEqual([['seen', undefined]]);
  });

  it('sees white letters on filled shapes, and letters in the colour of theirs not', async () => {
    const navy = rgb('003366');
    expect(await looks(box(run('seen', WHITE), { fill: navy }))).toEqual([['seen', undefined]]);
    expect(await looks(box(run('lost', navy), { fill: navy }))).toEqual([['lost', 'same-colour']]);
    const styled = box(run('seen', WHITE)).replace(
      '<p:txBody>',
      '<p:style><a:fillRef idx="1"><a:schemeClr val="accent1"/></a:fillRef></p:style><p:txBody>',
    );
    expect(await looks(styled)).toEqual([['seen', undefined]]);
    expect(await looks(box(run('seen', WHITE), { fill: '<a:gradFill/>' }))).toEqual([['seen', undefined]]);
  });

  it('sees white letters where a drawing or picture lies below, and only there', async () => {
    const bar = box('', { at: place(0, 0, 4000, 700), fill: rgb('003366') });
    const low = place(100, 2000);
    expect(await looks(bar + box(run('seen', WHITE)) + box(run('lost', WHITE), { at: low }))).toEqual([
      ['seen', undefined],
      ['lost', 'same-colour'],
    ]);
    const master = `<p:bg><p:bgPr>${scheme('bg1')}</p:bgPr></p:bg><p:spTree>${bar}</p:spTree>`;
    expect(await looks(box(run('seen', WHITE)) + box(run('lost', WHITE), { at: low }), { master })).toEqual([
      ['seen', undefined],
      ['lost', 'same-colour'],
    ]);
    const picture = `<p:pic><p:nvPicPr><p:cNvPr id="2" name="p" descr="A"/></p:nvPicPr><p:spPr>${place(0, 0, 4000, 3000)}</p:spPr></p:pic>`;
    expect(await looks(picture + box(run('seen', WHITE)))).toEqual([
      ['A', undefined],
      ['seen', undefined],
    ]);
  });

  it('says nothing about colours where the background is not plain', async () => {
    const pictured: TestDesign = { master: '<p:bg><p:bgPr><a:blipFill/></p:bgPr></p:bg>' };
    const dark: TestDesign = { layout: `<p:bg><p:bgPr>${rgb('000000')}</p:bgPr></p:bg>` };
    const later: TestDesign = {
      master: '<p:bg><p:bgRef idx="1002"><a:schemeClr val="bg1"/></p:bgRef></p:bg>',
    };
    for (const design of [pictured, dark, later]) {
      expect(await looks(box(run('seen', WHITE)), design)).toEqual([['seen', undefined]]);
    }
    expect(await looks(box(run('lost', rgb('000000'))), dark)).toEqual([['lost', 'same-colour']]);
  });

  it('lets placeholders take over what the layout fills', async () => {
    const holder = '<p:ph type="body" idx="1"/>';
    const title = box(run('x', WHITE), { at: '', holder });
    expect(await looks(title)).toEqual([['x', 'same-colour']]);
    const filled = box('', { holder, fill: rgb('003366') });
    expect(await looks(title, { layout: `<p:spTree>${filled}</p:spTree>` })).toEqual([['x', undefined]]);
  });

  it('takes the letters that a shape states for its paragraphs', async () => {
    const body = `<a:lstStyle><a:lvl1pPr><a:defRPr>${WHITE}</a:defRPr></a:lvl1pPr></a:lstStyle>`;
    const black = run('seen', rgb('000000'));
    expect(await looks(box(run('lost') + black, { body }))).toEqual([
      ['seen', undefined],
      ['lost', 'same-colour'],
    ]);
  });

  it('marks what stands beside the slide, in groups too, and nothing that reaches it', async () => {
    const group = (at: string, inner: string) => `<p:grpSp><p:grpSpPr>${at}</p:grpSpPr>${inner}</p:grpSp>`;
    const moved = place(5000, 0).replace(
      '</a:xfrm>',
      '<a:chOff x="0" y="0"/><a:chExt cx="1000" cy="500"/></a:xfrm>',
    );
    expect(
      await looks(
        box(run('left'), { at: place(-2000, 100) }) +
          box(run('below'), { at: place(100, 3000) }) +
          box(run('reaches in'), { at: place(-900, 100) }) +
          box(run('turned'), { at: place(100, -600, 4000, 500, ' rot="5400000"') }) +
          group(moved, box(run('in a group'), { at: place(0, 0, 500, 200) })),
      ),
    ).toEqual([
      ['left', 'off-page'],
      ['below', 'off-page'],
      ['reaches in', undefined],
      ['turned', undefined],
      ['in a group', 'off-page'],
    ]);
  });

  it('compares the letters of a cell with its own filling', async () => {
    const cell = (content: string, fill = '') =>
      `<a:tc><a:txBody><a:p>${content}</a:p></a:txBody><a:tcPr>${fill}</a:tcPr></a:tc>`;
    const table = (cells: string) =>
      `<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="1000" cy="500"/></p:xfrm><a:graphic><a:graphicData><a:tbl><a:tblPr/><a:tr>${cells}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    expect(
      await looks(
        table(
          cell(run('One ') + run('secret', WHITE) + run('two'), WHITE) +
            cell(run('seen', WHITE), rgb('003366')) +
            cell(run('unknown', WHITE)) +
            cell(run('clear', WHITE), '<a:noFill/>') +
            cell(run('small', '', ' sz="100"')),
        ),
      ),
    ).toEqual([
      ['One two secret|seen|unknown|clear|small', 'same-colour: secret', 'same-colour: clear', 'tiny: small'],
    ]);
  });

  it('reads slides without a design as they were read', async () => {
    const { blocks } = await read(
      pptxFile([{ shapes: box(run('seen', WHITE)) + box(textLine('x')) }]),
      'a.pptx',
    );
    expect(blocks.map((block) => block.hidden)).toEqual([undefined, undefined]);
  });
});
