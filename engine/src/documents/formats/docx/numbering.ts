import type { OfficePackage } from '../../files/office-package.js';

/** What is needed of `numbering.xml`: the numbers themselves are computed by Word and are not text of the file. */
export interface Numbering {
  /** 0-based list level that a numbering instance ties to a paragraph style. */
  levelOfStyle(numberingId: string, styleId: string): number | undefined;
}

export async function readNumbering(file: OfficePackage, part: string | undefined): Promise<Numbering> {
  const levelsByAbstract = new Map<string, Map<string, number>>();
  const abstractByInstance = new Map<string, string>();
  if (part && file.has(part)) {
    let abstract = '';
    let level = 0;
    let instance = '';
    await file.parse(part, {
      open(name, attributes) {
        if (name === 'w:abstractNum') {
          abstract = attributes['w:abstractNumId'] ?? '';
          levelsByAbstract.set(abstract, new Map());
        }
        if (name === 'w:lvl') level = Number(attributes['w:ilvl'] ?? 0);
        if (name === 'w:pStyle') levelsByAbstract.get(abstract)?.set(attributes['w:val'] ?? '', level);
        if (name === 'w:num') instance = attributes['w:numId'] ?? '';
        if (name === 'w:abstractNumId') abstractByInstance.set(instance, attributes['w:val'] ?? '');
      },
    });
  }
  return {
    levelOfStyle: (numberingId, styleId) =>
      levelsByAbstract.get(abstractByInstance.get(numberingId) ?? '')?.get(styleId),
  };
}
