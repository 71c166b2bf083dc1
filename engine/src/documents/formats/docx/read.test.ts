import { describe, expect, it } from 'vitest';
import { docxFile, paragraph, type TestPart, table, wordPart } from '../../testing/office-files.js';
import { outline, places, read } from '../../testing/outline.js';

const style = (id: string, name: string, inside = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${inside}</w:style>`;
const pStyle = (id: string) => `<w:pStyle w:val="${id}"/>`;
const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const field = (instruction: string, result: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${result}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
const STYLES: TestPart = wordPart(
  'styles.xml',
  'styles',
  'styles',
  [
    style('berschrift1', 'heading 1'),
    style('Kapitel', 'Kapitel', '<w:basedOn w:val="berschrift2"/>'),
    style('berschrift2', 'heading 2'),
    style('Outline3', 'My own', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
    style('TOC1', 'toc 1'),
    style('Beschriftung', 'caption'),
    style(
      'Bullet2',
      'List Bullet 2',
      '<w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr>',
    ),
    style('Loop', 'Loop', '<w:basedOn w:val="Loop"/>'),
  ].join(''),
);

describe('Word documents', () => {
  it('takes headings from styles by name, inheritance and outline level', async () => {
    const document = await read(
      docxFile(
        [
          paragraph('Zweck', pStyle('berschrift1')),
          paragraph('Geltung', pStyle('Kapitel')),
          paragraph('Detail', pStyle('Outline3')),
          paragraph('Text', pStyle('Loop')),
          paragraph('By hand', '<w:outlineLvl w:val="0"/>'),
          paragraph('Not one', `${pStyle('berschrift1')}<w:outlineLvl w:val="9"/>`),
        ].join(''),
        [STYLES],
      ),
      'a.docx',
    );
    expect(outline(document)).toEqual([
      'heading1: Zweck',
      'heading2: Geltung',
      'heading3: Detail',
      'paragraph: Text',
      'heading1: By hand',
      'paragraph: Not one',
    ]);
    expect(document.blocks[3]!.location.section).toEqual(['Zweck', 'Geltung', 'Detail']);
    expect(document.blocks[4]!.location.section).toBeUndefined();
    expect(document.properties).toEqual({ title: 'A title', author: 'A writer', revision: '7' });
  });

  it('reads lists with their depth, by paragraph and by style', async () => {
    const item = (level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="4"/></w:numPr>`;
    const body =
      paragraph('one', item(0)) +
      paragraph('two', item(2)) +
      paragraph('three', pStyle('Bullet2')) +
      paragraph('no longer', `${pStyle('Bullet2')}<w:numPr><w:numId w:val="0"/></w:numPr>`);
    expect(outline(await read(docxFile(body, [STYLES]), 'a.docx'))).toEqual([
      'list_item1: one',
      'list_item3: two',
      'list_item2: three',
      'paragraph: no longer',
    ]);
  });

  it('reads tables with spans, merged cells and stated or recognised header rows', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
    const merged = `<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Wide', '<w:gridSpan w:val="2"/>')}${cell('C')}</w:tr>
      <w:tr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b')}${cell('c')}</w:tr>
      <w:tr>${cell('gone', '<w:vMerge/>')}${cell('d')}${cell('e')}</w:tr></w:tbl>`;
    const body =
      merged +
      paragraph('between') +
      table([
        ['ID', 'Safety goal'],
        ['SG-1', 'The item shall stop.'],
      ]);
    const document = await read(docxFile(body), 'a.docx');
    expect(outline(document)).toEqual([
      'table_row 0.0 header: Wide | C',
      'table_row 0.1: a | b | c',
      'table_row 0.2:  | d | e',
      'paragraph: between',
      'table_row 1.0 header: ID | Safety goal',
      'table_row 1.1: SG-1 | The item shall stop.',
    ]);
    expect(document.blocks[0]!.cells).toMatchObject([{ column: 0, span: 2 }, { column: 2 }]);
    expect(document.blocks[1]!.cells![2]!.location.cell).toBe('R2C3');
  });

  it('keeps a table without names of columns without header, and a frame as running text', async () => {
    const body =
      table([
        ['Version:', '1.0'],
        ['Author:', 'N. N.'],
      ]) + table([['Only a box around text.']]);
    expect(outline(await read(docxFile(body), 'a.docx'))).toEqual([
      'table_row 0.0: Version: | 1.0',
      'table_row 0.1: Author: | N. N.',
      'paragraph: Only a box around text.',
    ]);
  });

  it('recognises contents, captions, headers, footers, notes and comments', async () => {
    const body = [
      `<w:p>${field('TOC \\o', run('Purpose') + run('3'))}</w:p>`,
      `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${paragraph('Contents')}</w:sdtContent></w:sdt>`,
      paragraph('Scope ........ 4'),
      paragraph('Scope', pStyle('berschrift1')),
      `<w:p>${run('Table ')}${field('SEQ Table', run('1'))}${run(' Goals')}</w:p>`,
      `<w:p>${run('Said')}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>`,
    ].join('');
    const document = await read(
      docxFile(body, [
        STYLES,
        wordPart('header1.xml', 'header', 'hdr', paragraph('Confidential')),
        wordPart('footer1.xml', 'footer', 'ftr', `<w:p>${run('Page ')}${field('PAGE', run('1'))}</w:p>`),
        wordPart(
          'footnotes.xml',
          'footnotes',
          'footnotes',
          `<w:footnote w:type="separator" w:id="0">${paragraph('-')}</w:footnote><w:footnote w:id="2">${paragraph('A note.')}</w:footnote>`,
        ),
        wordPart(
          'comments.xml',
          'comments',
          'comments',
          `<w:comment w:id="0">${paragraph('Really?')}</w:comment>`,
        ),
      ]),
      'a.docx',
    );
    expect(outline(document)).toEqual([
      'page_header: Confidential',
      'toc_entry1: Purpose3',
      'toc_entry1: Contents',
      'toc_entry1: Scope ........ 4',
      'heading1: Scope',
      'caption: Table 1 Goals',
      'paragraph: Said',
      'paragraph: A note.',
      'comment: Really?',
      'page_footer: Page 1',
    ]);
  });

  it('reads what is current: insertions, not deletions; hidden text apart, and says so', async () => {
    const body = `<w:p>${run('kept')}<w:ins>${run(' added')}</w:ins><w:del><w:r><w:delText> removed</w:delText></w:r></w:del>${run(' secret', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="0"/>')}</w:p>`;
    const document = await read(docxFile(body), 'a.docx');
    expect(document.text).toBe('kept added shown\nsecret');
    expect(document.blocks.map((block) => block.hidden?.[0]?.reason)).toEqual([undefined, 'marked-hidden']);
    expect(document.notes.map((note) => note.code)).toEqual(['tracked_changes', 'hidden_content']);
  });

  it.each([
    ['white on paper', 'same-colour', run('lost', '<w:color w:val="FFFFFF"/>')],
    ['one point', 'tiny', run('lost', '<w:sz w:val="2"/>')],
    [
      'the colour of its shading',
      'same-colour',
      run('lost', '<w:color w:val="112233"/><w:shd w:fill="112233"/>'),
    ],
  ])('marks text that is %s', async (_, reason, text) => {
    const document = await read(docxFile(`<w:p>${run('seen')}${text}</w:p>`), 'a.docx');
    expect(document.blocks.map((block) => [block.text, block.hidden?.[0]?.reason])).toEqual([
      ['seen', undefined],
      ['lost', reason],
    ]);
  });

  it('sees white text on dark shading of run, paragraph, cell or table style', async () => {
    const white = run('seen', '<w:color w:val="FFFFFF"/>');
    const styles = wordPart(
      'styles.xml',
      'styles',
      'styles',
      '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:fill="1F3864"/></w:tcPr></w:tblStylePr></w:style>',
    );
    const body = [
      `<w:p>${run('seen', '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>')}</w:p>`,
      `<w:p><w:pPr><w:shd w:fill="1F3864"/></w:pPr>${white}</w:p>`,
      `<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:fill="1F3864"/></w:tcPr><w:p>${white}</w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>`,
      `<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr><w:tr><w:tc><w:p>${white}</w:p></w:tc><w:tc><w:p/></w:tc></w:tr></w:tbl>`,
    ];
    const document = await read(docxFile(body.join(''), [styles]), 'a.docx');
    expect(document.blocks).toHaveLength(4);
    expect(document.blocks.filter((block) => block.hidden)).toEqual([]);
  });

  it('reads text boxes once, although they are stored twice', async () => {
    const box = `<w:txbxContent>${paragraph('In the box')}</w:txbxContent>`;
    const body = `<w:p>${run('Before')}<w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>${run(' after')}</w:p>`;
    expect(outline(await read(docxFile(body), 'a.docx'))).toEqual([
      'paragraph: Before after',
      'paragraph: In the box',
    ]);
  });

  it('counts pages by recorded breaks: those of parallel cells once, those left from earlier layouts not', async () => {
    const rendered = '<w:r><w:lastRenderedPageBreak/></w:r>';
    const page = 'Enough words to fill a page. '.repeat(10);
    const cell = (text: string) => `<w:tc><w:p>${rendered}${run(text)}</w:p></w:tc>`;
    const body = [
      paragraph('first'),
      '<w:p><w:r><w:br w:type="page"/></w:r></w:p>',
      `<w:p>${rendered}${run(`second. ${page}`)}</w:p>`,
      `<w:tbl><w:tr>${cell('a')}${cell(`b. ${page}`)}</w:tr><w:tr>${cell('c')}${cell('d')}</w:tr></w:tbl>`,
      `<w:p>${rendered}${run('left over')}</w:p>`,
    ].join('');
    const document = await read(docxFile(body), 'a.docx');
    expect(places(document)).toEqual(['p. 1', 'p. 2', 'p. 3', 'p. 4', 'p. 4']);
    expect(document.pageCount).toBe(4);
    expect((await read(docxFile(paragraph('x')), 'a.docx')).pageCount).toBeUndefined();
  });

  it('takes bold lines for headings only where no style names any', async () => {
    const bold = (text: string) => `<w:p>${run(text, '<w:b/>')}</w:p>`;
    const text = paragraph('The item shall do something that takes a sentence.');
    expect(outline(await read(docxFile(bold('1.2 Purpose') + text + text), 'a.docx'))[0]).toBe(
      'heading2: 1.2 Purpose',
    );
    const styled = docxFile(bold('Purpose') + text + paragraph('Real', pStyle('berschrift1')) + text, [
      STYLES,
    ]);
    expect(outline(await read(styled, 'a.docx'))[0]).toBe('paragraph: Purpose');
  });

  it('reads a document whose namespaces have other prefixes', async () => {
    const file = docxFile('').toString('latin1');
    expect(file.length).toBeGreaterThan(0);
    const { zipFile } = await import('../../testing/zip-file.js');
    const { docxEntries } = await import('../../testing/office-files.js');
    const entries = docxEntries(paragraph('Text')).map((entry) =>
      entry.name === 'word/document.xml'
        ? {
            ...entry,
            content: String(entry.content)
              .replace(/(<\/?|xmlns:| )w:/g, '$1x:')
              .replace('xmlns:w=', 'xmlns:x='),
          }
        : entry,
    );
    expect((await read(zipFile(entries), 'a.docx')).text).toBe('Text');
  });
});
