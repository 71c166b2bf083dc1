import { runningLine } from '../../layout/frame.js';
import { headingsOf, writeReport } from '../../layout/write-report.js';
import type { Report } from '../../report.js';
import type { ReportWords } from '../../report-words.js';
import { type ToldOfWriting, watched } from '../../watched.js';
import { escapeXml } from '../escape.js';
import { contents, toWord } from './body.js';
import { coreProperties, packParts, XML } from './package.js';
import { stylesPart } from './styles.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

/** A Word document, written as it is made: real headings, tables with heads, contents and page numbers as fields. */
export function toDocx(
  report: Report,
  words: ReportWords,
  onProgress?: ToldOfWriting,
): AsyncIterable<Uint8Array> {
  const { top, bottom } = runningLine(report, words);
  return packParts([
    {
      name: '[Content_Types].xml',
      content: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${WORD}.styles+xml"/><Override PartName="/word/settings.xml" ContentType="${WORD}.settings+xml"/><Override PartName="/word/header1.xml" ContentType="${WORD}.header+xml"/><Override PartName="/word/footer1.xml" ContentType="${WORD}.footer+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    },
    { name: 'docProps/core.xml', content: coreProperties(report) },
    {
      name: 'word/_rels/document.xml.rels',
      content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId2" Type="${OFFICE}/settings" Target="settings.xml"/><Relationship Id="rId3" Type="${OFFICE}/header" Target="header1.xml"/><Relationship Id="rId4" Type="${OFFICE}/footer" Target="footer1.xml"/></Relationships>`,
    },
    { name: 'word/styles.xml', content: stylesPart(report.language) },
    {
      name: 'word/settings.xml',
      content: `${XML}<w:settings ${W}><w:updateFields w:val="true"/><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>`,
    },
    {
      name: 'word/header1.xml',
      content: `${XML}<w:hdr ${W}><w:p><w:pPr><w:pStyle w:val="Header"/></w:pPr>${plain(top)}</w:p></w:hdr>`,
    },
    {
      name: 'word/footer1.xml',
      content: `${XML}<w:ftr ${W}><w:p><w:pPr><w:pStyle w:val="Footer"/></w:pPr>${plain(bottom)}<w:r><w:tab/></w:r>${pageOf(words)}</w:p></w:ftr>`,
    },
    { name: 'word/document.xml', content: body(report, words, onProgress) },
  ]);
}

function* body(report: Report, words: ReportWords, onProgress: ToldOfWriting | undefined): Generator<string> {
  yield `${XML}<w:document ${W} ${R}><w:body>`;
  let number = 0;
  for (const block of watched(() => writeReport(report, words), onProgress)) {
    number++;
    yield block.kind === 'contents'
      ? contents(block.title, headingsOf(report, words))
      : toWord(block, number);
  }
  yield '<w:sectPr><w:headerReference w:type="default" r:id="rId3"/><w:footerReference w:type="default" r:id="rId4"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1247" w:right="1134" w:bottom="1247" w:left="1134" w:header="624" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>';
}

const plain = (text: string): string => `<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;

/** "Page 3 of 7" with the numbers as fields. */
function pageOf(words: ReportWords): string {
  const field = (name: string): string =>
    `<w:fldSimple w:instr="${name}"><w:r><w:t>1</w:t></w:r></w:fldSimple>`;
  return words
    .text('page')
    .split(/(\{pages?\})/)
    .map((part) => (part === '{page}' ? field('PAGE') : part === '{pages}' ? field('NUMPAGES') : plain(part)))
    .join('');
}
