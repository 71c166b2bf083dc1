import { describe, expect, it } from 'vitest';
import { analyseGaps } from '../engines/gap-analysis/run.js';
import { loadStandard } from '../standards/load-standard.js';
import { analysedDocument } from '../testing/document-fixture.js';

const GOALS = [
  '# Sicherheitsziele',
  '## SZ-1 Keine Überladung',
  'Die Zellen dürfen nicht über ihre Grenzen geladen werden.',
  'ASIL: D',
  'Fehlertoleranzzeit: 500 ms',
  'Sicherer Zustand: Schütze geöffnet, Laden gesperrt',
];
const concept = (...requirements: readonly string[]) => [
  '# Funktionales Sicherheitskonzept',
  '## Funktionale Sicherheitsanforderungen',
  ...requirements,
];

const verdictsOn = async (concept: readonly string[]) => {
  const documents = [analysedDocument('03_Ziele.md', GOALS), analysedDocument('04_FSK.md', concept)];
  const result = await analyseGaps({ standard: await loadStandard('iso-26262-3-2018'), documents });
  return new Map(result.verdicts.map((one) => [one.criterionId, one]));
};

describe('fields outside of tables are evidence', () => {
  it('under their name, and behind the text of requirements', async () => {
    const found = await verdictsOn(
      concept(
        'FSA-1: Das Steuergerät muss eine Überspannung erkennen. ASIL: D. Abgeleitet von: SZ-1. Zugeordnet zu: BSG.',
        'FSA-2: Das Steuergerät muss danach die Schütze öffnen. ASIL: D. Abgeleitet von: SZ-1. Zugeordnet zu: BSG.',
      ),
    );
    expect(found.get('26262-3:7.5.1-1')?.verdict).toBe('covered');
    expect(found.get('26262-3:7.5.1-1')?.evidence.map(({ quote }) => quote)).toContain('SZ-1');
    expect(found.get('26262-3:7.5.1-3')?.evidence.map(({ quote }) => quote)).toContain(
      'Fehlertoleranzzeit: 500 ms',
    );
    expect(found.get('26262-3:7.5.1-3')?.verdict).not.toBe('missing');
  });

  it('not where most requirements lack them', async () => {
    const found = await verdictsOn(
      concept(
        'FSA-1: Das Steuergerät muss eine Überspannung erkennen. ASIL: D. Abgeleitet von: SZ-1.',
        'FSA-2: Das Steuergerät muss danach die Schütze öffnen. ASIL: D.',
        'FSA-3: Das Steuergerät muss die Temperatur messen. ASIL: D.',
      ),
    );
    expect(found.get('26262-3:7.5.1-1')?.verdict).not.toBe('covered');
  });
});
