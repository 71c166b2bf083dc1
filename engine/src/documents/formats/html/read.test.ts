import { describe, expect, it } from 'vitest';
import { outline, read } from '../../testing/outline.js';

const outlineOf = async (body: string) => outline(await read(`<!doctype html><html><body>${body}`, 'a.html'));

describe('HTML pages', () => {
  it('reads what is shown, with levels and lines', async () => {
    const page = `<!DOCTYPE html><html><head><title>The plan</title><meta name="author" content="N. N."><style>p{}</style></head>
<body><nav><a href=#a>Purpose</a></nav><header><p>Confidential</p></header>
<h1>Purpose</h1><p>One &amp; <b>two</b><br>three<script>alert("<p>no")</script>
<p hidden>never<p style="display: none">nor this<ul><li>a<ul><li>b</ul><li>c</ul>
<pre>x
  y</pre><div aria-hidden="true">no</div><img alt="Diagram" src=x><footer>Page 1</footer>`;
    const document = await read(page, 'a.html');
    expect(outline(document)).toEqual([
      'toc_entry: Purpose',
      'page_header: Confidential',
      'heading1: Purpose',
      'paragraph: One & two three',
      'paragraph: never',
      'paragraph: nor this',
      'list_item1: a',
      'list_item2: b',
      'list_item1: c',
      'code: x\n  y',
      'figure: Diagram',
      'page_footer: Page 1',
    ]);
    expect(document.blocks.filter((block) => block.hidden).map((block) => block.text)).toEqual([
      'never',
      'nor this',
    ]);
    expect(document.properties).toEqual({ title: 'The plan', author: 'N. N.' });
    expect(document.blocks[3]!.location).toEqual({ section: ['Purpose'], line: 3 });
  });

  it.each([
    ['opacity: 0', 'transparent'],
    ['font-size:1px', 'tiny'],
    ['color: #fff', 'same-colour'],
    ['color: #123; background: #112233', 'same-colour'],
    ['position:absolute; left:-9999px', 'off-page'],
    ['visibility:hidden', 'marked-hidden'],
  ])('marks text of style %s as hidden', async (style, reason) => {
    // The page's own words must not say that something else paints it.
    const { blocks } = await read(`<html><p>seen<p style="${style}">lost`, 'a.html');
    expect(blocks.map((block) => [block.text, block.hidden?.[0]?.reason])).toEqual([
      ['seen', undefined],
      ['lost', reason],
    ]);
  });

  it('sees white text where something may lie behind it', async () => {
    const { blocks } = await read(
      '<html><style>body{background:url(a.png)}</style><p style="color:#fff">seen',
      'a.html',
    );
    expect(blocks[0]!.hidden).toBeUndefined();
  });

  it('reads tables with head, spans over columns and rows, and nested ones as text', async () => {
    expect(
      await outlineOf(
        `<table><caption>Table 1: Goals</caption><thead><tr><th>ID<th colspan=2>Goal</thead>
         <tr><td rowspan=2>G1<td>a<td>b<tr><td>c<td><table><tr><td>in<td>ner</table></table><p>after`,
      ),
    ).toEqual([
      'caption: Table 1: Goals',
      'table_row 0.0 header: ID | Goal',
      'table_row 0.1: G1 | a | b',
      'table_row 0.2: c | in ner',
      'paragraph: after',
    ]);
    const spanned = await read('<html><table><tr><td rowspan=2>a<td>b<tr><td>c</table>', 'a.html');
    expect(spanned.blocks[1]!.cells![0]).toMatchObject({ column: 1, location: { cell: 'R2C2' } });
  });

  it('recognises names of columns where the page does not mark them', async () => {
    const rows = '<tr><td>ID<td>Text<tr><td>R1<td>It shall stop.';
    expect(await outlineOf(`<table>${rows}</table>`)).toEqual([
      'table_row 0.0 header: ID | Text',
      'table_row 0.1: R1 | It shall stop.',
    ]);
  });
});
