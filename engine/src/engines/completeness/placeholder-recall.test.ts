import { describe, expect, it } from 'vitest';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from './run.js';
import { OPEN_CONTENT, TRAPS } from './testing/labelled-placeholders.js';

/** Open content that the check reports in a document of one section. */
async function foundIn(lines: readonly string[], section = 'Requirements'): Promise<readonly string[]> {
  const document = analysedDocument('notes.md', ['# Notes', `## ${section}`, ...lines]);
  const { documents } = await checkCompleteness({ documents: [document] });
  return documents[0]!.placeholders.map((entry) => entry.pattern);
}

describe('open content', () => {
  it('is found in at least 98 of 100 places', async () => {
    const missed: string[] = [];
    for (const lines of OPEN_CONTENT) if ((await foundIn(lines)).length === 0) missed.push(lines.join(' '));
    expect(missed.length / OPEN_CONTENT.length, missed.join('\n')).toBeLessThanOrEqual(0.02);
  });

  it('is not reported in more than 2 of 100 traps', async () => {
    const alarms: string[] = [];
    for (const { filter, lines, section } of TRAPS) {
      const found = await foundIn(lines, section);
      if (found.length > 0) alarms.push(`${filter}: ${lines.join(' ')} (${found.join(', ')})`);
    }
    expect(alarms.length / TRAPS.length, alarms.join('\n')).toBeLessThanOrEqual(0.02);
  });
});
