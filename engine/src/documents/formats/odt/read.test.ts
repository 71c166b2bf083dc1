import { describe, expect, it } from 'vitest';
import { openDocumentFile } from '../../testing/open-document.js';
import { outline, read } from '../../testing/outline.js';

const paragraph = (text: string) => `<text:p>${text}</text:p>`;
const odt = (body: string, pages = '') => openDocumentFile('text', { body, pages });

describe('ODT', () => {
  it('gives headings, prose, lists and tables', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell${attributes}>${paragraph(text)}</table:table-cell>`;
    const document = await read(
      odt(
        `<text:h text:outline-level="1">Safety<text:s/>plan</text:h>${paragraph('One<text:tab/>two <text:span>three</text:span>.')}
        <text:list><text:list-item>${paragraph('outer')}<text:list><text:list-item>${paragraph('inner')}${paragraph('more')}</text:list-item></text:list></text:list-item></text:list>
        <text:h text:outline-level="2">Roles</text:h>
        <table:table><table:table-header-rows><table:table-row>${cell('Role')}${cell('Name')}${cell('Task')}</table:table-row></table:table-header-rows>
        <table:table-row>${cell('SM', ' table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('a')}</table:table-row></table:table>
        ${paragraph('Table 1: Roles')}`,
      ),
      'a.odt',
    );
    expect(outline(document)).toEqual([
      'heading1: Safety plan',
      'paragraph: One two three.',
      'list_item1: outer',
      'list_item2: inner',
      'paragraph: more',
      'heading2: Roles',
      'table_row 0.0 header: Role | Name | Task',
      'table_row 0.1: SM | a',
      'caption: Table 1: Roles',
    ]);
    expect(document.blocks[7]).toMatchObject({
      location: { section: ['Safety plan', 'Roles'] },
      cells: [{ column: 0, span: 2 }, { column: 2 }],
    });
    expect(document.properties).toEqual({ title: 'A title', author: 'A writer', revision: '3' });
  });

  it('keeps notes, comments, pictures and text boxes out of the sentence they stand in', async () => {
    const document = await read(
      odt(
        paragraph(
          'A sentence<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A footnote.</text:p></text:note-body></text:note> goes<office:annotation><dc:creator>K. Osei</dc:creator><dc:date>2026</dc:date><text:p>Why?</text:p></office:annotation> on<draw:frame><draw:image/><svg:title>A brake</svg:title></draw:frame><draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame>.',
        ),
      ),
      'a.odt',
    );
    expect(outline(document)).toEqual([
      'paragraph: A sentence goes on.',
      'paragraph: A footnote.',
      'comment: Why?',
      'figure: A brake',
      'paragraph: In a box.',
    ]);
  });

  it('leaves deleted text out and says so, knows contents, headers and pages', async () => {
    const document = await read(
      odt(
        `<text:tracked-changes><text:changed-region><text:deletion>${paragraph('gone')}</text:deletion></text:changed-region></text:tracked-changes>
        <text:table-of-content><text:index-body>${paragraph('1 Scope 2')}</text:index-body></text:table-of-content>${paragraph('One')}<text:soft-page-break/>${paragraph('Two')}`,
        `<style:master-page><style:header>${paragraph('Confidential')}</style:header><style:footer>${paragraph('Page')}</style:footer></style:master-page><style:master-page><style:header>${paragraph('Confidential')}</style:header></style:master-page>`,
      ),
      'a.odt',
    );
    expect(outline(document)).toEqual([
      'page_header: Confidential',
      'page_footer: Page',
      'toc_entry: 1 Scope 2',
      'paragraph: One',
      'paragraph: Two',
    ]);
    expect(document.notes.map((note) => note.code)).toEqual(['tracked_changes']);
    expect(document.pageCount).toBe(2);
    expect(document.blocks.at(-1)!.location.page).toBe(2);
  });

  it('refuses a file with a password', async () => {
    const manifest = '<m:manifest xmlns:m="x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>';
    const file = openDocumentFile('text', {
      body: '',
      extra: [{ name: 'META-INF/manifest.xml', content: manifest }],
    });
    await expect(read(file, 'a.odt')).rejects.toMatchObject({ code: 'encrypted' });
  });
});
