import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { type Extraction, extractArtifacts, extractArtifactsFromMarkdown } from './extract-artifacts.js';
import { dice, randomMarkdown } from './testing/random-markdown.js';

/** All but places in the text: those of the scan are places in the file. */
const withoutRanges = ({ artifacts, links, noteCounts }: Extraction) => ({
  artifacts: artifacts.map(({ start, end, asilPlace, location, ...rest }) => ({
    ...rest,
    section: location.section,
    line: location.line,
  })),
  links: links.map(({ start, end, location, ...rest }) => ({ ...rest, line: location.line })),
  noteCounts,
});

describe('scanning Markdown', () => {
  it('gives the same as reading it, or nothing, for 2 000 random documents', async () => {
    const roll = dice(20);
    let scanned = 0;
    let links = 0;
    for (let round = 0; round < 2_000; round++) {
      const text = randomMarkdown(roll, 10);
      const documentType = roll.pick([undefined, 'functional_safety_concept', 'test_report']);
      const of = { id: 'a.md', ...(documentType === undefined ? {} : { documentType }) };
      const fast = extractArtifactsFromMarkdown([{ ...of, text }]);
      if (!fast || !/[^\s#>*-]/.test(text)) continue;
      const bytes = new TextEncoder().encode(text);
      const document = await readDocument(bytes, { fileName: 'a.md' }).catch(() => undefined);
      if (!document) continue;
      scanned++;
      links += fast.links.length;
      expect(withoutRanges(fast), text).toEqual(withoutRanges(extractArtifacts([{ ...of, document }])));
      for (const { start, end, id } of fast.artifacts) {
        // Places, scoped ids and results have ids of their own.
        if (/^[\w .-]+\d$/.test(id))
          expect(text.slice(start, end).replace(/[\s_*`\\-]+/g, ' ')).toContain(id.replace(/[\s_-]+/g, ' '));
      }
    }
    expect(scanned).toBeGreaterThan(700);
    expect(links).toBeGreaterThan(500);
  }, 60_000);

  it('tells where the ends of links are', () => {
    const roll = dice(4);
    for (let round = 0; round < 300; round++) {
      const found = extractArtifactsFromMarkdown([{ id: 'a.md', text: randomMarkdown(roll, 20) }]);
      if (!found) continue;
      const { artifacts, links, ends } = found;
      const ids = new Set(artifacts.map(({ id }) => id));
      links.forEach(({ sourceId, targetId }, at) => {
        expect(artifacts[ends.sources[at]!]?.id ?? sourceId).toBe(sourceId);
        expect(artifacts[ends.targets[at]!]?.id ?? targetId).toBe(targetId);
        expect([ends.sources[at] === -1, ends.targets[at] === -1]).toEqual([
          !ids.has(sourceId),
          !ids.has(targetId),
        ]);
      });
    }
  });
});
