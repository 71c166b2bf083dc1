import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import type { HiddenReason } from '../../documents/hidden-ranges.js';
import { visibleDocument } from '../../documents/hidden-text.js';
import { extractArtifacts } from '../../facts/artifacts/extract-artifacts.js';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { checkCompleteness } from '../completeness/run.js';
import { analyseGaps } from './run.js';

const LINES = [
  '# Functional safety concept',
  'Status: Released',
  '## Functional safety requirements',
  '| ID | Functional safety requirement | ASIL | FTTI | Safe state | Derived from |',
  '| FSR-01 | The function shall be switched off within the FTTI. | C | 50 ms | Function off | SG-01 |',
  '| FSR-02 | The driver shall be warned when the function is switched off. | C | 50 ms | Function off | SG-01 |',
];

/** The same document with the blocks that hold some words marked as hidden. */
function hiding(document: AnalysedDocument, words: string, reason: HiddenReason): AnalysedDocument {
  const blocks = document.document.blocks.map((block) =>
    block.text.includes(words)
      ? { ...block, hidden: [{ start: block.start, end: block.end, reason }] }
      : block,
  );
  return { ...document, document: { ...document.document, blocks } };
}

describe('text that a reader does not see', () => {
  it('covers nothing: what only it shows needs a person', async () => {
    const standard = await loadStandard('iso-26262-3-2018');
    const visible = analysedDocument('FSC.md', LINES);
    const hidden = hiding(visible, 'FSR-0', 'hidden-row');
    const [seen, unseen] = await Promise.all(
      [visible, hidden].map((document) => analyseGaps({ standard, documents: [document] })),
    );
    const covered = seen!.verdicts
      .filter(({ verdict }) => verdict === 'covered')
      .map((one) => one.criterionId);
    expect(covered.length).toBeGreaterThan(0);
    const after = unseen!.verdicts.filter((one) => one.rules.includes('hidden-text-only'));
    expect(after.length).toBeGreaterThan(0);
    for (const one of after) expect(one.verdict).toBe('needs_review');
    const support = unseen!.verdicts.flatMap((one) => one.evidence).filter((one) => one.role !== 'context');
    expect(
      support.filter((one) => one.quote.includes('FSR-0') || one.quote.includes('switched off')),
    ).toEqual([]);
  });

  it('changes nothing else: the rest is judged as if it were not there', async () => {
    const document = hiding(analysedDocument('FSC.md', LINES), 'Released', 'same-colour');
    const [withHidden, without] = await Promise.all(
      [
        document,
        analysedDocument(
          'FSC.md',
          LINES.filter((line) => !line.includes('Released')),
        ),
      ].map((one) => checkCompleteness({ documents: [one] })),
    );
    expect(withHidden!.documents[0]!.metadata.map((field) => field.state)).toEqual(
      without!.documents[0]!.metadata.map((field) => field.state),
    );
    expect(withHidden!.score).toEqual(without!.score);
  });

  it('keeps artifacts and tells them, and counts no link of theirs', () => {
    const { id, document } = hiding(analysedDocument('FSC.md', LINES), 'FSR-02', 'hidden-row');
    const extraction = extractArtifacts([{ id, document }]);
    expect(extraction.artifacts.map((artifact) => artifact.id)).toEqual(['FSR-01', 'FSR-02']);
    expect(extraction.links.map((link) => link.sourceId)).toEqual(['FSR-01']);
    expect(extraction.noteCounts).toMatchObject({ hidden_artifact: 1, hidden_link: 1 });
  });

  it('is blank between visible words, and ranges stay those of the document', () => {
    const { document } = analysedDocument('a.md', ['Seen words lost words seen again.']);
    const [block] = document.blocks;
    const range = { start: 11, end: 21, reason: 'same-colour' as const };
    const view = visibleDocument({ ...document, blocks: [{ ...block!, hidden: [range] }] });
    expect(view.text).toBe(`Seen words ${' '.repeat(10)} seen again.`);
    expect(view.blocks[0]!.text).toBe(view.text);
  });
});
