import { expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { analyseGaps } from './run.js';

const LINES = [
  '# Hazard analysis and risk assessment',
  '# Hazardous events',
  '| ID | Hazardous event | Situation | S | E | C | ASIL | Safety goal |',
  '| HE-01 | The door opens while driving | Motorway | S3 | E4 | C3 | A | SG-01 |',
  '| HE-02 | The door closes on a hand | Car park | S2 | E3 | C2 | TBD | SG-02 |',
  '# Safety goals',
  '| ID | Safety goal | ASIL |',
  '| SG-01 | The door shall not open while driving. | D |',
];

it('tells what is wrong in two copies of a document once, with the places of both', async () => {
  const standard = await loadStandard('iso-26262-3-2018');
  const hara = analysedDocument('02_HARA.md', LINES);
  // One under another name, one of the same name in another folder.
  const documents: readonly AnalysedDocument[] = [
    hara,
    analysedDocument('HARA copy.md', LINES),
    { ...hara, id: 'elsewhere/02_HARA.md' },
  ];
  const alone = await analyseGaps({ standard, documents: [hara] });
  const { findings } = await analyseGaps({ standard, documents });
  const identities = findings.map(({ fingerprint }) => fingerprint);
  expect(new Set(identities).size).toBe(identities.length);
  const wrong = ({ title }: { readonly title: string }): boolean => /^HE-01: ASIL A stated/.test(title);
  const [one] = findings.filter(wrong);
  expect(alone.findings.filter(wrong)).toHaveLength(1);
  expect(one?.fingerprint).toBe(alone.findings.find(wrong)?.fingerprint);
  expect(new Set(one?.evidence.map(({ documentId }) => documentId))).toEqual(
    new Set(documents.map(({ id }) => id)),
  );
  verifyEvidence(one?.evidence ?? [], new Map(documents.map((each) => [each.id, each.document])));
});
