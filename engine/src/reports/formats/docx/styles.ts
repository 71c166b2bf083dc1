import type { ReportLanguage } from '../../report.js';
import { XML } from './package.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** Styles by the names that Word knows, so that a template of the house can be laid over them. */
export function stylesPart(language: ReportLanguage): string {
  const tag = language === 'de' ? 'de-DE' : 'en-GB';
  const heading = (level: number, size: number, before: number, page: boolean): string =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/><w:pPr><w:keepNext/><w:keepLines/>${page ? '<w:pageBreakBefore/>' : ''}<w:spacing w:before="${before}" w:after="100"/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`;
  const paragraph = (id: string, name: string, pPr: string, rPr = ''): string =>
    `<w:style w:type="paragraph" w:customStyle="${/^(?:Title|Caption|Quote|TOC|Header|Footer)/.test(id) ? 0 : 1}" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>${pPr}</w:pPr><w:rPr>${rPr}</w:rPr></w:style>`;
  return `${XML}<w:styles ${W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:eastAsia="Calibri" w:cs="Calibri"/><w:color w:val="1D2733"/><w:sz w:val="20"/><w:szCs w:val="20"/><w:lang w:val="${tag}" w:eastAsia="${tag}" w:bidi="ar-SA"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="100" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>
<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>
<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:top w:w="0" w:type="dxa"/><w:left w:w="108" w:type="dxa"/><w:bottom w:w="0" w:type="dxa"/><w:right w:w="108" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>
<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((side) => `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="C3CAD3"/>`).join('')}</w:tblBorders></w:tblPr></w:style>
<w:style w:type="table" w:customStyle="1" w:styleId="Bars"><w:name w:val="Bars"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="24" w:space="0" w:color="FFFFFF"/><w:bottom w:val="single" w:sz="24" w:space="0" w:color="FFFFFF"/><w:insideH w:val="single" w:sz="36" w:space="0" w:color="FFFFFF"/><w:insideV w:val="single" w:sz="4" w:space="0" w:color="FFFFFF"/></w:tblBorders></w:tblPr></w:style>
${paragraph('Title', 'Title', '<w:spacing w:before="2600" w:after="80"/>', '<w:b/><w:bCs/><w:sz w:val="52"/><w:szCs w:val="52"/>')}
${paragraph('Lead', 'Lead', '<w:spacing w:after="500"/>', '<w:color w:val="43505D"/><w:sz w:val="24"/>')}
${paragraph('Notice', 'Notice', `<w:pBdr>${['top', 'left', 'bottom', 'right'].map((side) => `<w:${side} w:val="single" w:sz="6" w:space="6" w:color="43505D"/>`).join('')}</w:pBdr><w:spacing w:before="400"/>`, '<w:b/><w:bCs/>')}
${heading(1, 34, 0, true)}${heading(2, 26, 280, false)}${heading(3, 21, 240, false)}
${paragraph('ContentsHeading', 'Contents Heading', '<w:keepNext/><w:pageBreakBefore/>', '<w:b/><w:bCs/><w:sz w:val="34"/>')}
${paragraph('TOC1', 'toc 1', '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9638"/></w:tabs><w:spacing w:before="80" w:after="20"/>', '<w:b/>')}
${paragraph('TOC2', 'toc 2', '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9638"/></w:tabs><w:spacing w:after="0"/><w:ind w:left="284"/>')}
${paragraph('Caption', 'caption', '<w:keepNext/><w:spacing w:before="160" w:after="60"/>', '<w:b/><w:bCs/><w:sz w:val="19"/>')}
${paragraph('Cell', 'Cell', '<w:spacing w:before="30" w:after="30" w:line="240" w:lineRule="auto"/>', '<w:sz w:val="17"/><w:szCs w:val="17"/>')}
${paragraph('Fact', 'Fact', '<w:spacing w:before="10" w:after="10" w:line="247" w:lineRule="auto"/>')}
${paragraph('Marks', 'Marks', '<w:keepNext/><w:spacing w:after="60"/>', '<w:sz w:val="17"/><w:szCs w:val="17"/>')}
${paragraph('Quote', 'Quote', '<w:keepNext/><w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="9AA5B1"/></w:pBdr><w:spacing w:before="80" w:after="0"/><w:ind w:left="227"/>', '<w:sz w:val="19"/><w:szCs w:val="19"/>')}
${paragraph('QuoteSource', 'Quote Source', '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="9AA5B1"/></w:pBdr><w:spacing w:after="120"/><w:ind w:left="227"/>', '<w:color w:val="43505D"/><w:sz w:val="17"/><w:szCs w:val="17"/>')}
${paragraph('Header', 'header', '', '<w:color w:val="43505D"/><w:sz w:val="15"/>')}
${paragraph('Footer', 'footer', '<w:pBdr><w:top w:val="single" w:sz="4" w:space="4" w:color="9AA5B1"/></w:pBdr><w:tabs><w:tab w:val="right" w:pos="9638"/></w:tabs>', '<w:color w:val="43505D"/><w:sz w:val="15"/>')}
</w:styles>`;
}
