import { describe, expect, it } from 'vitest';
import { outline, places, read } from '../../testing/outline.js';
import { pptxFile, shape, slidePart, textLine } from '../../testing/presentation.js';

const TITLE = '<p:ph type="title"/>';
const BODY = '<p:ph idx="1"/>';
const cell = (text: string, attributes = '') =>
  `<a:tc${attributes}><a:txBody>${textLine(text)}</a:txBody></a:tc>`;

describe('PPTX', () => {
  it('gives slides in the order of the presentation: title, body with depth, footers', async () => {
    const document = await read(
      pptxFile([
        {
          shapes:
            shape(
              textLine('Outer') +
                textLine('Inner', '<a:pPr lvl="1"/>') +
                textLine('Plain', '<a:pPr><a:buNone/></a:pPr>'),
              BODY,
            ) +
            shape(textLine('Safety goals'), TITLE) +
            shape(textLine('7'), '<p:ph type="sldNum"/>'),
        },
        {
          shapes:
            shape('<a:p><a:r><a:t>A box of</a:t></a:r><a:br/><a:r><a:t>text</a:t></a:r></a:p>') +
            shape(textLine('Bullet', '<a:pPr><a:buChar char="•"/></a:pPr>')),
        },
      ]),
      'a.pptx',
    );
    expect(outline(document)).toEqual([
      'heading1: Safety goals',
      'list_item1: Outer',
      'list_item2: Inner',
      'paragraph: Plain',
      'page_footer: 7',
      'paragraph: A box of text',
      'list_item1: Bullet',
    ]);
    expect(places(document).slice(1, 2).concat(places(document).slice(5, 6))).toEqual([
      'p. 1, Safety goals',
      'p. 2',
    ]);
    expect(document.pageCount).toBe(2);
    expect(document.properties.author).toBe('A writer');
  });

  it('reads tables with joined cells, pictures, notes, comments and diagrams', async () => {
    const table = `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>${cell('ID')}${cell('Goal')}${cell('ASIL')}</a:tr><a:tr>${cell('SG-1', ' gridSpan="2"')}${cell('', ' hMerge="1"')}${cell('D')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const picture = '<p:pic><p:nvPicPr><p:cNvPr id="2" name="p" descr="A brake"/></p:nvPicPr></p:pic>';
    const document = await read(
      pptxFile([
        {
          hidden: true,
          shapes: shape(textLine('Goals'), TITLE) + table + picture,
          parts: [
            {
              path: 'notes1.xml',
              type: 'notesSlide',
              content: slidePart(
                'notes',
                shape(textLine('Said to it.'), '<p:ph type="body" idx="1"/>') +
                  shape(textLine('1'), '<p:ph type="sldNum"/>'),
              ),
            },
            {
              path: 'comment1.xml',
              type: 'comments',
              content:
                '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cm><p:text>Check this.</p:text></p:cm></p:cmLst>',
            },
            {
              path: 'data1.xml',
              type: 'diagramData',
              content:
                '<d:dataModel xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><d:pt><d:t><a:p><a:r><a:t>Box</a:t></a:r></a:p></d:t></d:pt></d:dataModel>',
            },
          ],
        },
      ]),
      'a.pptx',
    );
    expect(outline(document)).toEqual([
      'heading1: Goals',
      'table_row 0.0 header: ID | Goal | ASIL',
      'table_row 0.1: SG-1 | D',
      'figure: A brake',
      'paragraph: Said to it.',
      'comment: Check this.',
      'paragraph: Box',
    ]);
    expect(document.blocks[2]!.cells).toMatchObject([{ column: 0, span: 2 }, { column: 2 }]);
    expect(document.notes.map((note) => note.code)).toEqual(['hidden_content']);
  });
});
