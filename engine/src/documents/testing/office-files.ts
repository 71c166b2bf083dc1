import { type TestEntry, zipFile } from './zip-file.js';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Parts beside the main one: path inside its folder, type of the relationship, content. */
export interface TestPart {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Entries of a Word document with this body; parts are referred to as `rId1`, `rId2`, … */
export function docxEntries(body: string, parts: readonly TestPart[] = []): TestEntry[] {
  return packageEntries(
    'word/document.xml',
    'wordprocessingml.document',
    `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    parts,
  );
}

export function docxFile(body: string, parts: readonly TestPart[] = []): Buffer {
  return zipFile(docxEntries(body, parts));
}

/** A part of a Word document: `<w:styles>…`, `<w:hdr>…`. */
export function wordPart(path: string, type: string, element: string, content: string): TestPart {
  return { path, type, content: `<w:${element} xmlns:w="${WORD}">${content}</w:${element}>` };
}

/** A paragraph; `properties` go into `w:pPr`. */
export function paragraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/** A table of plain cells. */
export function table(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`;
  return `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`).join('')}</w:tbl>`;
}

export interface TestSheet {
  readonly name: string;
  /** What stands inside `<worksheet>`. */
  readonly content: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** Parts that the sheet refers to. */
  readonly parts?: readonly TestPart[];
}

/** A workbook of these sheets; `parts` are shared strings and styles. */
export function xlsxFile(
  sheets: readonly TestSheet[],
  parts: readonly TestPart[] = [],
  date1904 = false,
): Buffer {
  const list = sheets.map(
    (sheet, index) =>
      `<sheet name="${sheet.name}" sheetId="${index + 1}" r:id="rId${index + 1}"${sheet.state ? ` state="${sheet.state}"` : ''}/>`,
  );
  const sheetParts = sheets.map((sheet, index) => ({
    path: `worksheets/sheet${index + 1}.xml`,
    type: 'worksheet',
    content: `<worksheet xmlns="${SHEET}">${sheet.content}</worksheet>`,
  }));
  const related = sheets.flatMap((sheet, index) =>
    sheet.parts ? relatedEntries(`xl/worksheets/sheet${index + 1}.xml`, sheet.parts) : [],
  );
  return zipFile([
    ...packageEntries(
      'xl/workbook.xml',
      'spreadsheetml.sheet',
      `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets>${list.join('')}</sheets></workbook>`,
      [...sheetParts, ...parts],
    ),
    ...related,
  ]);
}

/** A row of inline strings and numbers, `A1` onwards; null leaves a cell out. */
export function sheetRow(row: number, cells: readonly (string | number | null)[]): string {
  const written = cells.map((cell, column) => {
    const reference = `${String.fromCharCode(65 + column)}${row}`;
    if (cell === null) return '';
    return typeof cell === 'number'
      ? `<c r="${reference}"><v>${cell}</v></c>`
      : `<c r="${reference}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${row}">${written.join('')}</row>`;
}

export const spreadsheetPart = (path: string, type: string, element: string, content: string): TestPart => ({
  path,
  type,
  content: `<${element} xmlns="${SHEET}">${content}</${element}>`,
});

/** Entries of a package with this main part; `type` is the middle of its content type. */
export function packageEntries(
  main: string,
  type: string,
  content: string,
  parts: readonly TestPart[],
): TestEntry[] {
  const mainType = `application/vnd.openxmlformats-officedocument.${type}.main+xml`;
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="${mainType}"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: relationships([
        { type: 'officeDocument', target: main },
        { type: 'core-properties', target: 'docProps/core.xml' },
      ]),
    },
    {
      name: 'docProps/core.xml',
      content: `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>A title</dc:title><dc:creator>A writer</dc:creator><cp:revision>7</cp:revision></cp:coreProperties>`,
    },
    { name: main, content },
    ...relatedEntries(main, parts),
  ];
}

/** Parts beside their owner and its relationships to them, `rId1`, `rId2`, … */
export function relatedEntries(owner: string, parts: readonly TestPart[]): TestEntry[] {
  const folder = owner.slice(0, owner.lastIndexOf('/'));
  return [
    {
      name: `${folder}/_rels/${owner.slice(folder.length + 1)}.rels`,
      content: relationships(parts.map((part) => ({ type: part.type, target: part.path }))),
    },
    ...parts.map((part) => ({ name: `${folder}/${part.path}`, content: part.content })),
  ];
}

function relationships(list: readonly { type: string; target: string }[]): string {
  const written = list.map(
    ({ type, target }, index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${written.join('')}</Relationships>`;
}
