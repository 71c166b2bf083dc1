import { describe, expect, it } from 'vitest';
import { loadStandard } from '../../standards/load-standard.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { analyseGaps } from './run.js';

const verdictsOn = async (standard: string, name: string, lines: readonly string[]) => {
  const documents = [analysedDocument(name, lines)];
  const { verdicts } = await analyseGaps({ standard: await loadStandard(standard), documents });
  return (id: string) => verdicts.find((one) => one.criterionId.endsWith(`:${id}`))?.verdict;
};

const REQUIREMENTS = [
  '# Software-Anforderungsspezifikation Heckklappe',
  '## Funktionale Anforderungen',
  '| ID | Anforderung | Priorität | Status | ASIL | Abgeleitet von | Verifikationsmethode |',
  '| SWA-1 | Die Software muss die Klappe bei Hindernis stoppen. | hoch | geprüft | B | SYA-4 | Test |',
  '| SWA-2 | Die Software muss nach 20 ms abschalten. | hoch | geprüft | B | SYA-5 | Test |',
  '## Nichtfunktionale Anforderungen',
  'Die Zykluszeit der Regelung beträgt 5 ms, und die CPU-Last darf im Mittel 70 % nicht übersteigen.',
];
const CHECKED = 'Die Konsistenz zwischen Software- und Systemanforderungen wurde im Review RV-7 bestätigt.';

describe('software requirements without a consistency check', () => {
  it('are traceable in 3.1, where consistency is a practice of its own', async () => {
    const verdict = await verdictsOn('aspice-pam-3.1', 'srs.md', REQUIREMENTS);
    expect(verdict('SWE.1.BP1')).toBe('covered');
    expect(verdict('SWE.1.BP5')).toBe('covered');
    expect(verdict('SWE.1.BP6')).toBe('covered');
    expect(verdict('SWE.1.BP7')).toBe('missing');
  });

  it('fulfil the common practice of 4.0 in part only', async () => {
    const without = await verdictsOn('aspice-pam-4.0', 'srs.md', REQUIREMENTS);
    expect(without('SWE.1.BP5')).toBe('partial');
    const section = ['## Rückverfolgbarkeit', CHECKED];
    const checked = await verdictsOn('aspice-pam-4.0', 'srs.md', [...REQUIREMENTS, ...section]);
    expect(checked('SWE.1.BP5')).toBe('covered');
  });
});

describe('a threat analysis', () => {
  const analysis = (impact: string) => [
    '# Threat analysis and risk assessment of the gateway',
    '| Asset | Property | Damage scenario | Impact | Threat scenario | Attack path | Feasibility | Risk value | Treatment |',
    `| Firmware | Integrity | DS-1 unintended braking | ${impact} | TS-1 tampering | AP-1 update server | Low | 3 | reduce |`,
    `| Keys | Confidentiality | DS-2 theft | ${impact} | TS-2 extraction | AP-2 debug port | Low | 2 | reduce |`,
  ];

  it('covers what its table holds', async () => {
    const verdict = await verdictsOn('iso-sae-21434-2021', 'tara.md', analysis('severe'));
    for (const id of ['WP-15-01-1', 'WP-15-02-2', 'WP-15-05-1', 'WP-15-07-1', 'WP-15-08-1']) {
      expect(verdict(`${id}`), id).toBe('covered');
    }
  });

  it('leaves open what its table does not say', async () => {
    const verdict = await verdictsOn('iso-sae-21434-2021', 'tara.md', analysis('severe'));
    expect(verdict('WP-15-04-1')).toBe('partial');
    expect(verdict('WP-15-06-1')).toBe('missing');
    expect(verdict('WP-15-07-2')).toBe('missing');
    expect(verdict('WP-15-08-2')).toBe('missing');
  });
});
