import { describe, expect, it } from 'vitest';
import { openDocumentFile } from '../../testing/open-document.js';
import { read } from '../../testing/outline.js';

const style = (name: string, properties: string, attributes = 'style:family="text"') =>
  `<style:style style:name="${name}" ${attributes}>${properties}</style:style>`;
const letters = (attributes: string) => `<style:text-properties ${attributes}/>`;
const WHITE = style('white', letters('fo:color="#ffffff"'));
const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
const paragraph = (content: string, attributes = '') => `<text:p${attributes}>${content}</text:p>`;
const cell = (content: string, name: string) =>
  `<table:table-cell table:style-name="${name}">${paragraph(content)}</table:table-cell>`;
const table = (cells: string, attributes = '') =>
  `<table:table${attributes}><table:table-row>${cells}</table:table-row></table:table>`;

/** Text and reason of each block. */
async function looks(body: string, styles: string, pages = '') {
  const { blocks } = await read(openDocumentFile('text', { body, styles, pages }), 'a.odt');
  return blocks.map((block) => [
    block.cells ? block.cells.map((one) => one.text).join('|') : block.text,
    block.hidden?.[0]?.reason,
  ]);
}

describe('hidden text of ODT', () => {
  it.each([
    ['fo:color="#ffffff"', 'same-colour'],
    ['fo:color="#fdfefe"', 'same-colour'],
    ['fo:font-size="1pt"', 'tiny'],
    ['fo:font-size="0.3mm"', 'tiny'],
    ['fo:font-size="5%"', 'tiny'],
    ['text:display="none"', 'marked-hidden'],
    ['fo:color="#000000" loext:opacity="0%"', 'transparent'],
  ])('marks letters with %s and keeps the words around them', async (attributes, reason) => {
    const body = paragraph(`One ${span('odd', 'secret<text:s/>words')}two.`);
    expect(await looks(body, style('odd', letters(attributes)))).toEqual([
      ['One two.', undefined],
      ['secret words', reason],
    ]);
  });

  it.each([
    ['fo:color="#ffffff" style:use-window-font-color="true" loext:opacity="0%"'],
    ['fo:color="#ffffff" fo:background-color="#000000"'],
    ['fo:color="#eeeeee"'],
    ['fo:font-size="50%"'],
    ['text:display="true"'],
  ])('sees letters with %s', async (attributes) => {
    expect(await looks(paragraph(span('odd', 'seen')), style('odd', letters(attributes)))).toEqual([
      ['seen', undefined],
    ]);
  });

  it('follows styles to their ancestors, those of the document among them', async () => {
    const common = `<office:styles>${style('Secret', letters('fo:color="#ffffff"'), 'style:family="paragraph"')}</office:styles>`;
    const own =
      style('P1', '', 'style:family="paragraph" style:parent-style-name="Secret"') +
      style('dark', letters('fo:color="#000000"'));
    const body = paragraph(`lost${span('dark', 'seen')}`, ' text:style-name="P1"');
    expect(await looks(body, own, common)).toEqual([
      ['seen', undefined],
      ['lost', 'same-colour'],
    ]);
    // A style of headers has the same name and nothing to do with it.
    const headers = `<office:automatic-styles>${style('P1', letters('fo:color="#ffffff"'), 'style:family="paragraph"')}</office:automatic-styles>`;
    expect(await looks(paragraph('seen', ' text:style-name="P1"'), '', headers)).toEqual([
      ['seen', undefined],
    ]);
  });

  it('sees white letters on what is dark, and dark ones on dark not', async () => {
    const styles =
      WHITE +
      style('black', letters('fo:color="#000000"')) +
      style(
        'night',
        '<style:table-cell-properties fo:background-color="#000000"/>',
        'style:family="table-cell"',
      ) +
      style(
        'day',
        '<style:table-cell-properties fo:background-color="transparent"/>',
        'style:family="table-cell"',
      ) +
      style('bar', '<style:paragraph-properties fo:background-color="#000000"/>', 'style:family="paragraph"');
    expect(await looks(table(cell(span('white', 'a'), 'night') + cell('b', 'day')), styles)).toEqual([
      ['a|b', undefined],
    ]);
    expect(await looks(table(cell(span('black', 'a'), 'night') + cell('b', 'day')), styles)).toEqual([
      ['|b', undefined],
      ['a', 'same-colour'],
    ]);
    expect(await looks(table(cell(span('white', 'a'), 'day') + cell('b', 'day')), styles)).toEqual([
      ['|b', undefined],
      ['a', 'same-colour'],
    ]);
    expect(await looks(paragraph(span('white', 'seen'), ' text:style-name="bar"'), styles)).toEqual([
      ['seen', undefined],
    ]);
  });

  it('says nothing about colours where the background is not known', async () => {
    const body = paragraph(span('white', 'seen'));
    const picture =
      '<style:paragraph-properties><style:background-image xlink:href="a.png"/></style:paragraph-properties>';
    const pictured = style('bar', picture, 'style:family="paragraph"');
    expect(await looks(paragraph(span('white', 'seen'), ' text:style-name="bar"'), WHITE + pictured)).toEqual(
      [['seen', undefined]],
    );
    const layout =
      '<office:automatic-styles><style:page-layout><style:page-layout-properties fo:background-color="#003366"/></style:page-layout></office:automatic-styles>';
    expect(await looks(body, WHITE, layout)).toEqual([['seen', undefined]]);
    const behind = style(
      'gr',
      '<style:graphic-properties style:run-through="background"/>',
      'style:family="graphic"',
    );
    expect(await looks(body, WHITE + behind)).toEqual([['seen', undefined]]);
    const box = `<draw:frame><draw:text-box>${paragraph(span('white', 'seen'))}</draw:text-box></draw:frame>`;
    expect(await looks(paragraph(`around${box}`), WHITE)).toEqual([
      ['around', undefined],
      ['seen', undefined],
    ]);
    const formatted = table(cell(span('white', 'a'), 'x') + cell('b', 'x'), ' table:template-name="Blue"');
    expect(await looks(formatted, WHITE)).toEqual([['a|b', undefined]]);
    // An element for a picture without one is what programs write where there is none.
    const none = style(
      'bar',
      '<style:paragraph-properties><style:background-image/></style:paragraph-properties>',
      'style:family="paragraph"',
    );
    expect(await looks(paragraph(span('white', 'lost'), ' text:style-name="bar"'), WHITE + none)).toEqual([
      ['lost', 'same-colour'],
    ]);
  });

  it('marks hidden sections, paragraphs and fields, and those alone', async () => {
    const body = `<text:section text:display="none">${paragraph('in a section')}</text:section><text:section text:display="true">${paragraph('seen')}</text:section>
      <text:section text:display="condition" text:is-hidden="true">${paragraph('by condition')}</text:section>
      ${paragraph('whole<text:hidden-paragraph text:condition="ooow:1" text:is-hidden="true"/> paragraph')}
      ${paragraph('open<text:hidden-paragraph text:is-hidden="false"/> paragraph')}
      ${paragraph('A field<text:hidden-text text:is-hidden="true" text:string-value="kept back"/> there')}`;
    expect(await looks(body, '')).toEqual([
      ['in a section', 'marked-hidden'],
      ['seen', undefined],
      ['by condition', 'marked-hidden'],
      ['whole paragraph', 'marked-hidden'],
      ['open paragraph', undefined],
      ['A field there', undefined],
      ['kept back', 'marked-hidden'],
    ]);
  });

  it('keeps notes and comments of hidden places visible', async () => {
    const note = '<text:note><text:note-body><text:p>A footnote.</text:p></text:note-body></text:note>';
    const comment = '<office:annotation><text:p>Why?</text:p></office:annotation>';
    expect(await looks(paragraph(`One${span('white', `lost${note}${comment}`)}`), WHITE)).toEqual([
      ['One', undefined],
      ['A footnote.', undefined],
      ['Why?', undefined],
      ['lost', 'same-colour'],
    ]);
  });
});
