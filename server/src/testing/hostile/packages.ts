import { zip } from '../hostile-files.js';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org';
const TYPE = 'application/vnd.openxmlformats-officedocument';

/** A part beside the main one: path inside its folder, last word of the type of its relationship. */
export interface Part {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** An Office Open XML file; its main part refers to the others as `r1`, `r2`, … */
function officeFile(main: { path: string; type: string; content: string }, parts: readonly Part[]): Buffer {
  const folder = main.path.replace(/[^/]*$/, '');
  const name = main.path.slice(folder.length);
  const related = parts.map(
    ({ path, type }, at) => `<Relationship Id="r${at + 1}" Type="${OFFICE}/${type}" Target="${path}"/>`,
  );
  return zip({
    '[Content_Types].xml': Buffer.from(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${main.path}" ContentType="${TYPE}.${main.type}.main+xml"/></Types>`,
    ),
    '_rels/.rels': Buffer.from(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="${main.path}"/></Relationships>`,
    ),
    [`${folder}_rels/${name}.rels`]: Buffer.from(
      `<Relationships xmlns="${PACKAGE}/relationships">${related.join('')}</Relationships>`,
    ),
    [main.path]: Buffer.from(main.content),
    ...Object.fromEntries(parts.map(({ path, content }) => [`${folder}${path}`, Buffer.from(content)])),
  });
}

export const docx = (body: string, parts: readonly Part[] = []): Buffer =>
  officeFile(
    {
      path: 'word/document.xml',
      type: 'wordprocessingml.document',
      content: `<w:document xmlns:w="${MAIN}/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    },
    parts,
  );

/** Each sheet is what stands inside `worksheet`. */
export const xlsx = (sheets: readonly string[], parts: readonly Part[] = []): Buffer =>
  officeFile(
    {
      path: 'xl/workbook.xml',
      type: 'spreadsheetml.sheet',
      content: `<workbook xmlns="${MAIN}/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${sheets
        .map((_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
        .join('')}</sheets></workbook>`,
    },
    [
      ...sheets.map((content, at) => ({
        path: `worksheets/sheet${at + 1}.xml`,
        type: 'worksheet',
        content: `<worksheet xmlns="${MAIN}/spreadsheetml/2006/main">${content}</worksheet>`,
      })),
      ...parts,
    ],
  );

/** A workbook whose list of sheets is longer than its sheets: all but the first refer to the same part. */
export const xlsxListing = (count: number, sheet: string): Buffer =>
  officeFile(
    {
      path: 'xl/workbook.xml',
      type: 'spreadsheetml.sheet',
      content: `<workbook xmlns="${MAIN}/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets>${Array.from(
        { length: count },
        (_, at) => `<sheet name="S${at}" sheetId="${at + 1}" r:id="r1"/>`,
      ).join('')}</sheets></workbook>`,
    },
    [
      {
        path: 'worksheets/sheet1.xml',
        type: 'worksheet',
        content: `<worksheet xmlns="${MAIN}/spreadsheetml/2006/main">${sheet}</worksheet>`,
      },
    ],
  );

/** Each slide is what stands inside `p:spTree`. */
export const pptx = (slides: readonly string[]): Buffer =>
  officeFile(
    {
      path: 'ppt/presentation.xml',
      type: 'presentationml.presentation',
      content: `<p:presentation xmlns:p="${MAIN}/presentationml/2006/main" xmlns:r="${OFFICE}"><p:sldIdLst>${slides
        .map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at + 1}"/>`)
        .join('')}</p:sldIdLst></p:presentation>`,
    },
    slides.map((shapes, at) => ({
      path: `slides/slide${at + 1}.xml`,
      type: 'slide',
      content: `<p:sld xmlns:p="${MAIN}/presentationml/2006/main" xmlns:a="${MAIN}/drawingml/2006/main"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    })),
  );

const OPEN = ['office', 'text', 'table', 'style', 'meta']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

export const openDocument = (kind: 'text' | 'spreadsheet', body: string): Buffer =>
  zip({
    mimetype: Buffer.from(`application/vnd.oasis.opendocument.${kind}`),
    'content.xml': Buffer.from(
      `<office:document-content ${OPEN}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ),
  });

/** A PDF of numbered objects, the first of which is the catalog. */
export function pdf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')];
  let at = parts[0]!.length;
  const offsets = objects.map((object, index) => {
    const whole = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from('\nendobj\n'),
    ]);
    const start = at;
    parts.push(whole);
    at += whole.length;
    return `${String(start).padStart(10, '0')} 00000 n \n`;
  });
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

export const pdfStream = (content: Buffer, entries = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${entries}>>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
