import { describe, expect, it } from 'vitest';
import { bareHeading } from '../../corpus/passages/headings.js';
import { takeApart } from '../../corpus/passages/passages-of.js';
import { matchSections } from '../../corpus/section-state.js';
import type { DocumentType } from '../../document-types/document-type.js';
import { loadDocumentTypes } from '../../document-types/load-document-types.js';
import { documentOfLines } from '../../testing/document-fixture.js';
import {
  FURTHER_OUTLINES,
  LABELLED_OUTLINES,
  LAST_OUTLINES,
  type LabelledOutline,
} from './testing/labelled-headings.js';

/** For every heading the section that the template's best match gives it. */
function matchedKeys(outline: LabelledOutline, type: DocumentType): Map<string, string> {
  const lines = outline.headings.flatMap(([heading]) => [
    `## ${heading}`,
    'The text under the heading says what there is to say about its topic in this project.',
  ]);
  const document = documentOfLines(['# K4711', ...lines]);
  const read = takeApart('d', document);
  const matches = matchSections(read, { start: 0, end: document.blocks.length }, type);
  // Of several the best comes first.
  const found = new Map<string, string>();
  for (const { section, template } of matches)
    if (!found.has(section.title)) found.set(section.title, template.key);
  return found;
}

/** Precision and recall of each section of each template, and their F1 on average. */
async function macroF1(outlines: readonly LabelledOutline[]): Promise<{ f1: number; wrong: string[] }> {
  const types = await loadDocumentTypes();
  const counts = new Map<string, { hit: number; said: number; asked: number }>();
  const of = (key: string) => {
    const known = counts.get(key) ?? { hit: 0, said: 0, asked: 0 };
    counts.set(key, known);
    return known;
  };
  const wrong: string[] = [];
  for (const outline of outlines) {
    const found = matchedKeys(outline, types.get(outline.type)!);
    for (const [heading, wanted] of outline.headings) {
      const said = found.get(heading) ?? null;
      if (wanted !== null) of(`${outline.type}.${wanted}`).asked++;
      if (said !== null) of(`${outline.type}.${said}`).said++;
      if (wanted !== null && said === wanted) of(`${outline.type}.${wanted}`).hit++;
      if (said !== wanted) wrong.push(`${outline.type}: "${heading}" is ${wanted}, not ${said}`);
    }
  }
  const scores = [...counts.values()].map(({ hit, said, asked }) => (2 * hit) / (said + asked));
  return { f1: scores.reduce((sum, score) => sum + score, 0) / scores.length, wrong };
}

describe('section matching', () => {
  it('gives a heading that joins two topics to both, also where one word could be of either', async () => {
    const types = await loadDocumentTypes();
    const lines = [
      '# K4711',
      '## 4 Operating modes and environment',
      'Operation at -40 °C to 85 °C in all modes.',
    ];
    const document = documentOfLines(lines);
    const matches = matchSections(
      takeApart('d', document),
      { start: 0, end: document.blocks.length },
      types.get('item_definition')!,
    );
    expect(matches.map(({ template }) => template.key).sort()).toEqual(['environment', 'modes']);
  });

  it('is measured on headings that the data do not name', async () => {
    const types = await loadDocumentTypes();
    for (const { type, headings } of [...LABELLED_OUTLINES, ...FURTHER_OUTLINES, ...LAST_OUTLINES]) {
      const { sections } = types.get(type)!;
      const keys = new Set(sections.map((section) => section.key));
      const names = new Set(
        sections.flatMap(({ heading, synonyms }) =>
          [heading.en, heading.de, ...synonyms].map((name) => name.toLowerCase()),
        ),
      );
      for (const [heading, key] of headings) {
        if (key !== null) expect(keys, `${type}: ${heading}`).toContain(key);
        expect(names, `${type}: ${heading}`).not.toContain(bareHeading(heading).toLowerCase());
      }
    }
  });

  it.each([
    ['en', 'the first set', LABELLED_OUTLINES, 0.9],
    ['de', 'the first set', LABELLED_OUTLINES, 0.85],
    ['en', 'further types', FURTHER_OUTLINES, 0.9],
    ['de', 'further types', FURTHER_OUTLINES, 0.85],
    ['en', 'the last types', LAST_OUTLINES, 0.9],
    ['de', 'the last types', LAST_OUTLINES, 0.85],
  ] as const)('reaches its target in %s on %s', async (language, _, outlines, least) => {
    const { f1, wrong } = await macroF1(outlines.filter((outline) => outline.language === language));
    expect(f1, `macro-F1 ${f1.toFixed(3)}\n${wrong.join('\n')}`).toBeGreaterThanOrEqual(least);
  });
});
