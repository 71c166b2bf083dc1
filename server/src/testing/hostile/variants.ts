import { deflateSync } from 'node:zlib';
import { zip } from '../hostile-files.js';
import type { TestFile } from '../upload.js';
import { docx, openDocument, pdf, pdfStream, pptx, xlsx, xlsxListing } from './packages.js';

/** A file made to hurt: which format, what it tries, and how much of it. */
export interface HostileVariant {
  readonly attack: string;
  readonly file: TestFile;
}

/** How much of an attack: 0 harmless, 1 as much as the limits should bear or refuse. */
type Amount = number;

interface Attack {
  readonly extension: string;
  readonly name: string;
  make(amount: Amount, random: () => number): Buffer | string;
}

const SPANS = ['0', '-1', '2', '63', '1000', '65535', '999999999', '2147483648', '9'.repeat(400), 'NaN', ''];
const times = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: Math.max(1, Math.round(count)) }, (_, at) => piece(at)).join('');
const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const nested = (open: string, inside: string, close: string, depth: number): string =>
  open.repeat(Math.round(depth)) + inside + close.repeat(Math.round(depth));
const ids = (at: number): string => `REQ-${at % 977}`;
const sentence = (at: number): string =>
  `${ids(at)}: The door shall not open within ${at} ms (ASIL C), see ${ids(at * 7)}.`;

const wordText = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const wordCell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${wordText(text)}</w:tc>`;
const wordTable = (rows: string): string => `<w:tbl>${rows}</w:tbl>`;
const WORD_HEAD = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${['ID', 'Requirement', 'Status'].map((text) => wordCell(text)).join('')}</w:tr>`;

const sheetCell = (reference: string, text: string): string =>
  `<c r="${reference}" t="str"><v>${text}</v></c>`;
const odCell = (text: string, attributes = ''): string =>
  `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const odTable = (rows: string): string => `<table:table table:name="T">${rows}</table:table>`;
const odRow = (cells: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`;
const slideText = (text: string): string =>
  `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
const slideCell = (text: string, span: string): string =>
  `<a:tc gridSpan="${span}"><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const reqif = (objects: string, hierarchy = '', relations = ''): string =>
  `<?xml version="1.0"?><REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"><CORE-CONTENT><REQ-IF-CONTENT><SPEC-TYPES><SPEC-OBJECT-TYPE IDENTIFIER="t" LONG-NAME="Requirement"><SPEC-ATTRIBUTES><ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a" LONG-NAME="ReqIF.Text"/></SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE></SPEC-TYPES><SPEC-OBJECTS>${objects}</SPEC-OBJECTS><SPEC-RELATIONS>${relations}</SPEC-RELATIONS><SPECIFICATIONS><SPECIFICATION IDENTIFIER="s" LONG-NAME="S"><CHILDREN>${hierarchy}</CHILDREN></SPECIFICATION></SPECIFICATIONS></REQ-IF-CONTENT></CORE-CONTENT></REQ-IF>`;
const specObject = (id: string, text: string): string =>
  `<SPEC-OBJECT IDENTIFIER="${id}"><TYPE><SPEC-OBJECT-TYPE-REF>t</SPEC-OBJECT-TYPE-REF></TYPE><VALUES><ATTRIBUTE-VALUE-STRING THE-VALUE="${text}"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING></VALUES></SPEC-OBJECT>`;
const specChild = (id: string, at: number, inside = ''): string =>
  `<SPEC-HIERARCHY IDENTIFIER="h${at}"><OBJECT><SPEC-OBJECT-REF>${id}</SPEC-OBJECT-REF></OBJECT>${inside ? `<CHILDREN>${inside}</CHILDREN>` : ''}</SPEC-HIERARCHY>`;

const PDF_FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const pdfPage = (content: number, parent = 2, more = ''): string =>
  `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> ${more}>> /Contents ${content} 0 R >>`;
const pdfPages = (count: number, content: Buffer | string, more = ''): Buffer =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, at) => `${5 + at} 0 R`).join(' ')}] >>`,
    PDF_FONT,
    Buffer.isBuffer(content) ? pdfStream(content, '/Filter /FlateDecode ') : pdfStream(Buffer.from(content)),
    ...Array.from({ length: count }, () => pdfPage(4, 2, more)),
  ]);
const pdfLine = (text: string, x: number, y: number): string =>
  `BT /F1 9 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET\n`;

/** Every attack on every format. Sizes are chosen so that the largest go past a limit or come near to it. */
const ATTACKS: readonly Attack[] = [
  // Word
  {
    extension: 'docx',
    name: 'spans',
    make: (a, random) =>
      docx(
        wordTable(
          `<w:tr>${times(1 + 1200 * a, (at) => wordCell(`c${at}`, `<w:gridSpan w:val="${pick(random, SPANS)}"/>`))}</w:tr>`,
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'a billion columns each',
    make: (a) =>
      docx(
        wordTable(
          times(
            1 + 40 * a,
            () =>
              `<w:tr>${times(1000 * a, (at) => wordCell(`c${at}`, '<w:gridSpan w:val="999999999"/>'))}</w:tr>`,
          ),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'heads with spans',
    make: (a) =>
      docx(
        wordTable(
          times(
            2000 * a,
            () =>
              `<w:tr><w:trPr><w:tblHeader/></w:trPr>${wordCell('Requirement', '<w:gridSpan w:val="1000"/>')}</w:tr>`,
          ) + times(300 * a, (at) => `<w:tr>${wordCell(ids(at))}${wordCell(sentence(at))}</w:tr>`),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'rows',
    make: (a) =>
      docx(
        wordTable(
          WORD_HEAD +
            times(
              20_000 * a,
              (at) => `<w:tr>${wordCell(ids(at))}${wordCell(sentence(at))}${wordCell('open')}</w:tr>`,
            ),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'nested tables',
    make: (a) => docx(nested('<w:tbl><w:tr><w:tc>', wordText('deep'), '</w:tc></w:tr></w:tbl>', 2000 * a)),
  },
  {
    extension: 'docx',
    name: 'merged rows',
    make: (a) =>
      docx(
        wordTable(
          WORD_HEAD +
            times(
              8000 * a,
              (at) =>
                `<w:tr>${wordCell(sentence(at), at % 3 ? '<w:vMerge/>' : '<w:vMerge w:val="restart"/>')}${wordCell('b', '<w:vMerge/>')}</w:tr>`,
            ),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'a huge paragraph',
    make: (a) => docx(wordText('The door shall open. '.repeat(1 + 800_000 * a))),
  },
  {
    extension: 'docx',
    name: 'headings',
    make: (a) =>
      docx(
        times(20_000 * a, (at) =>
          wordText(`${at}.1 Safety requirements`, `<w:outlineLvl w:val="${at % 9}"/>`),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'deep lists',
    make: (a) =>
      docx(
        times(20_000 * a, (at) =>
          wordText(
            sentence(at),
            `<w:numPr><w:ilvl w:val="${at * 1_000_003}"/><w:numId w:val="1"/></w:numPr>`,
          ),
        ),
      ),
  },
  {
    extension: 'docx',
    name: 'empty columns before',
    make: (a) =>
      docx(
        wordTable(
          times(
            400 * a,
            (at) =>
              `<w:tr><w:trPr><w:gridBefore w:val="${10 ** (at % 30)}"/></w:trPr>${wordCell(sentence(at))}</w:tr>`,
          ),
        ),
      ),
  },
  // Excel
  {
    extension: 'xlsx',
    name: 'sheets',
    make: (a) =>
      xlsxListing(
        1 + Math.round(100_000 * a),
        `<sheetData><row r="1">${sheetCell('A1', 'ID')}${sheetCell('B1', 'Text')}</row></sheetData>`,
      ),
  },
  {
    extension: 'xlsx',
    name: 'sheets of their own',
    make: (a) =>
      xlsx(
        Array.from(
          { length: 1 + Math.round(3000 * a) },
          (_, at) =>
            `<sheetData><row r="1">${sheetCell('A1', ids(at))}${sheetCell('B1', sentence(at))}</row></sheetData>`,
        ),
      ),
  },
  {
    extension: 'xlsx',
    name: 'merges',
    make: (a) =>
      xlsx([
        `<sheetData>${times(2000 * a, (at) => `<row r="${at + 1}">${sheetCell(`A${at + 1}`, ids(at))}${sheetCell(`B${at + 1}`, sentence(at))}</row>`)}</sheetData><mergeCells>${times(20_000 * a, (at) => `<mergeCell ref="A${(at % 2000) + 1}:XFD1048576"/>`)}</mergeCells>`,
      ]),
  },
  {
    extension: 'xlsx',
    name: 'far cells',
    make: (a) =>
      xlsx([
        `<sheetData>${times(3000 * a, (at) => `<row r="${1 + at * 349}">${sheetCell(`A${1 + at * 349}`, 'x')}${sheetCell(`XFD${1 + at * 349}`, sentence(at))}</row>`)}</sheetData>`,
      ]),
  },
  {
    extension: 'xlsx',
    name: 'rows',
    make: (a) =>
      xlsx([
        `<sheetData>${times(150_000 * a, (at) => `<row>${sheetCell('', ids(at))}${sheetCell('', 'a')}</row>`)}</sheetData>`,
      ]),
  },
  {
    extension: 'xlsx',
    name: 'one long string many times',
    make: (a) =>
      xlsx(
        [
          `<sheetData>${times(3000 * a, (at) => `<row r="${at + 1}"><c t="s"><v>0</v></c></row>`)}</sheetData>`,
        ],
        [
          {
            path: 'sharedStrings.xml',
            type: 'sharedStrings',
            content: `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>${'The door shall open. '.repeat(1 + 10_000 * a)}</t></si></sst>`,
          },
        ],
      ),
  },
  {
    extension: 'xlsx',
    name: 'rows out of order and numbers that are none',
    make: (a, random) =>
      xlsx([
        `<sheetData>${times(2000 * a, (at) => `<row r="${pick(random, ['-1', '1e300', 'x', String(at)])}">${sheetCell(pick(random, ['ZZZ9999999', 'A0', '', 'XFD1']), sentence(at))}</row>`)}</sheetData>`,
      ]),
  },
  // PowerPoint
  {
    extension: 'pptx',
    name: 'slides',
    make: (a) => pptx(Array.from({ length: 1 + Math.round(6000 * a) }, (_, at) => slideText(sentence(at)))),
  },
  {
    extension: 'pptx',
    name: 'spans',
    make: (a, random) =>
      pptx([
        `<p:graphicFrame><a:tbl>${times(200 * a, () => `<a:tr>${times(900 * a, (at) => slideCell(`c${at}`, pick(random, SPANS)))}</a:tr>`)}</a:tbl></p:graphicFrame>`,
      ]),
  },
  {
    extension: 'pptx',
    name: 'nested groups',
    make: (a) => pptx([nested('<p:grpSp>', slideText('deep'), '</p:grpSp>', 5000 * a)]),
  },
  {
    extension: 'pptx',
    name: 'a huge text',
    make: (a) => pptx([slideText('The door shall open. '.repeat(1 + 500_000 * a))]),
  },
  {
    extension: 'pptx',
    name: 'bullets',
    make: (a) =>
      pptx([
        `<p:sp><p:nvPr><p:ph type="body"/></p:nvPr><p:txBody>${times(20_000 * a, (at) => `<a:p><a:pPr lvl="${at}"/><a:r><a:t>${sentence(at)}</a:t></a:r></a:p>`)}</p:txBody></p:sp>`,
      ]),
  },
  // OpenDocument
  {
    extension: 'odt',
    name: 'spans',
    make: (a, random) =>
      openDocument(
        'text',
        odTable(
          times(300 * a, () =>
            odRow(
              times(900 * a, (at) =>
                odCell(`c${at}`, `table:number-columns-spanned="${pick(random, SPANS)}"`),
              ),
            ),
          ),
        ),
      ),
  },
  {
    extension: 'odt',
    name: 'nested lists',
    make: (a) =>
      openDocument(
        'text',
        nested(
          '<text:list><text:list-item>',
          '<text:p>deep</text:p>',
          '</text:list-item></text:list>',
          3000 * a,
        ),
      ),
  },
  {
    extension: 'odt',
    name: 'headings',
    make: (a) =>
      openDocument(
        'text',
        times(
          20_000 * a,
          (at) =>
            `<text:h text:outline-level="${pick(() => (at % 7) / 7, ['1', '2', '999999', '-1', 'x', '3', '10'])}">Safety requirements ${at}</text:h><text:p>${sentence(at)}</text:p>`,
        ),
      ),
  },
  {
    extension: 'odt',
    name: 'spaces',
    make: (a) =>
      openDocument(
        'text',
        `<text:p>a<text:s text:c="${Math.round(999_999_999 * a)}"/>b</text:p>${times(2000 * a, (at) => `<text:p>${sentence(at)}</text:p>`)}`,
      ),
  },
  {
    extension: 'ods',
    name: 'repeated cells',
    make: (a, random) =>
      openDocument(
        'spreadsheet',
        odTable(
          times(1 + 20 * a, (at) =>
            odRow(odCell(sentence(at), `table:number-columns-repeated="${pick(random, SPANS)}"`)),
          ),
        ),
      ),
  },
  {
    extension: 'ods',
    name: 'repeated rows',
    make: (a, random) =>
      openDocument(
        'spreadsheet',
        odTable(
          times(1 + 20 * a, (at) =>
            odRow(odCell(ids(at)) + odCell('text'), `table:number-rows-repeated="${pick(random, SPANS)}"`),
          ),
        ),
      ),
  },
  {
    extension: 'ods',
    name: 'sheets',
    make: (a) =>
      openDocument(
        'spreadsheet',
        times(
          100_000 * a,
          (at) =>
            `<table:table table:name="S${at}"><table:table-row>${odCell('a')}</table:table-row></table:table>`,
        ),
      ),
  },
  // HTML
  {
    extension: 'html',
    name: 'spans',
    make: (a, random) =>
      `<!doctype html><table>${times(1500 * a, () => `<tr>${times(60 * a, (at) => `<td colspan=${pick(random, SPANS)} rowspan=${pick(random, SPANS)}>c${at}`)}`)}</table>`,
  },
  {
    extension: 'html',
    name: 'tall and wide cells',
    make: (a) =>
      `<!doctype html><table>${times(60_000 * a, () => '<tr><td colspan=1000 rowspan=65534>a<td>b')}</table>`,
  },
  {
    extension: 'html',
    name: 'nested tables',
    make: (a) => `<!doctype html>${nested('<table><tr><td>', 'deep', '</table>', 50_000 * a)}`,
  },
  {
    extension: 'html',
    name: 'nested boxes',
    make: (a) => `<!doctype html>${nested('<div><ul><li>', '<p>deep', '</li></ul></div>', 50_000 * a)}`,
  },
  {
    extension: 'html',
    name: 'links',
    make: (a) => `<!doctype html><p>${times(50_000 * a, (at) => `<a href="#${ids(at)}">${ids(at)}</a> `)}`,
  },
  {
    extension: 'html',
    name: 'headings',
    make: (a) =>
      `<!doctype html>${times(30_000 * a, (at) => `<h${(at % 6) + 1}>Safety requirements ${at}</h${(at % 6) + 1}><p>${sentence(at)}`)}`,
  },
  {
    extension: 'html',
    name: 'attributes and entities',
    make: (a) =>
      `<!doctype html><p ${times(100_000 * a, (at) => `a${at}=1 `)}>${'&amp;&#x41;&hellip;'.repeat(1 + 100_000 * a)}`,
  },
  {
    extension: 'html',
    name: 'a huge cell',
    make: (a) =>
      `<!doctype html><table><tr><td>ID<td>Text<tr><td>R1<td>${'The door shall open. '.repeat(1 + 500_000 * a)}</table>`,
  },
  // Markdown
  {
    extension: 'md',
    name: 'nested lists',
    make: (a) => times(1500 * a, (at) => `${' '.repeat(2 * at)}- ${ids(at)} shall open\n`),
  },
  {
    extension: 'md',
    name: 'nested quotes',
    make: (a) => `${'>'.repeat(1 + 20_000 * a)} The door shall open.\n`,
  },
  {
    extension: 'md',
    name: 'a wide table',
    make: (a) => {
      const row = `|${'a|'.repeat(1 + 1500 * a)}\n`;
      return `# T\n\n${row}|${'-|'.repeat(1 + 1500 * a)}\n${row.repeat(1 + 100 * a)}`;
    },
  },
  {
    extension: 'md',
    name: 'headings',
    make: (a) =>
      times(
        40_000 * a,
        (at) => `${'#'.repeat((at % 6) + 1)} ${ids(at)} Safety requirements\n\n${sentence(at)}\n\n`,
      ),
  },
  {
    extension: 'md',
    name: 'links',
    make: (a) => `# Links\n\n${times(50_000 * a, (at) => `[${ids(at)}](#${ids(at * 3)}) `)}\n`,
  },
  {
    extension: 'md',
    name: 'one id',
    make: (a) =>
      `# Requirements\n\n${times(15_000 * a, (at) => `REQ-1: The door shall open within ${at} ms, derived from SG-1 and REQ-1.\n\n`)}`,
  },
  {
    extension: 'md',
    name: 'everything links to everything',
    make: (a) =>
      `| ID | Requirement | Traces to |\n|---|---|---|\n${times(250 * a, (at) => `| REQ-${at} | The door shall open | ${times(250 * a, (to) => `REQ-${to}, `)} |\n`)}`,
  },
  {
    extension: 'md',
    name: 'a circle of links',
    make: (a) =>
      `| ID | Requirement | Derived from |\n|---|---|---|\n${times(20_000 * a, (at) => `| REQ-${at} | The door shall open | REQ-${at + 1} |\n`)}| REQ-${Math.max(1, Math.round(20_000 * a))} | The door shall open | REQ-0 |\n`,
  },
  {
    extension: 'md',
    name: 'emphasis',
    make: (a) => `# E\n\n${'*a **b `c '.repeat(1 + 40_000 * a)}\n\n${'[![](('.repeat(1 + 20_000 * a)}\n`,
  },
  {
    extension: 'md',
    name: 'placeholders',
    make: (a) =>
      `# Plan\n\n${times(10_000 * a, (at) => `## ${at} Purpose\n\nTBD [to be defined] <...> ${ids(at)}\n\n`)}`,
  },
  // Separated values
  { extension: 'csv', name: 'rows', make: (a) => `ID,Requirement\n${'R1,x\n'.repeat(1 + 3_000_000 * a)}` },
  { extension: 'csv', name: 'short rows', make: (a) => 'a\n'.repeat(2 + 3_000_000 * a) },
  { extension: 'csv', name: 'columns', make: (a) => `${times(3000 * a, (at) => `c${at},`)}\n`.repeat(20) },
  {
    extension: 'csv',
    name: 'an open quote',
    make: (a) => `ID,Text\nR1,"${'x,y\n'.repeat(1 + 1_000_000 * a)}`,
  },
  {
    extension: 'csv',
    name: 'a huge cell',
    make: (a) => `ID,Text\nR1,"${'The door shall open. '.repeat(1 + 500_000 * a)}"\n`,
  },
  // Data
  { extension: 'json', name: 'nesting', make: (a) => nested('[', '1', ']', 50_000 * a) },
  {
    extension: 'json',
    name: 'keys',
    make: (a) => `{${times(200_000 * a, (at) => `"k${at}":${at},`)}"end":1}`,
  },
  {
    extension: 'json',
    name: 'records',
    make: (a) =>
      `[${times(20_000 * a, (at) => `{"id":"${ids(at)}","text":"${sentence(at)}","links":["${ids(at + 1)}"]},`)}{"id":"last"}]`,
  },
  {
    extension: 'json',
    name: 'a long string',
    make: (a) => JSON.stringify({ id: 'R1', text: 'The door shall open. '.repeat(1 + 700_000 * a) }),
  },
  {
    extension: 'yaml',
    name: 'aliases',
    make: (a) => `a0: &a0 [x, x]\n${times(60 * a, (at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`)}`,
  },
  { extension: 'yaml', name: 'nesting', make: (a) => times(3000 * a, (at) => `${' '.repeat(at)}k:\n`) },
  {
    extension: 'yaml',
    name: 'records',
    make: (a) =>
      times(15_000 * a, (at) => `- id: ${ids(at)}\n  text: "${sentence(at)}"\n  links: [${ids(at + 1)}]\n`),
  },
  {
    extension: 'reqif',
    name: 'objects',
    make: (a) =>
      reqif(
        times(8000 * a, (at) => specObject(`o${at}`, sentence(at))),
        times(8000 * a, (at) => specChild(`o${at}`, at)),
      ),
  },
  {
    extension: 'reqif',
    name: 'one id',
    make: (a) =>
      reqif(
        times(8000 * a, (at) => specObject('same', sentence(at))),
        times(8000 * a, (at) => specChild('same', at)),
      ),
  },
  {
    extension: 'reqif',
    name: 'depth',
    make: (a) =>
      reqif(
        specObject('o', 'deep'),
        nested(
          '<SPEC-HIERARCHY IDENTIFIER="h"><OBJECT><SPEC-OBJECT-REF>o</SPEC-OBJECT-REF></OBJECT><CHILDREN>',
          '',
          '</CHILDREN></SPEC-HIERARCHY>',
          5000 * a,
        ),
      ),
  },
  {
    extension: 'reqif',
    name: 'relations',
    make: (a) =>
      reqif(
        times(200, (at) => specObject(`o${at}`, sentence(at))),
        times(200, (at) => specChild(`o${at}`, at)),
        times(
          20_000 * a,
          (at) =>
            `<SPEC-RELATION IDENTIFIER="r${at}"><SOURCE><SPEC-OBJECT-REF>o${at % 200}</SPEC-OBJECT-REF></SOURCE><TARGET><SPEC-OBJECT-REF>o${(at * 7) % 300}</SPEC-OBJECT-REF></TARGET></SPEC-RELATION>`,
        ),
      ),
  },
  {
    extension: 'xml',
    name: 'suites',
    make: (a) =>
      `<testsuites>${nested('<testsuite name="s">', '<testcase name="t"/>', '</testsuite>', 2000 * a)}</testsuites>`,
  },
  {
    extension: 'xml',
    name: 'cases',
    make: (a) =>
      `<testsuite name="s">${times(20_000 * a, (at) => `<testcase name="TC-${at} verifies ${ids(at)}" classname="c"><failure message="m">${sentence(at)}</failure></testcase>`)}</testsuite>`,
  },
  {
    extension: 'xml',
    name: 'long messages',
    make: (a) =>
      `<testsuite name="s"><testcase name="t"><failure>${'The door shall open. '.repeat(1 + 500_000 * a)}</failure></testcase></testsuite>`,
  },
  // PDF
  {
    extension: 'pdf',
    name: 'pages',
    make: (a) => pdfPages(1 + Math.round(6000 * a), pdfLine('The door shall not open.', 72, 700)),
  },
  {
    extension: 'pdf',
    name: 'text in one stream',
    make: (a) =>
      pdfPages(
        1,
        times(60_000 * a, (at) => pdfLine(`R${at}`, (at * 37) % 550, (at * 53) % 800)),
      ),
  },
  {
    extension: 'pdf',
    name: 'a stream that unpacks',
    make: (a) => pdfPages(1, deflateSync(Buffer.alloc(1 + Math.round(300_000_000 * a), ' '))),
  },
  {
    extension: 'pdf',
    name: 'lines like tables',
    make: (a) =>
      pdfPages(
        1,
        `${times(12_000 * a, (at) => `${(at * 7) % 595} 0 m ${(at * 7) % 595} 842 l S 0 ${(at * 11) % 842} m 595 ${(at * 11) % 842} l S\n`)}${times(300, (at) => pdfLine(`c${at}`, (at % 20) * 28, 800 - Math.floor(at / 20) * 50))}`,
      ),
  },
  {
    extension: 'pdf',
    name: 'pages in circles',
    make: (a) =>
      pdf([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count ${Math.round(1 + 1_000_000 * a)} /Kids [2 0 R 4 0 R] >>`,
        PDF_FONT,
        pdfPage(5),
        pdfStream(Buffer.from(pdfLine('The door shall open.', 72, 700))),
      ]),
  },
  {
    extension: 'pdf',
    name: 'forms in forms',
    make: (a) => pdfPages(1, '/X Do', '/XObject << /X 4 0 R >> ').subarray(0, Math.round(2000 + 1e9 * a)),
  },
  {
    extension: 'pdf',
    name: 'overprinted text',
    make: (a) => pdfPages(1, pdfLine('The door shall open.', 72, 700).repeat(1 + 30_000 * a)),
  },
  // Archives
  {
    extension: 'zip',
    name: 'entries',
    make: (a) =>
      zip(
        Object.fromEntries(
          Array.from({ length: 1 + Math.round(3000 * a) }, (_, at) => [`d/${at}.txt`, Buffer.from('')]),
        ),
      ),
  },
  {
    extension: 'zip',
    name: 'archives in archives',
    make: (a) =>
      Array.from({ length: 1 + Math.round(8 * a) }).reduce<Buffer>(
        (inner, _, at) => zip({ [`${at}.zip`]: inner }),
        zip({ 'a.md': Buffer.from('# Plan\n\nThe door shall open.\n') }),
      ),
  },
  {
    extension: 'zip',
    name: 'paths that lead out',
    make: (a) =>
      zip({
        '../../etc/passwd.md': Buffer.from('# A\n\ntext\n'),
        [`${'a/'.repeat(1 + 300 * a)}b.md`]: Buffer.from('# B\n\ntext\n'),
        'C:\\x.md': Buffer.from('# C\n\ntext\n'),
      }),
  },
  {
    extension: 'zip',
    name: 'a bomb among documents',
    make: (a) =>
      zip({
        'a.md': Buffer.from('# A\n\nThe door shall open.\n'),
        'bomb.txt': Buffer.alloc(1 + Math.round(230_000_000 * a), 'a'),
      }),
  },
  // Others
  {
    extension: 'rst',
    name: 'directives',
    make: (a) =>
      times(
        8000 * a,
        (at) =>
          `.. req:: Door ${at}\n   :id: ${ids(at)}\n   :links: ${ids(at + 1)}\n\n   ${sentence(at)}\n\n`,
      ),
  },
  { extension: 'txt', name: 'one long line', make: (a) => 'The door shall open '.repeat(1 + 700_000 * a) },
  {
    extension: 'txt',
    name: 'control characters',
    make: (a, random) =>
      `Plan\n\n${times(20_000 * a, () => String.fromCharCode(32 + Math.floor(random() * 0xd000)))}\u0000\u202e`,
  },
];

const TYPES: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  html: 'text/html',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  yaml: 'application/yaml',
  reqif: 'application/xml',
  xml: 'application/xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  rst: 'text/x-rst',
  txt: 'text/plain',
};

/**
 * So many hostile files, the same for the same seed. Each attack comes once before one comes twice; of an attack the first
 * is as large as it gets (a quarter where not all attacks come), later ones are of any size, and some are cut off or have
 * bytes changed.
 */
export function* hostileVariants(count: number, seed: number): Generator<HostileVariant> {
  const random = randomOf(seed);
  const [worst, others] = [ATTACKS.filter(isWorst), ATTACKS.filter((one) => !isWorst(one))];
  const order = [...worst, ...shuffled(others, random)];
  const largest = count < ATTACKS.length ? 0.25 : 1;
  for (let at = 0; at < count; at++) {
    const attack = order[at % order.length]!;
    const isFirst = at < order.length;
    const amount = isWorst(attack) && isFirst ? 1 : isFirst ? largest : random() ** 2;
    const whole = Buffer.from(attack.make(amount, random) as string);
    const bytes = isFirst || random() < 0.8 ? whole : damaged(whole, random);
    yield {
      attack: `${attack.extension}: ${attack.name} × ${amount.toFixed(3)}${bytes === whole ? '' : ', damaged'}`,
      file: {
        name: `${at}.${attack.extension}`,
        type: TYPES[attack.extension]!,
        bytes: new Uint8Array(bytes),
      },
    };
  }
}

/** What once took the service with it comes in every run. */
const isWorst = ({ name }: Attack): boolean => name === 'a billion columns each';

function damaged(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.3) return bytes.subarray(0, Math.max(1, Math.floor(bytes.length * random())));
  const copy = Buffer.from(bytes);
  for (let change = 0; change < 1 + random() * 20; change++) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  }
  return copy;
}

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  const left = [...values];
  return values.map(() => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

/** Mulberry32: 32 bits of state are enough for choosing. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
