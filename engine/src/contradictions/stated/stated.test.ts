import { describe, expect, it } from 'vitest';
import type { AnalysedDocument } from '../../corpus/analysed-document.js';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { render } from '../../sentences/render.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions, statedRulePlaces } from './stated-findings.js';

type Lines = readonly string[];
const PARTS = ['title', 'expected', 'observed', 'why', 'action', 'done'];

const document = (name: string, lines: Lines) => analysedDocument(name, lines);

/** Names of the rules that speak about the documents; every quote and every text is checked on the way. */
async function rulesOn(...documents: readonly AnalysedDocument[]): Promise<readonly string[]> {
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { rule, words, evidence } of found) {
    expect(evidence.length, rule).toBeGreaterThan(0);
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
    for (const language of ['en', 'de'] as const) {
      for (const part of PARTS) {
        expect(render({ key: `stated.${rule}.${part}`, values: words }, language)).not.toMatch(
          /[{}]|undefined/,
        );
      }
    }
  }
  return [...new Set(found.map(({ rule }) => rule))].sort();
}

/** One document from lines, or several from a list of them. */
const rulesIn = (lines: Lines | readonly Lines[]) => {
  const several = (typeof lines[0] === 'string' ? [lines] : lines) as readonly Lines[];
  return rulesOn(...several.map((one, at) => document(`${at + 1}_Document.md`, one)));
};

/** By rule: what it must tell, and what only looks like it. */
const CASES: Readonly<
  Record<
    string,
    {
      readonly tells: readonly (Lines | readonly Lines[])[];
      readonly silent: readonly (Lines | readonly Lines[])[];
    }
  >
> = {
  'allocated-outside': {
    tells: [
      [
        '# Boundary',
        'Outside of the item are: bench light, wall switch, power plant.',
        '# Requirements',
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | The lamp shall be dimmed within 100 ms. | Lamp control |',
        '| FSR-2 | The lamp shall go off when the door opens. | Wall switch |',
      ],
      [
        '# Abgrenzung',
        'Nicht zum Item gehören der Wandschalter und das Kraftwerk (Betreiber).',
        '# Anforderungen',
        '| ID | Anforderung | Zugeordnet zu |',
        '| FSR-1 | Die Lampe muss binnen 100 ms dunkel sein. | Wandschalter |',
      ],
      [
        '# Outside the item',
        '- Wall switch: not ours',
        '- Power plant',
        '# Requirements',
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | The lamp shall be dimmed within 100 ms. | Power plant |',
      ],
    ],
    silent: [
      [
        '# Boundary',
        'Inside of the item: lamp control. Outside: wall switch.',
        '# Requirements',
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | The lamp shall be dimmed within 100 ms. | Lamp control |',
        '| FSR-2 | The switch shall be held for 50 ms. | Wall switch (external, agreed in the DIA) |',
      ],
    ],
  },
  'element-nowhere': {
    tells: [
      [
        '# Elements',
        '| Element | Task |',
        '| Lamp control | dims |',
        '| Driver stage | switches |',
        '# Requirements',
        '| ID | Requirement | Allocated to |',
        ...[1, 2, 3, 4].map((at) => `| FSR-${at} | The lamp shall be dimmed in step ${at}. | Lamp control |`),
        ...[5, 6, 7].map((at) => `| FSR-${at} | The lamp shall be lit in step ${at}. | Driver stage |`),
        '| FSR-8 | The lamp shall go off. | Quartz gate |',
      ],
    ],
    silent: [
      [
        '# Elements',
        '| Element | Task |',
        '| Lamp control | dims |',
        '| Driver stages | switch |',
        '# Requirements',
        '| ID | Requirement | Allocated to |',
        ...[1, 2, 3, 4, 5, 6, 7].map(
          (at) => `| FSR-${at} | The lamp shall be dimmed in step ${at}. | Lamp control |`,
        ),
        '| FSR-8 | The lamp shall go off. | Driver stage |',
      ],
    ],
  },
  'version-nowhere': {
    tells: [
      [
        ['# HARA', 'Document XA-030, issue 2, date 2025-05-09, status released.'],
        [
          '# Concept',
          'Document XA-040, issue 1, date 2025-06-20, status released.',
          'Based on XA-030 Issue 4.',
        ],
      ],
      [
        ['# Gefahrenanalyse', 'Werk GmbH – Dokument XA-GA – Ausgabe 2 – 09.05.2025 – Status: freigegeben'],
        [
          '# Sicherheitskonzept',
          'Werk GmbH – Dokument XA-SK – Ausgabe 1 – 20.06.2025 – Status: freigegeben',
          'Grundlage: XA-GA Ausgabe 3.',
        ],
      ],
    ],
    silent: [
      [
        ['# HARA', 'Document XA-030, issue 2, date 2025-05-09, status released.'],
        [
          '# Concept',
          'Document XA-040, issue 1, date 2025-06-20, status released.',
          'Based on XA-030 Issue 2.',
        ],
      ],
    ],
  },
  'number-of-other': {
    tells: [
      [
        ['# HARA', 'Document XA-030, issue 2, date 2025-05-09, status released.'],
        [
          '# Concept',
          'Document XA-040, issue 1, date 2025-06-20, status released.',
          'This concept is based on the hazard analysis and risk assessment XA-035 version 2.',
        ],
      ],
    ],
    silent: [
      [
        ['# HARA', 'Document XA-030, issue 2, date 2025-05-09, status released.'],
        [
          '# Concept',
          'Document XA-040, issue 1, date 2025-06-20, status released.',
          'This concept is based on the HARA XA-030 version 2; the review of the HARA XA-091 version 1 is closed.',
        ],
      ],
    ],
  },
  'version-of-two-dates': {
    tells: [
      [
        '# Item definition',
        '| Document | XA-020 |',
        '| Issue | B |',
        '| Issue date | 21 Nov 2025 |',
        '',
        '## Record of issues',
        '| Issue | Date | Reason |',
        '| A | 24 Mar 2025 | First issue |',
        '| B | 11 Apr 2025 | Comments worked in |',
      ],
    ],
    silent: [
      [
        '# Item definition',
        '| Document | XA-020 |',
        '| Issue | B |',
        '| Issue date | 11 April 2025 |',
        '',
        '## Record of issues',
        '| Issue | Date | Reason |',
        '| A | 24 Mar 2025 | First issue |',
        '| B | 11 Apr 2025 | Comments worked in |',
      ],
    ],
  },
  'tailored-without-any': {
    tells: [
      [
        '# Safety plan',
        '## Tailoring',
        '- Part 7 is left out.',
        '- Part 12 is left out because the vehicle is a passenger car.',
      ],
      [
        '# Sicherheitsplan',
        '## Zuschnitt (Tailoring)',
        'Teil 8 Abschnitt 14 (Betriebsbewährtheit): Entfällt.',
      ],
      [
        '# Safety plan',
        '## Tailoring',
        '| Part | Application | Reason |',
        '| Part 7 | Applied | Needed |',
        '| Part 12 | Not applied | - |',
        '| Part 8 clause 12 | Not applied | No software component is reused |',
      ],
    ],
    silent: [
      [
        '# Safety plan',
        '## Tailoring',
        '- Part 12 is left out. The reason: the vehicle is a passenger car.',
        '- Part 7 is not applied by us, the plant has its own plan.',
        'Parts 3 to 6 are applied in full.',
      ],
    ],
  },
  'confirmed-by-author': {
    tells: [
      [
        ['# Functional Safety Concept', 'Document XA-FSC, version 1.1, 2024-04-26, author Ann Lee'],
        [
          '# Confirmation Review Record – Functional Safety Concept',
          '| Field | Entry |',
          '| Reviewed document | 1_Document, version 1.1 of 2024-04-26 |',
          '| Reviewer | Ann Lee |',
        ],
      ],
      [
        [
          '# HARA',
          'Document XA-030, issue 2, date 2025-05-09, status released.',
          'Author Ann Lee; reviewer Tom Ray.',
        ],
        [
          '# Review record',
          '## 1 Confirmation review of the HARA',
          'Reviewed was XA-030 version 1 of 2025-04-18. The reviewer was Ann Lee, with independence I3.',
        ],
      ],
      [
        [
          '# Gefahrenanalyse',
          'Werk GmbH – Dokument XA-GA – Ausgabe 2 – 09.05.2025',
          'Erstellt: Anna Lehr. Geprüft: Tom Reh.',
        ],
        [
          '# Reviewprotokoll',
          '## Review der Gefahrenanalyse',
          'Geprüft wurde XA-GA Ausgabe 1, Prüferin war Anna Lehr.',
        ],
      ],
      [
        [
          '# HARA',
          '| Document | XA-030 HARA | |',
          '| Issue | B | |',
          '| Issue date | 23 May 2025 | |',
          '| Prepared by | Ann Lee | Safety |',
        ],
        [
          '# Review minutes',
          '## Part 1: Confirmation review of the HARA',
          '| Reviewed | XA-030 HARA Issue A of 02 May 2025 |',
          '| Reviewer | Ann Lee, Safety (independence I3) |',
        ],
      ],
    ],
    silent: [
      [
        [
          '# HARA',
          'Document XA-030, issue 2, date 2025-05-09, status released.',
          'Author Ann Lee; reviewer Tom Ray.',
        ],
        [
          '# Review record',
          '## 1 Confirmation review of the HARA',
          'Reviewed was XA-030 version 1 of 2025-04-18, written by Ann Lee. The reviewer was Tom Ray.',
          '## 2 Confirmation review of the concept',
          'The reviewer was Ann Lee. Also present was Tom Ray.',
        ],
      ],
    ],
  },
  'reference-other-version': {
    tells: [
      [
        '### SG-001: Brake',
        '',
        'The brake shall hold the vehicle.',
        '',
        '- Version: 2',
        '',
        '### FSR-001: Release',
        '',
        'The controller shall discard a release command without ignition.',
        '',
        '- Traces up: SG-001@3',
      ],
      [
        '| ID | Sicherheitsziel | Version |',
        '| SZ-1 | Die Batterie darf nicht überladen werden. | 1 |',
        '',
        '| ID | Anforderung | Sicherheitsziel |',
        '| FSA-1 | Der Lader muss bei 4,2 V abschalten. | SZ-1 [version=2] |',
      ],
    ],
    silent: [
      [
        '| ID | Safety goal | Version |',
        '| SG-1 | The brake shall hold the vehicle. | 2 |',
        '',
        '| ID | Requirement | Goal |',
        '| FSR-1 | The controller shall discard a release command. | SG-1@2 |',
        '| FSR-2 | The controller shall write to brake@2 of the network. | SG-1 |',
      ],
    ],
  },
  'times-of-children': {
    tells: [
      [
        '| ID | Safety goal | ASIL | FTTI |',
        '| SG1 | The window shall reverse when it touches an obstacle. | C | 50 ms |',
        '',
        '| Nr. | Requirement | Goal |',
        '| FSR-1 | The control unit shall detect an obstacle within 20 ms. | SG1 |',
        '| FSR-2 | The control unit shall reverse the motor within 40 ms after detection of an obstacle. | SG1 |',
      ],
      [
        '| Kennung | Sicherheitsziel | Fehlertoleranzzeit |',
        '| SZ-1 | Die Batterie darf nicht überladen werden. | 300 ms |',
        '',
        '| Kennung | Anforderung | Abgeleitet aus |',
        '| FSA-1 | Das Steuergerät muss eine Überspannung der Zelle innerhalb von 150 ms erkennen. | SZ-1 |',
        '| FSA-2 | Das Steuergerät muss nach Erkennung einer Überspannung der Zelle die Schütze innerhalb von 0,2 s öffnen. | SZ-1 |',
      ],
    ],
    silent: [
      [
        '| ID | Safety goal | ASIL | FTTI |',
        '| SG1 | The window shall reverse when it touches an obstacle. | C | 80 ms |',
        '',
        '| Nr. | Requirement | Goal |',
        '| FSR-1 | The control unit shall detect an obstacle within 20 ms. | SG1 |',
        '| FSR-2 | The control unit shall reverse the motor within 40 ms after detection of an obstacle. | SG1 |',
      ],
      [
        '| ID | Safety goal | ASIL | FTTI |',
        '| SG1 | The window shall reverse when it touches an obstacle. | C | 50 ms |',
        '',
        '| Nr. | Requirement | Goal |',
        '| FSR-1 | The gateway shall detect a missing message of the bus within 20 ms. | SG1 |',
        '| FSR-2 | The control unit shall reverse the motor within 40 ms after detection of an obstacle. | SG1 |',
      ],
    ],
  },
  'safe-state-of-goal-twice': {
    tells: [
      // The state of another goal, with a word in common.
      [
        [
          '| Goal | Safe state |',
          '| Goal 1 | both pumps stopped, valve open |',
          '| Goal 2 | half flow with one of the pumps |',
        ],
        ['| Goal | Safe state |', '| Goal 1 | both pumps stopped |', '| Goal 2 | both pumps stopped |'],
      ],
      [
        '# Goals',
        '| ID | Safety goal | Safe state |',
        '| SG2 | The window shall not close by itself. | Motor off |',
        '# Safe states',
        'SG2: the motor keeps running to the end stop. SG3: the lamp is on.',
      ],
    ],
    silent: [
      [
        '# Goals',
        '| ID | Safety goal | Safe state |',
        '| SG2 | The window shall not close by itself. | Motor off |',
        '# Safe states',
        'SG2: the motor is switched off. SG3: the lamp is on.',
      ],
    ],
  },
  'passed-outside-limit': {
    tells: [
      [
        'TSR-5 (ASIL B, valve logic, from FSR-2). The valve shall close within 40 ms.',
        'V-05 proves TSR-5 by fault injection. Pass: valve closed within 40 ms.',
        '| Case | Worst value seen | Verdict |',
        '| V-05 | 55 ms | pass |',
        '| V-06 | 12 ms | pass |',
      ],
      // What a step of its specification expects, and the limit of its requirement beside it.
      [
        ['| ID | Requirement |', '| R-1 | The pump controller shall stop the pump without delay. |'],
        [
          '## TC-4 Stop',
          'Verifies R-1.',
          '| Step | Action | Expected |',
          '| 1 | Cut the line | pump stands still within 300 ms |',
        ],
        [
          '| Test | Result of each step | Verdict |',
          '| TC-4 | 1 stopped after 420 ms | passed |',
          '| TC-5 | 1 nothing happens | passed |',
        ],
      ],
      [
        '| ID | Requirement |',
        '| FSR-2 | The control unit shall reverse the motor within 40 ms. |',
        '',
        '| Test case | Requirement under test | Measured | Verdict |',
        '| TC-2 | FSR-2 | 55 ms | passed |',
      ],
      [
        '| Kennung | Anforderung |',
        '| FSA-2 | Das Steuergerät muss die Schütze innerhalb von 0,2 s öffnen. |',
        '',
        '| Kennung | Geprüfte Anforderung | Messwert | Ergebnis |',
        '| TF-2 | FSA-2 | 230 ms | bestanden |',
      ],
    ],
    silent: [
      // What is to be waited for.
      [
        '| Test | Verifies | Expected | Measured | Result |',
        '| TC-1 | FSR-1 | ends after 5 s, not before | 5.1 s | pass |',
      ],
      [
        '| ID | Requirement |',
        '| FSR-2 | The control unit shall reverse the motor within 40 ms. |',
        '',
        '| Test case | Requirement under test | Measured | Verdict |',
        '| TC-2 | FSR-2 | 38 ms | passed |',
        '| TC-3 | FSR-2 | 55 ms | failed |',
      ],
    ],
  },
  'exposure-of-situation': {
    tells: [
      [
        '| ID | Situation | E | S | C |',
        '| HE1 | Parked, a child leans out of the window | E3 | S3 | C3 |',
        '| HE4 | Parked, a child leans out of the window | E2 | S3 | C3 |',
      ],
    ],
    silent: [
      [
        '| ID | Situation | Environment | E | S | C |',
        '| HE1 | Country road | rain | E2 | S3 | C3 |',
        '| HE4 | Country road | dry | E4 | S3 | C3 |',
      ],
    ],
  },
  'child-time-longer': {
    tells: [
      // The fault has to last before it is reacted to; goals that are counted in words, in a section that only introduces.
      [
        '# 1 Overview',
        '| Goal | ASIL | FTTI |',
        '| Goal 2 | B | 500 ms |',
        '# 2 Requirements',
        '### FC-2.1 Pressure',
        'The pump controller shall close the valve within 100 ms after it has detected a pressure above 8 bar for 600 ms.',
        'ASIL B, Goal 2, allocated to the pump controller.',
      ],
      [
        '# Einleitung',
        '| Ziel | ASIL | Fehlertoleranzzeit |',
        '| Ziel 2 | C | 1 s |',
        '# Anforderungen',
        '| Kennung | Anforderung | Abgeleitet aus |',
        '| FSA-1 | Das Steuergerät muss das Ventil innerhalb von 0,2 s schließen, wenn ein Druck über 8 bar länger als 900 ms erkannt wird. | Ziel 2 |',
      ],
      [
        '| ID | Goal | ASIL | FTTI |',
        '| SG-7 | Doors stay shut | B | 200 ms |',
        '',
        '| ID | Functional safety requirement | Parent | FTTI |',
        '| FSR-70 | The latch shall lock. | SG-7 | 0.4 s |',
      ],
      [
        [
          '# Ziele',
          '| Kennung | Sicherheitsziel | Fehlertoleranzzeit |',
          '| SG-1 | Die Tür bleibt zu. | 200 ms |',
        ],
        [
          '# Anforderungen',
          '| Kennung | Anforderung | Abgeleitet von | Fehlertoleranzzeit [ms] |',
          '| FSA-3 | Das Schloss muss sperren. | SG-1 | 350 |',
        ],
      ],
      [
        'The fault tolerant time interval of SG-2 is 100 ms.',
        'FSR-5: The latch shall lock. Parent: SG-2. FTTI: 300 ms',
      ],
      [
        '| ID | Requirement | Detection time |',
        '| TSR-1 | The monitor shall detect it. | 20 ms |',
        '',
        '| ID | Safety mechanism | Requirement | Detection time |',
        '| SM-1 | Window watchdog | TSR-1 | 30 ms |',
      ],
    ],
    silent: [
      // A hold time after standstill beside its own interval, and what a safe state may do later.
      [
        '| ID | Safety goal | FTTI |',
        '| SG-3 | The brakes are released again. | 1000 ms |',
        '',
        '| ID | Requirement | Safety goal | FTTI |',
        '| FSR-2 | The brake request shall end at the latest 2.0 s after standstill. | SG-3 | 1000 ms |',
        '| FSR-3 | A limit caused by camera data may end earlier, after 5 s of valid data. | SG-3 | 1000 ms |',
      ],
      [
        '| Goal | ASIL | FTTI |',
        '| Goal 2 | B | 500 ms |',
        '',
        '| ID | Requirement | Goal |',
        '| FC-1 | A message shall be sent within 2 s after any safe state is entered. | Goal 2 |',
        '| FC-2 | Der Fahrer muss binnen 1,0 s nach Erreichen eines sicheren Zustands gewarnt werden. | Goal 2 |',
      ],
      [
        '| Goal | ASIL | FTTI | Detection time | Reaction time |',
        '| Goal 2 | B | 500 ms | 50 ms | 100 ms |',
        '',
        '| ID | Requirement | Goal | Detection time | Reaction time |',
        '| FC-1 | The red tell-tale and, above 2.5 bar, the speed limit shall be requested within 900 ms. | Goal 2 | | 900 ms |',
        '| FC-2 | Both valves shall be tried at each ignition on before the vehicle moves. | Goal 2 | 700 ms | 90 ms |',
        '| FC-3 | Beim Einschalten muss der Regler den Druckgeber binnen 2 s prüfen. | Goal 2 | 2 s | |',
      ],
      [
        '| Goal | ASIL | FTTI |',
        '| Goal 2 | B | 500 ms |',
        '',
        '| ID | Requirement | Goal |',
        '| FC-1 | The controller shall close the valve within 100 ms after it has detected a pressure above 8 bar for 300 ms. | Goal 2 |',
        '| FC-2 | The controller shall send the pressure within 100 ms and for at least 2 s to the display. | Goal 2 |',
      ],
      [
        '| ID | Goal | FTTI |',
        '| SG-7 | Doors stay shut | 400 ms |',
        '',
        '| ID | Requirement | Parent | FTTI |',
        '| FSR-70 | The latch shall lock. | SG-7 | 0.4 s |',
      ],
      [
        '| ID | Goal | FTTI |',
        '| SG-7 | Doors stay shut | 400 ms |',
        '',
        '| ID | Requirement | Parent | FTTI |',
        '| FSR-70 | The latch shall lock. | SG-7 | not applicable |',
      ],
      [
        '| ID | Goal | FTTI |',
        '| SG-7 | Doors stay shut | 400 ms |',
        '| SG-8 | Doors open | 900 ms |',
        '',
        '| ID | Requirement | Parent | FTTI |',
        '| FSR-70 | The latch shall open. | SG-8 | 800 ms |',
      ],
    ],
  },
  'time-budget-exceeded': {
    tells: [
      // The interval stands with the goal only.
      [
        '## SG-LOSS',
        'The unit shall not open the relay while driving.',
        'FTTI: 300 ms',
        '## FSR-HOLD',
        'The controller shall keep the relay closed.',
        'Derived from: SG-LOSS',
        'Detection time: 200 ms',
        'Reaction time: 200 ms',
      ],

      [
        '| ID | Requirement | FTTI | Detection time | Reaction time |',
        '| FSR-1 | The unit shall stop. | 100 ms | 60 ms | 50 ms |',
      ],
      [
        '| Kennung | Anforderung | Fehlertoleranzzeit | Fehlererkennungszeit | Fehlerreaktionszeit |',
        '| FSA-1 | Das Gerät muss halten. | 1 s | 800 ms | 300 ms |',
      ],
      ['## FSR-9 Stop on obstacle', 'FTTI: 100 ms', 'Detection time: 80 ms', 'Reaction time: 40 ms'],
    ],
    silent: [
      [
        '| ID | Requirement | FTTI | Detection time | Reaction time |',
        '| FSR-1 | The unit shall stop. | 100 ms | 60 ms | 40 ms |',
      ],
      [
        '| ID | Requirement | FTTI | Detection time | Reaction time |',
        '| FSR-1 | The unit shall stop. | n/a | at start | 40 ms |',
      ],
      [
        '| ID | Requirement | FTTI (s) | Detection time (ms) | Reaction time (ms) |',
        '| FSR-1 | The unit shall stop. | 1 | 500 | 400 |',
      ],
    ],
  },
  'time-differs': {
    tells: [
      [
        ['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1 s |'],
        ['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1500 ms |'],
      ],
      [['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1 s |'], ['The FTTI of SG-1 is 2 s.']],
      [
        ['| Kennung | Sicherheitsziel | Fehlertoleranzzeit |', '| SZ-1 | Die Tür bleibt zu. | 1 s |'],
        ['Die Fehlertoleranzzeit von SZ-1 beträgt 500 ms.'],
      ],
      // Without ids.
      [
        ['The FTTI of the lane keeping function is 200 ms.'],
        ['The fault tolerant time interval of the lane keeping function is 0.3 s.'],
      ],
      [
        ['| Funktion | Fehlertoleranzzeit |', '| Spurhaltung | 200 ms |', '| Spurwechsel | 1 s |'],
        ['Die Fehlertoleranzzeit der Spurhaltung beträgt höchstens 250 ms.'],
      ],
    ],
    silent: [
      [
        ['The FTTI of the lane keeping function is 200 ms.'],
        ['The FTTI of the lane keeping function is 0.2 s.'],
      ],
      [
        ['The FTTI of the lane keeping function is 200 ms.'],
        ['The FTTI of the lane change function is 300 ms.'],
      ],
      [['The FTTI of channel 1 is 200 ms.'], ['The FTTI of channel 2 is 300 ms.']],
      [
        ['The FTTI of the lane keeping function is 200 ms.'],
        ['In sport mode, the FTTI of the lane keeping function is 150 ms.'],
      ],
      [
        ['The FTTI of the lane keeping function is 200 ms.'],
        ['The FTTI of the lane keeping function is 150 ms while the trailer is coupled.'],
      ],
      [
        ['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1 s |'],
        ['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1000 ms |'],
      ],
      [
        ['| ID | Requirement | FTTI |', '| REQ-1 | Doors stay shut while driving. | 1 s |'],
        ['| ID | Requirement | FTTI |', '| REQ-1 | Charging current is limited by temperature. | 2 s |'],
      ],
      [['| ID | Safety goal | FTTI |', '| SG-1 | Doors stay shut. | 1 s |'], ['The FTTI of SG-2 is 2 s.']],
    ],
  },
  'safe-state-differs': {
    tells: [
      [
        '| ID | Goal | ASIL | Safe state |',
        '| SG-1 | Doors stay shut | B | ST-1 |',
        '',
        '| ID | Requirement | Parent | Safe state |',
        '| FSR-1 | The latch shall lock. | SG-1 | ST-2 |',
      ],
      [
        '| ID | Goal | ASIL | Safe state |',
        '| SG-1 | Doors stay shut | B | ST-1: latch locked |',
        '',
        '| ID | Requirement | Safety goal | Safe state |',
        '| FSR-1 | The latch shall lock. | SG-1 | ST-2: latch free |',
      ],
      [
        '| Kennung | Sicherheitsziel | Sicherer Zustand |',
        '| SG-1 | Die Tür bleibt zu | SZ-1 |',
        '',
        '| Kennung | Anforderung | Sicherheitsziel | Sicherer Zustand |',
        '| FSA-1 | Das Schloss muss sperren. | SG-1 | SZ-3 |',
      ],
    ],
    silent: [
      [
        '| ID | Goal | ASIL | Safe state |',
        '| SG-1 | Doors stay shut | B | ST-1 |',
        '',
        '| ID | Requirement | Parent | Safe state |',
        '| FSR-1 | The latch shall lock. | SG-1 | ST-1, ST-2 |',
      ],
      [
        '| ID | Goal | ASIL | Safe state |',
        '| SG-1 | Doors stay shut | B | Latch locked |',
        '',
        '| ID | Requirement | Parent | Safe state |',
        '| FSR-1 | The latch shall lock. | SG-1 | ST-2 |',
      ],
      [
        '| ID | Goal | ASIL | Safe state |',
        '| SG-1 | Doors stay shut | B | ST-1 |',
        '',
        '| ID | Requirement | Parent | Safe state |',
        '| FSR-1 | The latch shall lock. | SG-1 | |',
      ],
    ],
  },
  'safe-state-two-meanings': {
    tells: [
      [
        ['| No. | Goal | Safe state |', '| 7201 | No crash | 7301: Speed is limited to 30 km/h |'],
        [
          '| No. | State | Left |',
          '| 7301 | Speed is limited to 50 km/h | when the ignition is switched on again |',
        ],
      ],
      [
        ['| ID | Goal | Safe state |', '| SG-1 | Doors stay shut | ST-1: door latch locked, lamp on |'],
        ['| Safe state ID | Description |', '| ST-1 | Door latch unlocked, lamp on |'],
        ['| ID | Requirement | Safe state |', '| FSR-1 | The latch shall lock. | ST-1 |'],
      ],
      [
        [
          '| Kennung | Sicherheitsziel | Sicherer Zustand |',
          '| SG-1 | Klappe bleibt zu | SZ-1: Ventil geschlossen |',
        ],
        ['| Kennung | Beschreibung |', '| SZ-1 | Das Ventil ist geöffnet |'],
      ],
      [
        [
          '| ID | Goal | Safe state |',
          '| SG-1 | Pump stops | ST-4 (pump switched off) |',
          '| SG-2 | Pump stops | ST-4 (pump is on) |',
        ],
      ],
    ],
    silent: [
      [
        ['| No. | Goal | Safe state |', '| 7201 | No crash | 7301: Speed is limited to 30 km/h |'],
        [
          '| No. | State | Left |',
          '| 7301 | Speed is limited to 30 km/h | when the ignition is switched on again |',
        ],
      ],
      [
        ['| No. | Goal | Safe state |', '| 7201 | No crash | 7301: Speed is limited to 30 km/h |'],
        [
          '| No. | State | Left |',
          '| 7301 | The driver is warned at 50 km/h | when the ignition is on again |',
        ],
      ],
      [
        ['| ID | Goal | Safe state |', '| SG-1 | Doors stay shut | ST-1: latch locked, lamp on |'],
        ['| Safe state ID | Description |', '| ST-1 | Latch locked, heater off |'],
      ],
      [
        [
          '| ID | Goal | Safe state |',
          '| SG-1 | Doors stay shut | ST-1: latch locked |',
          '| SG-2 | Doors open | ST-2: latch unlocked |',
        ],
      ],
      [
        ['| ID | Goal | Safe state |', '| SG-1 | Doors stay shut | ST-1: valve is not closed |'],
        ['| Safe state ID | Description |', '| ST-1 | Valve open |'],
      ],
    ],
  },
  'allocation-differs': {
    tells: [
      [
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | A shall hold. | Door unit |',
        '| FSR-2 | B shall hold. | Latch |',
        '',
        '| Requirement | Door unit | Latch |',
        '| FSR-1 | - | X |',
        '| FSR-2 | - | X |',
      ],
      [
        '| ID | Anforderung | Zugeordnet zu |',
        '| FSA-1 | A muss halten. | Türsteuergerät |',
        '| FSA-2 | B muss halten. | Schloss |',
        '',
        '| Anforderung | Türsteuergerät | Schloss |',
        '| FSA-1 | x | |',
        '| FSA-2 | x | |',
      ],
      [
        '| ID | Requirement | Allocation |',
        '| R-1 | A shall hold. | Door unit, Latch |',
        '| R-2 | B shall hold. | Latch |',
        '',
        '| ID | Door unit | Latch |',
        '| R-1 | yes | no |',
        '| R-2 | no | yes |',
      ],
    ],
    silent: [
      // Two elements over one column of crosses.
      [
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | A leak shall be noticed. | sensor-a, sensor-b, mcu |',
        '| FSR-2 | B shall hold. | mcu |',
        '',
        '| Requirement | mcu | sensor-a and sensor-b |',
        '| FSR-1 | x | x |',
        '| FSR-2 | x | |',
      ],
      [
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | A shall hold. | Door unit |',
        '| FSR-2 | B shall hold. | Latch |',
        '',
        '| Requirement | Door unit | Latch |',
        '| FSR-1 | X | - |',
        '| FSR-2 | - | X |',
      ],
      [
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | A shall hold. | Unit 3 |',
        '',
        '| Requirement | Door unit | Latch |',
        '| FSR-1 | X | - |',
        '| FSR-2 | - | X |',
      ],
      [
        '| ID | Requirement | Allocated to |',
        '| FSR-1 | A shall hold. | Door unit |',
        '',
        '| Requirement | Reviewed | Tested |',
        '| FSR-1 | - | X |',
        '| FSR-2 | X | X |',
      ],
    ],
  },
  'allocation-against-text': {
    tells: [
      [
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The door unit shall stop the motor. | Latch |',
        '| TSR-2 | The door unit shall report it. | Door unit |',
      ],
      [
        '| Kennung | Anforderung | Zugeordnet zu |',
        '| TSA-1 | Das Schloss muss die Tür halten. | Motor |',
        '| TSA-2 | Das Schloss muss melden. | Schloss |',
      ],
      [
        '| ID | Requirement | Component |',
        '| SR-1 | In case of an error the INPUT_CHECK block shall set a flag. | OUTPUT_CHECK |',
        '| SR-2 | It shall be checked. | INPUT_CHECK |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The door unit shall stop the motor. | Door unit, Latch |',
        '| TSR-2 | It shall report. | Motor |',
      ],
      // The subject lies in the element.
      [
        '| Element | Contained in | Task |',
        '| Watchdog | Door unit | resets |',
        '',
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The watchdog shall stop the motor. | Door unit |',
        '| TSR-2 | It shall report. | Watchdog |',
      ],
      [
        '| Teil | Art | Aufgabe |',
        '| Schloss | Hardware im Türgerät | hält |',
        '',
        '| Kennung | Anforderung | Zugeordnet zu |',
        '| TSA-1 | Das Schloss muss die Tür halten. | Türgerät |',
        '| TSA-2 | Das Türgerät muss melden. | Schloss, Türgerät |',
      ],
      [
        'To the item belongs the door unit with motor stage, watchdog and clock.',
        '',
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The watchdog shall stop the motor. | Door unit |',
        '| TSR-2 | It shall report. | Watchdog |',
      ],
      [
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The motor shall be stopped. | Door unit |',
        '| TSR-2 | It shall turn. | Motor |',
      ],
      [
        '| ID | Requirement | Allocated to |',
        '| TSR-1 | The vehicle shall stop. | Door unit |',
        '| TSR-2 | It shall turn. | Motor |',
      ],
    ],
  },
  'boundary-differs': {
    tells: [
      [
        ['| Element | Position | Task |', '| Brake unit | inside the item | Turns requests into pressure |'],
        ['| Element | Description |', '| Brake unit (other item) | Executes requests |'],
      ],
      [
        ['| Element ID | Element | Inside the item |', '| EL-1 | Rain sensor | yes |'],
        ['The rain sensor is outside of the item.'],
      ],
      [
        ['| Element | Innerhalb des Items |', '| Regensensor | ja |'],
        ['Der Regensensor liegt außerhalb des Items.'],
      ],
      [
        ['| Element | Part of the item |', '| Rain sensor | no |'],
        ['| Element | Part of the item |', '| Rain sensor | yes |'],
      ],
    ],
    silent: [
      [
        ['| Element | Position | Task |', '| Brake unit | outside the item | Turns requests into pressure |'],
        ['| Element | Description |', '| Brake unit (other item) | Executes requests |'],
      ],
      [
        ['| Element | Inside the item |', '| Rain sensor | no |'],
        ['The rain sensor is outside of the item.'],
      ],
      [['| Element | Inside the item |', '| Rain sensor | yes |'], ['The camera is outside of the item.']],
      [
        ['| Element | Inside the item |', '| Rain sensor | yes |'],
        ['The cover of the rain sensor is outside of the item.'],
      ],
    ],
  },
  'parameter-two-values': {
    tells: [
      [
        '| Name | Value | Unit |',
        '| T_MAX | 130 | degC |',
        '',
        '| ID | Requirement | Parent |',
        '| FSR-1 | Overtemperature above 90 degC shall be detected. | SG-1 |',
        '| TSR-1 | The flag shall be set if T_MAX is exceeded. | FSR-1 |',
      ],
      [
        '| Name | Wert | Einheit |',
        '| P_M_GEGEN | 3,5 | Nm |',
        '',
        '| Kennung | Anforderung | Abgeleitet aus |',
        '| FSA-1 | Ein Moment über 2,0 Nm muss erkannt werden. | SZ-1 |',
        '| TSA-1 | Der Rechner fordert das Trennen an, wenn das Moment um mehr als P_M_GEGEN abweicht. | FSA-1 |',
      ],
      [
        '| Parameter | Value | Unit |',
        '| Speed_Max | 8 | km/h |',
        '',
        '| ID | Requirement | Parent |',
        '| FSR-1 | It shall stop above 5 km/h. | SG-1 |',
        '| TSR-1 | It shall stop above Speed_Max. | FSR-1 |',
      ],
      // Parameters in a list, ids of words.
      [
        '- U_MAX: 4.20 V',
        '- T_VOLT = 400 ms',
        '',
        '## FSR-VOLT-OPEN',
        'The unit shall open the relay above 4.30 V.',
        'Derived from: SG-OVERCHARGE',
        '## TSR-VOLT-CUT',
        'The driver shall open the relay above U_MAX.',
        'Refines: FSR-VOLT-OPEN',
      ],
      [
        ['| Parameter | Value | Unit |', '| Speed_Max | 8 | km/h |'],
        ['| Parameter | Value | Unit |', '| Speed_Max | 9 | km/h |'],
      ],
      [
        '| Parameter | Wert | Einheit |',
        '| Kraft_Min | 80 | N |',
        '',
        '| Kennung | Anforderung | Abgeleitet von |',
        '| TSA-1 | Es muss halten, wenn die Kraft unter Kraft_Min liegt. | FSA-1 |',
        '| SWA-1 | Es muss halten, wenn die Kraft unter 60 N liegt. | TSA-1 |',
      ],
    ],
    silent: [
      // Fields of two goals.
      [
        '# Goals',
        '**SG-1** Light shall not blind.',
        '- **FTTI:** 600 ms',
        '- **ASIL:** B',
        '',
        '**SG-2** Light shall not fail.',
        '- **FTTI:** 400 ms',
        '- **ASIL:** B',
        '',
        '| ID | Requirement | Parent |',
        '| FSR-1 | It shall react within the FTTI. | SG-1 |',
        '| FSR-2 | It shall react within the FTTI. | SG-2 |',
      ],
      // Fields of records under headings with ids of unknown letters are no parameters.
      [
        '### F-01 Close',
        '- text: The unit shall close the roof.',
        '- ftti: 60 s',
        '- element: unit',
        '',
        '### F-02 Stop',
        '- text: The unit shall stop the roof.',
        '- ftti: 5 s',
        '- element: unit',
      ],
      [
        '| Parameter | Value | Unit |',
        '| Speed_Max | 5 | km/h |',
        '',
        '| ID | Requirement | Parent |',
        '| FSR-1 | It shall stop above 5 km/h. | SG-1 |',
        '| TSR-1 | It shall stop above Speed_Max. | FSR-1 |',
      ],
      [
        '| Parameter | Value | Unit |',
        '| Speed_Max | 5 | km/h |',
        '',
        '| ID | Requirement | Parent |',
        '| FSR-1 | It shall stop at 12 V. | SG-1 |',
        '| TSR-1 | It shall stop above Speed_Max. | FSR-1 |',
      ],
      [
        ['| Parameter | Value | Unit |', '| Time_Max | 1 | s |'],
        ['| Parameter | Value | Unit |', '| Time_Max | 1000 | ms |'],
      ],
    ],
  },
  'told-by-what-failed': {
    tells: [
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | If the telematics link is interrupted, the unit shall notify the driver via the telematics link. | B |',
      ],
      [
        '| Kennung | Anforderung | ASIL |',
        '| FSA-1 | Wenn der LIN-Bus gestört ist, sendet das Steuergerät die Warnung über den LIN-Bus. | A |',
      ],
      [
        '| Kennung | Anforderung | ASIL |',
        '| FSA-2 | Eine Unterbrechung der Weckleitung meldet das Gerät innerhalb von 2 s über die Weckleitung. | A |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | If the telematics link is interrupted, the unit shall notify the driver by the roof lamp. | B |',
        '| FSR-2 | If the display is dead, the warning shall be shown on the second display. | B |',
        '| FSR-3 | When the speed message is missing, the unit shall send an error on CAN. | B |',
        '| FSR-4 | When the bus is dead, the unit shall warn without the bus. | B |',
        '| FSR-5 | When the pump fails, the unit shall stop the vehicle with the brake. | B |',
      ],
      [
        '| Kennung | Anforderung | ASIL |',
        '| FSA-1 | Wenn der LIN-Bus gestört ist, sendet das Steuergerät die Warnung über den zweiten LIN-Bus. | A |',
        '| FSA-2 | Eine Unterbrechung der Weckleitung meldet das Gerät innerhalb von 2 s über CAN. | A |',
      ],
    ],
  },
  'failed-without-follow-up': {
    tells: [
      [
        '| Test case | Measured value | Verdict | Remark |',
        '| TC-1 | 12 ms | passed | |',
        '| TC-2 | 95 ms | failed | |',
      ],
      [
        '| Prüffall | Datum | Messwert | Urteil | Bemerkung |',
        '| PF-1 | 02.03.2025 | 12 ms | in Ordnung | |',
        '| PF-2 | 2. August 2025 | 95 ms | nicht in Ordnung | Raumtemperatur |',
      ],
      [
        '| Test No. | Day | Measured | Judgement |',
        '| TC-1 | 2025/03/02 | 12 ms | OK |',
        '| TC-2 | 2025/03/02 | 95 ms | NG |',
      ],
    ],
    silent: [
      // Repeated, remarked, in a list of changes.
      [
        '| Test case | Measured value | Verdict | Remark |',
        '| TC-1 | 12 ms | passed | |',
        '| TC-2 | 95 ms | failed | |',
        '| TC-2 second run | 40 ms | passed | |',
        '| TC-3 | 95 ms | failed | Defect 4711 |',
        '| TC-4 | 95 ms | not run | |',
      ],
      [
        [
          '| Prüffall | Messwert | Urteil | Bemerkung |',
          '| PF-1 | 12 ms | bestanden | |',
          '| PF-2 | 95 ms | nicht bestanden | |',
        ],
        [
          '| Nr. | Datum | Inhalt | Entscheidung |',
          '| AE-3 | 02.03.2025 | PF-2: zu langsam, Filter geändert | angenommen |',
        ],
      ],
    ],
  },
  'executed-before-specified': {
    tells: [
      [
        [
          '| Version | 1.1 |',
          '',
          'Versions: 1.0 (4 July 2025) first issue, 1.1 (1 August 2025) clearer steps.',
          '',
          '| Test ID | Test steps | Expected result |',
          '| TC-1 | Press the button | Lamp on |',
        ],
        ['| Test ID | Run on | Measured | Verdict |', '| TC-1 | 17 Apr 2025 | Lamp on | pass |'],
      ],
      [
        [
          'Dokument: XY-PS / Stand: 1.0 / Datum: 11.10.2024 / Status: freigegeben',
          '',
          '| Kennung | Prüfschritte | Erwartetes Ergebnis |',
          '| TF-1 | Taste drücken | Lampe an |',
        ],
        ['| Kennung | Durchgeführt am | Messwert | Urteil |', '| TF-1 | 31.07.2024 | Lampe an | bestanden |'],
      ],
    ],
    silent: [
      [
        [
          '| Version | 1.1 |',
          '',
          'Versions: 1.0 (4 July 2025) first issue, 1.1 (1 August 2025) clearer steps.',
          '',
          '| Test ID | Test steps | Expected result |',
          '| TC-1 | Press the button | Lamp on |',
        ],
        // Between the first version and the last one.
        ['| Test ID | Run on | Measured | Verdict |', '| TC-1 | 17 July 2025 | Lamp on | pass |'],
      ],
      // Earlier versions of it may have existed.
      [
        [
          'Dokument: XY-PS / Stand: 2.0 / Datum: 11.10.2024 / Status: freigegeben',
          '',
          '| Kennung | Prüfschritte | Erwartetes Ergebnis |',
          '| TF-1 | Taste drücken | Lampe an |',
        ],
        ['| Kennung | Durchgeführt am | Messwert | Urteil |', '| TF-1 | 31.07.2024 | Lampe an | bestanden |'],
      ],
    ],
  },
  'test-not-specified': {
    tells: [
      [
        [
          '| Test ID | Test steps | Expected result |',
          '| TC-1 | Press | Lamp on |',
          '| TC-2 | Hold | Lamp on |',
          '| TC-3 | Release | Lamp off |',
        ],
        [
          '| Test ID | Measured | Verdict |',
          '| TC-1 | on | pass |',
          '| TC-2 | on | pass |',
          '| TC-3 | off | pass |',
          '| TC-4 | off | pass |',
        ],
      ],
      [
        [
          'TF-1 (prüft TSA-1): Taste drücken. Erwartet: Lampe an.',
          'TF-2 (prüft TSA-2): Taste halten. Erwartet: Lampe an.',
          'TF-3 (prüft TSA-3): Taste lösen. Erwartet: Lampe aus.',
        ],
        [
          '| Prüffall | Messwert | Bewertung |',
          '| TF-1 | an | bestanden |',
          '| TF-2 | an | bestanden |',
          '| TF-3 | aus | bestanden |',
          '| TF-4 | aus | bestanden |',
        ],
      ],
    ],
    silent: [
      // The specification of most tests is not among the documents.
      [
        ['| Test ID | Test steps | Expected result |', '| TC-1 | Press | Lamp on |'],
        [
          '| Test ID | Measured | Verdict |',
          '| TC-1 | on | pass |',
          '| TC-2 | on | pass |',
          '| TC-3 | off | pass |',
          '| TC-4 | off | pass |',
        ],
      ],
      // One table says both.
      [
        '| Test ID | Test steps | Expected result | Measured | Verdict |',
        '| TC-1 | Press | Lamp on | on | pass |',
        '| TC-2 | Hold | Lamp on | on | pass |',
        '| TC-3 | Release | Lamp off | off | pass |',
        '| TC-4 | Wait | Lamp off | off | pass |',
      ],
    ],
  },
  'parameter-written-otherwise': {
    tells: [
      // The value before the name, and a table whose names stand under "Setting".
      [
        ['| Setting | Value | Unit |', '| HOLD_TIME | 90 | ms |', '| HOLD_CURRENT | 2 | A |'],
        [
          '| ID | Requirement |',
          '| TSR-1 | The driver shall hold for 60 ms (HOLD_TIME) at 2 A (HOLD_CURRENT). |',
        ],
      ],
      [
        ['| Name | Bedeutung | Wert | Einheit |', '| U_MIN | Schwelle | 9,5 | V |'],
        ['| Kennung | Anforderung |', '| TSA-1 | Unterhalb von 8,5 V (U_MIN) muss das Gerät abschalten. |'],
      ],
      [
        ['| Parameter | Value | Unit |', '| T_OFF | 200 | ms |'],
        [
          '| Test ID | Test step | Expected result | Verifies |',
          '| TC-1 | Short the output | Off within T_OFF = 0.3 s | SWR-1 |',
        ],
      ],
      // The table of parameters has one a column.
      [
        ['| Parameter | T_AUS | U_MIN |', '| Wert | 200 | 9 |', '| Einheit | ms | V |'],
        [
          '| Test-ID | Prüfschritt | Erwartetes Ergebnis | Prüft |',
          '| TF-1 | Spannung absenken | Aus unterhalb von U_MIN = 8,5 V | SWA-1 |',
        ],
      ],
    ],
    silent: [
      [
        ['| Parameter | Value | Unit |', '| T_OFF | 200 | ms |'],
        [
          '| Test ID | Test step | Expected result | Verifies |',
          '| TC-1 | Short the output | Off within T_OFF = 0.2 s | SWR-1 |',
        ],
      ],
      [
        ['| Parameter | Value | Unit |', '| T_OFF | 200 | ms |'],
        [
          '| Test ID | Test step | Expected result | Verifies |',
          '| TC-1 | Short the output for 3 s | Off within T_OFF | SWR-1 |',
        ],
      ],
    ],
  },
  'parameter-two-units': {
    tells: [
      [
        ['| ID | Requirement | ASIL |', '| FSR-3 | It shall stop where the speed is lost for 200 ms. | B |'],
        [
          '| Parameter | Meaning | Value | Unit | Derived from |',
          '| tLost | Loss of the speed | 200 | s | FSR-3 |',
        ],
      ],
      [
        '| Parameter | Value | Unit |',
        '| Current_Max | 2 | mA |',
        '',
        '| ID | Requirement | Parent |',
        '| TSR-1 | It shall stop above Current_Max. | FSR-1 |',
        '| SSR-1 | It shall stop above 2 A. | TSR-1 |',
      ],
      [
        ['| Parameter | Value | Unit |', '| Way_Max | 5 | mm |'],
        ['| Parameter | Value | Unit |', '| Way_Max | 5 | cm |'],
      ],
      [
        ['| Parameter | Wert | Einheit |', '| Zeit_Max | 5 | s |'],
        ['| Parameter | Wert | Einheit |', '| Zeit_Max | 5 | ms |'],
      ],
    ],
    silent: [
      [
        ['| ID | Requirement | ASIL |', '| FSR-3 | It shall stop where the speed is lost for 200 ms. | B |'],
        [
          '| Parameter | Meaning | Value | Unit | Derived from |',
          '| tLost | Loss of the speed | 0.2 | s | FSR-3 |',
        ],
      ],
      [
        ['| ID | Requirement | ASIL |', '| FSR-3 | It shall stop at 10 V within 1 s. | B |'],
        [
          '| Parameter | Meaning | Value | Unit | Derived from |',
          '| tStop | Filter before the stop | 10 | ms | FSR-3 |',
        ],
      ],
      [
        ['| Parameter | Value | Unit |', '| Way_Max | 5 | mm |'],
        ['| Parameter | Value | Unit |', '| Way_Max | 0.5 | cm |'],
      ],
      [['| Parameter | Value | Unit |', '| Way_Max | 5 | mm |', '| Way_Min | 5 | cm |']],
      [
        ['| Parameter | Value | Unit |', '| Way_Max | 5 | mm |'],
        ['| Signal | Range | Cycle |', '| Way_Max | 5 cm | 10 ms |'],
      ],
    ],
  },
  'test-other-value': {
    tells: [
      // Steps under the heading of their test; the times are those of named parameters.
      [
        [
          '### R-9 Watchdog',
          'The watchdog shall open the relay within T_OPEN when it is not served during T_WAIT.',
          '',
          '| Name | Value | Unit |',
          '| T_OPEN | 0.2 | s |',
          '| T_WAIT | 0.5 | s |',
        ],
        [
          '## TC-9 Watchdog',
          'Verifies R-9.',
          '| Step | Action | Expected |',
          '| 1 | Serve the watchdog | relay stays closed |',
          '| 2 | Stop the processor | relay is open latest 2 s after the stop |',
        ],
      ],
      // "or less" behind the value; a test names in brackets what it checks; "given, when, then".
      [
        [
          '| No. | Specification |',
          '| TSR-1 | The relay contact opens 40 ms (T_REL) or less after coil off. |',
        ],
        [
          '| No. | Upper requirement | Judgement standard |',
          '| TC-1 | TSR-1 | Relay contact open in 70 ms or less after coil off |',
        ],
      ],
      [
        [
          '| Kennung | Anforderung |',
          '| TSA-1 | Fehlt das Lenksignal für 30 ms, wird die Endstufe abgeschaltet. |',
        ],
        ['TF-1 (prüft TSA-1): Lenksignal abziehen. Erwartet: Endstufe spätestens 45 ms danach abgeschaltet.'],
      ],
      [
        [
          '| ID | Requirement |',
          '| TSR-2 | A difference of the sensors for 30 ms pulls the enable line low. |',
        ],
        [
          'TC-2 (checks TSR-2) Given 80 km/h, when one sensor is shifted, then the enable line is low within 60 ms.',
        ],
      ],
      [
        ['| ID | Requirement | Verification criterion |', '| SSR-1 | It shall stop. | Stop within 80 ms |'],
        ['| ID | Verifies | Steps | Expected result |', '| TC-1 | SSR-1 | Inject it | Stop within 120 ms |'],
      ],
      [
        ['| ID | Requirement | Acceptance criterion |', '| SSR-1 | It shall clamp. | Clamps at 16.9 kN |'],
        ['| ID | Tested requirement | Input | Expected |', '| TC-1 | SSR-1 | Force 12 kN | Clamps |'],
      ],
      [
        ['| Kennung | Anforderung | Abnahmekriterium |', '| SWA-1 | Es muss halten. | Hält bei 10 V |'],
        ['| Kennung | Prüft | Eingabe | Erwartetes Ergebnis |', '| TF-1 | SWA-1 | 8 V anlegen | Hält |'],
      ],
    ],
    silent: [
      // The time of detection and reaction together, in columns of which most rows say "as parent".
      [
        '| id | text | parent | detection | reaction |',
        '| T-7 | The controller shall close the valve when the pattern is missing for 100 ms. | F-5 | 200 ms | 500 ms |',
        '| T-8 | The controller shall report it. | F-5 | 300 ms | 400 ms |',
        '| S-1 | The software shall command the valve. | T-7 | as parent | as parent |',
        '| S-2 | The software shall read the pattern. | T-7 | as parent | as parent |',
        '| S-3 | The software shall report. | T-8 | as parent | as parent |',
        '',
        '| test | verifies | action | expected |',
        '| TC-7 | T-7 | interrupt the line | valve closed within 700 ms |',
      ],
      [
        [
          '### R-9 Watchdog',
          'The watchdog shall open the relay within T_OPEN when it is not served during T_WAIT.',
          '',
          '| Name | Value | Unit |',
          '| T_OPEN | 0.2 | s |',
          '| T_WAIT | 0.5 | s |',
        ],
        [
          '## TC-9 Watchdog',
          'Verifies R-9.',
          '| Step | Action | Expected |',
          '| 1 | Serve the watchdog | relay stays closed |',
          '| 2 | Stop the processor | relay is open latest 0.7 s after the stop |',
        ],
      ],
      // Both times of the requirement together; a time that is counted in messages.
      [
        [
          '| ID | Requirement |',
          '| TSR-2 | A difference for 30 ms pulls the enable line low within 15 ms. |',
        ],
        ['TC-2 (checks TSR-2) When one sensor is shifted, then the enable line is low within 45 ms.'],
      ],
      [
        [
          '| ID | Requirement |',
          '| TSR-2 | After 3 (N_MSG) wrong messages the enable line is low within 20 ms. |',
        ],
        ['TC-2 (checks TSR-2) When wrong messages are sent, then the enable line is low within 80 ms.'],
      ],
      [
        ['| ID | Requirement | Verification criterion |', '| SSR-1 | It shall stop. | Stop within 80 ms |'],
        ['| ID | Verifies | Steps | Expected result |', '| TC-1 | SSR-1 | Inject it | Stop within 0.08 s |'],
      ],
      [
        ['| ID | Requirement | Verification criterion |', '| SSR-1 | It shall stop. | Stop within 80 ms |'],
        ['| ID | Verifies | Steps | Expected result |', '| TC-1 | SSR-1 | Drive at 20 km/h | Stops |'],
      ],
      [
        [
          '| ID | Requirement | Verification criterion |',
          '| SSR-1 | It shall stop. | Stop within 80 ms |',
          '| SSR-2 | It shall go. | Go within 9 ms |',
        ],
        ['| ID | Verifies | Steps | Expected result |', '| TC-1 | SSR-2 | Inject it | Goes within 9 ms |'],
      ],
    ],
  },
  'level-lowered': {
    tells: [
      [
        '| ID | Requirement | ASIL | Parent |',
        '| FSR-1 | It shall stop. | D | SG-1 |',
        '| FSR-2 | It shall go. | B | SG-1 |',
        '',
        '| ID | Requirement | ASIL | FSR |',
        '| TSR-1 | The unit shall stop. | B | FSR-1 |',
      ],
      [
        '| Kennung | Anforderung | ASIL | Abgeleitet von |',
        '| TSA-1 | Das Gerät muss halten. | C | FSA-1 |',
        '',
        '| Kennung | Anforderung | ASIL | Abgeleitet von |',
        '| SWA-1 | Die Software muss halten. | A | TSA-1 |',
      ],
      ['FSR-1: It shall stop. ASIL: C', 'TSR-1: The unit shall stop. ASIL: A; Parent: FSR-1'],
    ],
    silent: [
      [
        '| ID | Hazard | Situation | S | E | C | ASIL | Goal |',
        '| H1 | Too hot | Long drive | S2 | E4 | C1 | A | Goal 1 |',
        '| H2 | Too hot | Child sleeps | S2 | E3 | C3 | B | Goal 1 |',
        '',
        '| Goal | Text | ASIL | FTTI |',
        '| Goal 1 | The mat shall not be hotter than 55 °C. | B | 30 s |',
      ],
      [
        '| ID | Fehlfunktion | Situation | S | E | C | ASIL | Ziel |',
        '| GEF_01 | Verriegeln | Autobahn | S3 | E4 | C3 | D | SiZ_01 |',
        '| GEF_02 | Verriegeln | Abschleppen | S3 | E1 | C3 | A | SiZ_01 |',
        '',
        '| Ziel | Formulierung | ASIL | FTTI | Sicherer Zustand |',
        '| SiZ_01 | Die Lenksäule darf nicht verriegelt werden. | D | 100 ms | Bolzen entriegelt |',
      ],
      [
        '| ID | Requirement | ASIL | Parent |',
        '| FSR-1 | It shall stop. | D | SG-1 |',
        '',
        '| ID | Requirement | ASIL | Parent |',
        '| TSR-1 | The unit shall stop. | B(D) | FSR-1 |',
      ],
      [
        '| ID | Requirement | ASIL | Parent |',
        '| FSR-1 | It shall stop. | B | SG-1 |',
        '',
        '| ID | Requirement | ASIL | Parent |',
        '| TSR-1 | The unit shall stop. | C | FSR-1 |',
      ],
      [
        '| ID | Requirement | ASIL | Parent |',
        '| FSR-1 | It shall stop. | D | SG-1 |',
        '',
        '| ID | Test case | ASIL | Verifies |',
        '| TC-1 | Stops | B | FSR-1 |',
      ],
    ],
  },
  'test-below-limit': {
    tells: [
      [
        '### R-2 Pressure',
        'The valve shall open when the pressure is above 8 bar.',
        '## T-2 Pressure',
        'Verifies R-2.',
        '| Step | Action | Expected |',
        '| 1 | Set 5 bar | valve stays closed |',
        '| 2 | Set 7 bar | valve is open |',
      ],
      [
        '| Parameter | Value | Unit |',
        '| T_MAX | 58 | °C |',
        '',
        '| ID | Requirement | ASIL |',
        '| TSR-1 | The driver shall open the relay when a cell is above T_MAX. | C |',
        '',
        '| Test | Verifies | Stimulus | Expected |',
        '| TC-1 | TSR-1 | Heat one cell to 51 °C | The relay opens |',
      ],
      [
        '## TSR-31 Abschaltung',
        'Das Steuergerät muss den Schütz öffnen, wenn ein Fehlerstrom über 30 mA fließt.',
        '## TC-31 Auslösen',
        'Prüft: TSR-31 Es fließt ein Fehlerstrom von 20 mA. Erwartet: Der Schütz öffnet.',
      ],
    ],
    silent: [
      [
        '### R-2 Pressure',
        'The valve shall open when the pressure is above 8 bar.',
        '## T-2 Pressure',
        'Verifies R-2.',
        '| Step | Action | Expected |',
        '| 1 | Set 7 bar | valve is closed |',
        '| 2 | Set 9 bar | valve is open |',
      ],
      [
        '| ID | Requirement | ASIL |',
        '| TSR-1 | The driver shall open the relay when a cell is above 58 °C. | C |',
        '',
        '| Test | Verifies | Stimulus | Expected |',
        '| TC-1 | TSR-1 | Heat one cell to 59 °C | The relay opens |',
        '| TC-2 | TSR-1 | Heat one cell to 57 °C | The relay stays closed |',
      ],
    ],
  },
  'ends-before-it-begins': {
    tells: [
      ['| Activity | Start | End |', '| Hazard analysis | 2026-02-16 | 2026-01-30 |'],
      ['- 2026-02-16 to 2026-01-30: technical safety concept (J. Ota)'],
      ['Das Konzept entsteht vom 16.02.2026 bis 30.01.2026.'],
    ],
    silent: [['- 2026-01-30 to 2026-02-16: technical safety concept (J. Ota)']],
  },
  'assessor-has-other-role': {
    tells: [
      [
        '| Role | Name |',
        '| Test engineer | Obi Ekwueme |',
        '| Safety manager | Mirja Kallio |',
        '| Safety assessor | Obi Ekwueme |',
      ],
      ['- Projektleiterin: Petra Nowicki', '- Systemarchitekt: Jan Ohm', '- Gutachter: Jan Ohm'],
    ],
    silent: [['| Role | Name |', '| Test engineer | Obi Ekwueme |', '| Safety assessor | Ulla Brandvold |']],
  },
  'rating-against-rationale': {
    tells: [
      [
        '| ID | Hazardous event | S | E | C | Rationale C |',
        '| HE-1 | Closes on a toddler | S2 | E2 | C1 | A toddler does not react in time |',
      ],
      [
        '| Kennung | Gefährdungsereignis | S | E | C | Begründung C |',
        '| GE-1 | Schließt | S2 | E2 | C1 | Schlafende reagieren darauf nicht |',
      ],
      [
        '| ID | Hazardous event | S | Rationale S | E | Rationale E | C | Rationale C | ASIL |',
        '| HE-1 | Hits a cyclist | S1 | The cyclist can be killed | E4 | Often | C3 | No way | A |',
      ],
      [
        '| ID | Hazardous event | Severity | Rationale | Exposure | Rationale | Controllability | Rationale |',
        '| HE-1 | Spins | S3 | Fatal crash | E2 | Happens on almost every trip | C3 | Hard |',
      ],
      [
        '| Kennung | Gefährdungsereignis | E | Begründung | C | Begründung |',
        '| GE-1 | Rollt weg | E4 | Oft | C1 | Niemand sitzt im Fahrzeug |',
      ],
      // Class and reason in one field or cell, under an id of words.
      [
        '## HAZ-SHOCK Touch voltage',
        '- Severity: S1 -- a person who touches the body may be killed',
        '- Exposure: E3 -- people touch the body on some of the days',
      ],
      [
        '| Kennung | Gefährdungsereignis | Schwere | Häufigkeit |',
        '| GE-1 | Rollt weg | S1 (ein Kind wird überrollt und getötet) | E3 |',
        '| GE-2 | Rollt an | S1 (leichte Verletzungen) | E3 |',
      ],
      [
        '| Hazard | HAZ-03 |',
        '| Driving situation | Child at the window |',
        '| Severity | S1 |',
        '| Why this severity | The child can be killed |',
        '| Exposure | E3 |',
        '| ASIL | A |',
      ],
    ],
    silent: [
      // The name of the class, the same in every row.
      [
        '| ID | Hazardous event | Severity |',
        '| HE-1 | Rolls | S1: light and moderate injuries, life-threatening |',
        '| HE-2 | Spins | S1: light and moderate injuries, life-threatening |',
        '| HE-3 | Stops | S1: light and moderate injuries, life-threatening |',
      ],
      [
        '| ID | Hazardous event | S | Rationale S | E | Rationale E |',
        '| HE-1 | Hits a cyclist | S2 | Severe injuries, death is unlikely | E4 | On almost every trip |',
      ],
      [
        '| ID | Hazardous event | S | Rationale S |',
        '| HE-1 | Hits a cyclist | S2 | The cyclist can be killed |',
      ],
      [
        '| ID | Hazardous event | S | Rationale S |',
        '| HE-1 | Hits a cyclist | S1 | Light injuries; nobody is killed at this speed |',
      ],
    ],
  },
  'rationale-copied': {
    tells: [
      [
        '| ID | Hazardous event | C | Rationale C |',
        '| HE-1 | Spins | C1 | Drivers notice it and brake in time |',
        '| HE-2 | Rolls | C3 | Drivers notice it and brake in time |',
      ],
      [
        '| ID | Hazardous event | S | Rationale | E | Rationale |',
        '| HE-1 | Spins | S3 | High speed collision | E4 | Motorway driving is common |',
        '| HE-2 | Rolls | S1 | Low speed contact | E2 | Motorway driving is common |',
      ],
      [
        '| Kennung | Gefährdungsereignis | C | Begründung C |',
        '| GE-1 | Schleudert | C2 | Die meisten Fahrer bremsen rechtzeitig |',
        '| GE-2 | Rollt | C3 | Die meisten Fahrer bremsen rechtzeitig |',
      ],
    ],
    silent: [
      [
        '| ID | Hazardous event | C | Rationale C |',
        '| HE-1 | Spins | C2 | Drivers notice it and brake in time |',
        '| HE-2 | Rolls | C2 | Drivers notice it and brake in time |',
      ],
      [
        '| ID | Hazardous event | C | Rationale C |',
        '| HE-1 | Spins | C2 | Easy |',
        '| HE-2 | Rolls | C3 | Easy |',
      ],
      [
        '| ID | Requirement | Rationale |',
        '| R-1 | It shall stop. | Customer wish of the year |',
        '| R-2 | It shall go. | Customer wish of the year |',
      ],
    ],
  },
  'id-twice-in-table': {
    tells: [
      [
        '| ID | Requirement |',
        '| TSR-1 | The unit shall open the supply switch. |',
        '| TSR-1 | The unit shall store every fault with its mileage. |',
      ],
      [
        '| Kennung | Beschreibung |',
        '| TSA-1 | Das Gerät muss die Versorgung des Motors abschalten. |',
        '| TSA-1 | Der Fahrer sieht eine Warnung im Kombiinstrument. |',
      ],
      [
        '| Req ID | Text |',
        '| sys_12 | x |',
        '| REQ-12 | Motor torque limited by ambient temperature. |',
        '| REQ-12 | Door handles light up at night time. |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement |',
        '| TSR-1 | The unit shall open the supply switch. |',
        '| TSR-2 | The unit shall store every fault. |',
      ],
      [
        '| ID | Requirement | Test |',
        '| TSR-1 | The unit shall open the supply switch. | TC-1 |',
        '| TSR-1 | The unit shall open the supply switch. | TC-2 |',
      ],
      [
        '| ID | Requirement |',
        '| TSR-1 | The unit shall open the supply switch. |',
        '',
        '# Criteria',
        '| ID | Acceptance criterion |',
        '| TSR-1 | Voltage falls below one volt at the terminal. |',
      ],
    ],
  },
  'closed-but-open': {
    tells: [
      [
        '# Findings',
        '| Finding ID | Finding | Status |',
        '| RF-1 | Missing unit | open |',
        '',
        'All findings are closed.',
      ],
      [
        '# Befunde',
        '| Kennung | Befund | Status |',
        '| B-1 | Einheit fehlt | offen |',
        '',
        'Alle Befunde wurden erledigt.',
      ],
      [
        '# Points',
        '| No | Description | State |',
        '| 1 | Missing unit | in progress |',
        '',
        'All review points have been resolved.',
      ],
    ],
    silent: [
      [
        '# Findings',
        '| Finding ID | Finding | Status |',
        '| RF-1 | Missing unit | closed |',
        '',
        'All findings are closed.',
      ],
      [
        '# Findings',
        '| Finding ID | Finding | Status |',
        '| RF-1 | Missing unit | open |',
        '',
        'One finding is open.',
      ],
      [
        '# Findings',
        'All findings are closed.',
        '# Risks',
        '| ID | Risk | Status |',
        '| RK-1 | Late delivery | open |',
      ],
    ],
  },
  'independence-planned-too-low': {
    tells: [
      [
        '| Confirmation measure | Work product | Required independence | Planned independence |',
        '| Review | HARA | I3 | I1 |',
      ],
      [
        '| Bestätigungsmaßnahme | Arbeitsprodukt | Geforderte Unabhängigkeit | Geplante Unabhängigkeit |',
        '| Prüfung | HARA | I2 | I0 |',
      ],
      [
        '| Measure | Document | Independence required | Independence |',
        '| Audit | Plan | I3 (other department) | I 2 |',
      ],
    ],
    silent: [
      [
        '| Confirmation measure | Work product | Required independence | Planned independence |',
        '| Review | HARA | I1 | I3 |',
      ],
      [
        '| Confirmation measure | Work product | Required independence | Planned independence |',
        '| Review | HARA | I3 | other company |',
      ],
      ['| Interface | From | To |', '| I3 | Unit | I1 |'],
    ],
  },
  'tailored-without-reason': {
    tells: [
      ['| Part or phase | Decision | Rationale |', '| Part 5 | Not carried out | Saves cost and time |'],
      ['| Teil oder Phase | Entscheidung | Begründung |', '| Teil 5 | entfällt | Aus Kostengründen |'],
      ['| Phase | Tailoring | Justification |', '| Production | tailored out | no budget |'],
    ],
    silent: [
      [
        '| Part or phase | Decision | Rationale |',
        '| Part 12 | Not applicable | The item is used in passenger cars only |',
      ],
      ['| Part or phase | Decision | Rationale |', '| Part 5 | Carried out | Saves cost |'],
      [
        '| Part or phase | Decision | Rationale |',
        '| Part 5 | Not carried out | Hardware is taken over unchanged, which saves cost |',
      ],
    ],
  },
  'activity-denied': {
    tells: [
      ['# Analysis', 'A dependent failures analysis was not performed.'],
      ['# Prüfung', 'Eine Prüfung des Dokuments wurde nicht durchgeführt.'],
      [
        '| Field | Value |',
        '| Verification | No verification review of this document was performed |',
        '| Other | x |',
      ],
      ['# Measures', 'We skipped the confirmation review of the safety plan because of the schedule.'],
      ['# Review', 'The review meeting was cancelled and has not been rescheduled.'],
      ['# Persons', 'The position of the assessor is vacant since March.'],
      ['# Persons', 'Evidence of the training of the test engineers could not be presented.'],
      ['# Interface', 'The supplier has refused to sign the development interface agreement.'],
      ['# Validation', 'It has been decided to do without validation in the vehicle.'],
      ['# Decomposition', 'Independence of both channels was assumed and never analysed.'],
      ['# Times', 'The time of goal 2 is an estimate that nobody has confirmed.'],
      ['# Prüfung', 'Das Bestätigungsreview ist wegen Krankheit ausgefallen.'],
      ['# Analyse', 'Auf eine Analyse abhängiger Ausfälle wurde verzichtet.'],
      ['# Personen', 'Die Stelle des Assessors ist seit März unbesetzt.'],
      ['# Nachweise', 'Der Kompetenznachweis konnte beim Audit nicht vorgelegt werden.'],
      ['# Annahmen', 'Die Unabhängigkeit der Kanäle wurde nie untersucht.'],
    ],
    silent: [
      ['# Analysis', 'A dependent failures analysis was performed.'],
      ['# Tests', 'Tests that could not be performed at -20 degrees are repeated in the climate chamber.'],
      ['# Tests', 'Skipped tests are listed in the report and repeated in the next build.'],
      ['# Analysis', 'No violation of a goal was found, and the result was confirmed.'],
      ['# Review', 'A review is not closed as long as one of its findings was not verified.'],
      ['# Review', 'None of the remarks was rejected by the author.'],
      ['# Prüfung', 'Was nicht geändert wurde, wird nicht noch einmal geprüft.'],
      ['# Prüfung', 'Ein Review, das nicht stattfindet, meldet die Managerin am selben Tag.'],
      ['# Scope', 'This document is not verified when printed.'],
      ['# Analysis', 'An impact analysis was not performed because the item is a new development.'],
    ],
  },
  'text-differs': {
    tells: [
      [
        [
          '# Goals',
          '| ID | Safety goal | ASIL |',
          '| SG-1 | The seat shall not move while driving faster than 5 km/h. | B |',
        ],
        [
          '# Concept',
          '| Goal ID | Goal | Integrity level |',
          '| SG-1 | The seat shall not move while driving faster than 15 km/h. | B |',
        ],
      ],
      [
        [
          '# Ziele',
          '| Kennung | Sicherheitsziel | ASIL |',
          '| SZ-4 | Die Hochvoltbatterie muss bei einem Unfall abgeschaltet werden. | C |',
        ],
        [
          '# Konzept',
          '| Nr. | Ziel | ASIL |',
          '| SZ-4 | Die Hochvoltbatterie muss bei einem Unfall nicht abgeschaltet werden. | C |',
        ],
      ],
      [
        [
          '# A',
          '| ID | Requirement | ASIL |',
          '| FSR-3 | The main relay shall be closed after an overvoltage. | C |',
        ],
        [
          '# B',
          '| ID | Requirement | ASIL |',
          '| FSR-3 | The main relay shall be open after an overvoltage. | C |',
        ],
      ],
    ],
    silent: [
      // The same limit in another unit, other blanks and signs.
      [
        [
          '# A',
          '| ID | Requirement | ASIL |',
          '| FSR-3 | The relay shall open within 0.5 s after an overvoltage. | C |',
        ],
        [
          '# B',
          '| ID | Requirement | ASIL |',
          '| FSR-3 | The relay shall open within 500 ms after an over-voltage | C |',
        ],
      ],
      // Numbers that each document begins anew.
      [
        [
          '# A',
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The lamp shall be on within 100 ms. | A |',
          '',
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The pump shall stop within 300 ms. | A |',
        ],
        ['# B', '| ID | Requirement | ASIL |', '| FSR-1 | The lamp shall be on within 200 ms. | A |'],
      ],
      // One of the texts adds to the other.
      [
        ['# A', '| ID | Safety goal | ASIL |', '| SG-1 | The seat shall not move while driving. | B |'],
        [
          '# B',
          '| ID | Safety goal | ASIL |',
          '| SG-1 | The seat shall not move while driving (FTTI 300 ms). | B |',
        ],
      ],
    ],
  },
  'text-reworded': {
    tells: [
      [
        [
          '# A',
          '| ID | Hazardous event | S | E | C | ASIL |',
          '| HE-2 | The driver is trapped in the burning vehicle | S3 | E1 | C3 | A |',
        ],
        [
          '# B',
          '| Event ID | Hazardous event | ASIL |',
          '| HE-2 | The passenger cannot leave the vehicle after a collision | A |',
        ],
      ],
      [
        [
          '# A',
          '| Kennung | Sicherheitsziel | ASIL |',
          '| SZ-1 | Unbeabsichtigtes Öffnen der Heckklappe während der Fahrt vermeiden | A |',
        ],
        [
          '# B',
          '| Kennung | Sicherheitsziel | ASIL |',
          '| SZ-1 | Unbeabsichtigtes Schließen der Heckklappe während der Fahrt vermeiden | A |',
        ],
      ],
      // The same goal, only beyond a speed; ids made of words.
      [
        ['# A', '| ID | Safety goal | ASIL |', '| GOAL-ROOF | The roof shall be locked after a crash. | A |'],
        [
          '# B',
          '| ID | Safety goal | ASIL |',
          '| GOAL-ROOF | The roof shall be locked after a crash above 30 km/h. | A |',
        ],
      ],
    ],
    silent: [
      // A time may stand in a column of its own.
      [
        ['# A', '| ID | Safety goal | ASIL |', '| GOAL-ROOF | The roof shall be locked after a crash. | A |'],
        [
          '# B',
          '| ID | Safety goal | ASIL |',
          '| GOAL-ROOF | The roof shall be locked within 2 s after a crash. | A |',
        ],
      ],
      [
        [
          '# A',
          '| ID | Safety goal | ASIL |',
          '| SG-1 | Avoid unintended opening of the tailgate while driving | A |',
        ],
        [
          '# B',
          '| ID | Safety goal | ASIL |',
          '| SG-1 | Avoid unintended opening of the tailgate while driving. | A |',
        ],
      ],
      // The texts of tests and elements are not repeated.
      [
        ['# A', '| ID | Requirement |', '| EL-1 | Rear camera with its own control unit |'],
        ['# B', '| ID | Description |', '| EL-1 | Sends pictures of the area behind the vehicle |'],
      ],
    ],
  },
  'refinement-of-other': {
    tells: [
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The charger shall stop charging above 60 °C of the cells. | C |',
        '| FSR-2 | The charger shall report an isolation fault to the driver. | C |',
        '| FSR-3 | The charger shall lock the plug while current flows. | C |',
        '',
        '| ID | Requirement | Derived from | Integrity level |',
        '| TSR-1 | The monitor shall open the contactor when a cell reaches 60 °C. | FSR-1 | C |',
        '| TSR-2 | The measuring circuit shall detect an isolation resistance below 100 kOhm. | FSR-2 | C |',
        '| TSR-3 | The gateway shall forward the isolation fault message to the cluster. | FSR-2 | C |',
        '| TSR-4 | The actuator shall keep the plug locked above 1 A. | FSR-3 | C |',
        '| TSR-5 | The monitor shall read the temperature of all cells each second. | FSR-1 | C |',
        '| TSR-6 | The door shall unlock after a crash of the vehicle. | FSR-3 | C |',
      ],
      [
        '| Kennung | Anforderung | ASIL |',
        '| FSA-1 | Das Lenkrad muss bei Überlast des Motors freigegeben werden. | D |',
        '| FSA-2 | Die Lenkwinkelsensoren müssen vor jeder Unterstützung verglichen werden. | D |',
        '',
        '| Kennung | Anforderung | Verfeinert | ASIL |',
        '| TSA-1 | Die Endstufe muss das Lenkrad bei Überlast freigeben. | FSA-1 | D |',
        '| TSA-2 | Der Rechner muss die Lenkwinkel beider Sensoren vergleichen. | FSA-2 | D |',
        '| TSA-3 | Der Rechner muss ungleiche Lenkwinkelsensoren melden. | FSA-2 | D |',
        '| TSA-4 | Die Überlast muss aus dem Motorstrom berechnet werden. | FSA-1 | D |',
        '| TSA-5 | Der Fahrersitz muss drei gespeicherte Positionen anbieten. | FSA-2 | D |',
      ],
    ],
    silent: [
      // A part that the requirement does not name, and the item knows.
      [
        '| Element | Task |',
        '| Pawl | The pawl of the latch is pressed by a spring, without current. |',
        '',
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The charger shall stop charging above 60 °C of the cells. | C |',
        '| FSR-2 | The plug shall stay shut without supply. | C |',
        '',
        '| ID | Requirement | Derived from | ASIL |',
        '| TSR-1 | The monitor shall stop charging when a cell reaches 60 °C. | FSR-1 | C |',
        '| TSR-2 | The plug shall stay shut when the motor has no supply. | FSR-2 | C |',
        '| TSR-3 | The monitor shall read all cells while charging. | FSR-1 | C |',
        '| TSR-4 | The charger shall report charging that was stopped. | FSR-1 | C |',
        '| TSR-5 | The pawl of the latch is held by a spring without current. | FSR-2 | C |',
      ],
      // Causes that a goal does not name.
      [
        '| ID | Safety goal | ASIL |',
        '| SG-1 | The vehicle stays at rest on slopes. | C |',
        '',
        '| ID | Requirement | Parent | ASIL |',
        '| FSR-1 | The brake shall hold the vehicle on slopes. | SG-1 | C |',
        '| FSR-2 | The vehicle shall stay at rest after ignition off. | SG-1 | C |',
        '| FSR-3 | The pump shall keep the pressure on slopes. | SG-1 | C |',
        '| FSR-4 | The controller shall detect that the vehicle is not at rest. | SG-1 | C |',
        '| FSR-5 | The valve current shall be monitored by a second channel. | SG-1 | C |',
      ],
      // A table in which many rows use other words than what they refine.
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The charger shall stop charging above 60 °C of the cells. | C |',
        '',
        '| ID | Requirement | Derived from | ASIL |',
        '| TSR-1 | The contactor opens on request of the monitor. | FSR-1 | C |',
        '| TSR-2 | The monitor reads the thermistors each second. | FSR-1 | C |',
        '| TSR-3 | The monitor compares two thermistors. | FSR-1 | C |',
        '| TSR-4 | The cells are measured by a multiplexer. | FSR-1 | C |',
        '| TSR-5 | The watchdog resets the monitor. | FSR-1 | C |',
      ],
    ],
  },
  'handling-time-wrong': {
    tells: [
      [
        '| ID | Requirement | FDTI | FRTI | FHTI |',
        '| FSR-1 | The pump shall stop. | 50 ms | 80 ms | 100 ms |',
      ],
      [
        '| Kennung | Anforderung | Erkennungszeit | Reaktionszeit | Summe |',
        '| FSA-1 | Die Pumpe muss stehen. | 0,2 s | 300 ms | 600 ms |',
      ],
    ],
    silent: [
      // Each cell tells its own sum.
      [
        '| ID | Requirement | FDTI | FRTI | FHTI |',
        '| FSR-1 | The pump shall stop. | 40 ms filter + 60 ms samples = 100 ms | 20 ms opening + 80 ms decay = 100 ms | 200 ms |',
      ],
      // A cell adds up two parts of the reaction.
      [
        '| Goal | Detection time | Reaction time | Total |',
        '| SG-1 | 1800 ms | 400 ms + 100 ms (lamp) | 2300 ms |',
      ],
      [
        '| ID | Requirement | FDTI | FRTI | FHTI |',
        '| FSR-1 | The pump shall stop. | 50 ms | 80 ms | 130 ms |',
      ],
      ['| ID | Requirement | FDTI | FHTI |', '| FSR-1 | The pump shall stop. | 50 ms | 100 ms |'],
      [
        '| Kennung | Anforderung | Erkennungszeit | Meldung | Reaktionszeit | Summe |',
        '| FSA-1 | Die Pumpe muss stehen. | 0,2 s | 0,3 s | 300 ms | 800 ms |',
      ],
    ],
  },
  'handling-time-too-long': {
    tells: [
      [
        '| Chain | Detection | Own reaction | Valve release | Total | FTTI |',
        '| TSR-1 (main controller) | 180 ms | 50 ms | 100 ms | 330 ms | 300 ms |',
      ],
      [
        '| ID | Requirement | Fault handling time | FTTI |',
        '| FSR-1 | The pump shall stop. | 150 ms | 100 ms |',
      ],
      [
        '| Kennung | Anforderung | Fehlerbehandlungszeit [ms] | Fehlertoleranzzeit [ms] |',
        '| FSA-1 | Die Pumpe muss stehen. | 400 | 300 |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Fault handling time | FTTI |',
        '| FSR-1 | The pump shall stop. | 0.1 s | 100 ms |',
      ],
    ],
  },
  'not-complied': {
    tells: [
      [
        '| ID | Requirement | Fulfilled |',
        '| FSR-1 | The pump shall stop. | yes |',
        '| FSR-2 | The valve shall close. | no, see next release |',
      ],
      [
        '| Kennung | Anforderung | Erfüllt |',
        '| FSA-1 | Die Pumpe muss stehen. | ja |',
        '| FSA-2 | Das Ventil muss schließen. | nein |',
      ],
      [
        '| Clause | Demand | Compliance |',
        '| 5.1 | Roles are named. | compliant |',
        '| 5.2 | Roles are trained. | not compliant |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Fulfilled |',
        '| FSR-1 | The pump shall stop. | yes |',
        '| FSR-2 | The valve shall close. | n/a |',
      ],
      [
        '| ID | Requirement | Compliance |',
        '| FSR-1 | The pump shall stop. | no later than 2027 |',
        '| FSR-2 | The valve shall close. | none |',
      ],
      [
        '| ID | Requirement | Verified |',
        '| FSR-1 | The pump shall stop. | yes |',
        '| FSR-2 | The valve shall close. | no |',
      ],
    ],
  },
  'total-wrong': {
    tells: [
      [
        '| Part | Failure rate [FIT] | Residual [FIT] |',
        '| R1 | 12 | 1.5 |',
        '| C4 | 8 | 0.5 |',
        '| U2 | 40 | 4 |',
        '| Total | 60 | 7 |',
      ],
      [
        '| Schritt | Zeit |',
        '| Erkennen | 20 ms |',
        '| Bewerten | 15 ms |',
        '| Schalten | 30 ms |',
        '| Summe | 55 ms |',
      ],
    ],
    silent: [
      ['| Part | FIT |', '| R1 | 12.34 |', '| C4 | 8.17 |', '| Total | 20.5 |'],
      // The largest is no sum, and a text is no number.
      ['| Step | Time |', '| Detect | 20 ms |', '| Judge | about 15 ms |', '| Total | 30 ms |'],
      ['| Part | Share |', '| R1 | 12 |', '| C4 | 8 |', '| Overall rating | 4 |'],
    ],
  },
  'rationale-of-other-circumstance': {
    tells: [
      [
        '| ID | Operational situation | S | S rationale | E | E rationale | C |',
        '| HE-1 | Overtaking on a rural road | S3 | On a motorway a crash kills | E3 | Occurs on many trips | C3 |',
      ],
      [
        '| ID | Situation | Weather | S | E | Rationale (for exposure) | C |',
        '| HE-1 | Country road | dry | S2 | E2 | Driving on snow happens on a few days a year | C2 |',
      ],
      [
        '| ID | Betriebssituation | S | E | Begründung E | C |',
        '| GE-1 | Fahrt auf der Autobahn | S3 | E4 | Stadtverkehr kommt auf jeder Fahrt vor | C2 |',
      ],
    ],
    silent: [
      [
        '| ID | Operational situation | S | S rationale | E | E rationale | C |',
        '| HE-1 | Overtaking on a rural road | S3 | As on a motorway a crash on a rural road kills | E3 | Occurs on many trips | C3 |',
      ],
      [
        '| ID | Situation | S | E | E rationale | C |',
        '| HE-1 | Parked on a slope | S2 | E2 | Happens in the city and on a motorway rest area | C2 |',
      ],
      [
        '| ID | Betriebssituation | S | E | Begründung E | C |',
        '| GE-1 | Nasse Landstraße | S3 | E3 | Bei Regen sind einige Prozent der Fahrten | C2 |',
      ],
    ],
  },
  'rationale-without-reason': {
    tells: [
      // In paragraphs below the events.
      [
        '### HE.1 Hard braking',
        'Severity is S3, since a collision may be fatal. Exposure is E3: this is the figure that was agreed upon in the meeting. Controllability is C2, because most drivers keep the gap.',
        '### HE.2 No braking',
        'Severity is S3, since a collision may be fatal. Exposure is E4: it occurs on every trip. Controllability is C1, because the driver brakes.',
      ],
      [
        '| Kennung | Gefährdungsereignis | E | Begründung E |',
        '| GE-1 | Rollt weg | E4 | Wert wie bei uns üblich |',
        '| GE-2 | Bremst zu stark | E3 | kommt mehrmals im Monat vor |',
      ],
      [
        '| ID | Event | S | E | C | Reason |',
        '| HE-1 | Opens | 3 | 2 | 2 | S: fatal crash. E: less than 1 % of the time. C: most drivers can brake. |',
        '| HE-2 | Closes | 2 | 2 | 2 | See the catalogue, the values were jointly entered. |',
        '| HE-3 | Sticks | 1 | 3 | 2 | S: bruises of a passenger. E: every week. C: most people can move away. |',
      ],
      [
        '| ID | Situation | S | S rationale | E | C |',
        '| HE-1 | Motorway | S3 | The speed is above 100 km/h | E4 | C2 |',
      ],
      [
        '| ID | Situation | S | E | E rationale | C |',
        '| HE-1 | Towing a trailer uphill | S2 | E2 | Trailer uphill with load | C2 |',
      ],
      [
        '| ID | Situation | S | E | C | C rationale |',
        '| HE-1 | Driving through a tunnel at high speed | S2 | E2 | C3 | Difficult to control the car at high speed in a tunnel |',
      ],
      [
        '| ID | Situation | S | Begründung S | E | C |',
        '| GE-1 | Laden in der Garage | S3 | Die Temperatur der Zellen ist hoch | E4 | C2 |',
      ],
    ],
    silent: [
      [
        '| ID | Situation | S | S rationale | E | E rationale | C | C rationale |',
        '| HE-1 | Motorway | S3 | At 100 km/h occupants are killed | E4 | On 10 % of the driving time | C2 | The driver can brake |',
      ],
      [
        '| ID | Situation | S | S rationale | E | E rationale | C |',
        '| HE-1 | Motorway | S0 | Only the comfort is reduced | E4 | See SIT-01 | C2 |',
      ],
      [
        '| ID | Situation | S | Begründung S | E | Begründung E | C | Begründung C |',
        '| GE-1 | Laden in der Garage | S3 | Rauchvergiftung der Bewohner, Brand | E4 | Jede Nacht mehrere Stunden | C3 | Schlafende bemerken es nicht |',
      ],
    ],
  },
  'malfunction-against-guide-word': {
    tells: [
      [
        '| ID | Guide word | Resulting malfunction |',
        '| MF-1 | MORE | The pump delivers too little coolant |',
      ],
      [
        '| ID | Deviation | Deviation details |',
        '| MF-1 | Function always activated | In tunnels the assist function degrades and nobody notices |',
      ],
      [
        '| ID | Leitwort | Beschreibung der Fehlfunktion |',
        '| FF-1 | zu früh | Der Verstärker bremst zu spät |',
      ],
    ],
    silent: [
      [
        '| ID | Guide word | Resulting malfunction |',
        '| MF-1 | MORE | The pump delivers too much coolant, the heater then gets too little |',
        '| MF-2 | LESS | The pump delivers not enough coolant |',
        '| MF-3 | NO | The pump delivers too little coolant |',
      ],
      [
        '| ID | Leitwort | Beschreibung der Fehlfunktion |',
        '| FF-1 | zu spät | Der Verstärker bremst mehr als 300 ms nach der Anforderung |',
      ],
    ],
  },
  'exposure-of-fault': {
    tells: [
      [
        '| ID | Situation | S | E | E rationale | C |',
        '| HE-1 | Driving in a tunnel | S3 | E1 | A failure of the sensor is very rare | C3 |',
      ],
      [
        '| ID | Situation | S | E | E rationale | C |',
        '| HE-1 | Driving in a tunnel, hands off | S3 | E2 | Misuse in a tunnel happens not often | C3 |',
      ],
      [
        '| ID | Situation | S | E | Begründung E | C |',
        '| GE-1 | Laden in der Garage | S3 | E1 | Der Ausfall der Kühlung ist unwahrscheinlich | C3 |',
      ],
    ],
    silent: [
      [
        '| ID | Situation | S | E | E rationale | C |',
        '| HE-1 | Passenger pulls the lever while driving | S3 | E1 | Such misuse is known of few vehicles | C3 |',
      ],
      [
        '| ID | Situation | S | E | Begründung E | C |',
        '| GE-1 | Abschleppen nach einem Ausfall | S3 | E1 | Abschleppen kommt selten vor | C3 |',
      ],
    ],
  },
  'severity-without-persons': {
    tells: [
      [
        '| ID | Situation | Hazardous event description | S | E | C |',
        '| HE-1 | City street at 30 km/h | Car gets out of control | S1 | E4 | C3 |',
      ],
      [
        '| ID | Situation | Beschreibung | S | E | C |',
        '| GE-1 | Langsame Fahrt in der Stadt | Fahrzeug schleudert | S1 | E4 | C3 |',
      ],
    ],
    silent: [
      [
        '| ID | Situation | Hazardous event description | S | E | C |',
        '| HE-1 | City street at 30 km/h | Car gets out of control and hits a pedestrian | S1 | E4 | C3 |',
        '| HE-2 | City street at 30 km/h | Car stops and is hit from behind | S1 | E4 | C3 |',
        '| HE-3 | Race track | Car gets out of control | S1 | E1 | C3 |',
        '| HE-4 | City street at 30 km/h | Car gets out of control | S3 | E4 | C3 |',
      ],
    ],
  },
  'goal-prescribes-solution': {
    tells: [
      ['| ID | Safety goal | ASIL |', '| SG-1 | The watchdog shall reset the inverter when it hangs. | C |'],
      ['| ID | Sicherheitsziel | ASIL |', '| SZ-1 | Bei Ausfall der Kamera muss das Licht an bleiben. | B |'],
    ],
    silent: [
      [
        '| ID | Safety goal | ASIL |',
        '| SG-1 | The inverter shall not apply torque without a request. | C |',
      ],
      // What every goal names is the item.
      [
        '| ID | Safety goal | ASIL |',
        '| SG-1 | The mirror camera shall not show a delayed picture. | B |',
        '| SG-2 | The mirror camera shall not show a frozen picture. | B |',
        '| SG-3 | The mirror camera shall not show a mirrored picture. | B |',
      ],
      // How a goal is met, where another document states it.
      [
        ['| ID | Safety goal | ASIL |', '| ZIEL-DACH | The roof shall be closed while driving. | B |'],
        ['# Concept', '**ZIEL-DACH.** The software reads the speed and closes the roof.'],
      ],
    ],
  },
  'requirement-undecidable': {
    tells: [
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The board should usually stop fast enough when the current is considerably too high. | D |',
      ],
      ['## FSA-WARNUNG', 'Das Steuergerät soll den Fahrer nach Möglichkeit warnen.'],
    ],
    silent: [
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The board shall stop within 20 ms if possible. | D |',
        '| FSR-2 | The board shall stop when the current exceeds the limit. | D |',
        '| OP-3 | It should usually be checked whether this is enough. | - |',
      ],
    ],
  },
  'goal-undecidable': {
    tells: [
      ['| ID | Safety goal | ASIL |', '| SG-1 | The gong shall be strong enough to be heard. | B |'],
      ['| ID | Sicherheitsziel | ASIL |', '| SZ-1 | Die Bremse muss möglichst bald lösen. | B |'],
    ],
    silent: [
      [
        '| ID | Safety goal | ASIL |',
        '| SG-1 | The lamp shall be seen from a sufficient distance of 50 m. | B |',
      ],
      ['| ID | Sicherheitsziel | ASIL |', '| SZ-1 | Die Bremse darf nicht ungewollt lösen. | B |'],
    ],
  },
  'safe-state-repeats-limit': {
    tells: [
      [
        '| ID | Requirement | Safe state |',
        '| FSR-1 | The heater shall keep the seat surface temperature below 45 °C. | Seat surface temperature below 45 °C |',
        '| FSR-2 | The controller shall limit the closing force to 100 N. | Closing force below 100 N |',
      ],
      [
        '| Kennung | Anforderung | Sicherer Zustand |',
        '| FSA-1 | Die Pumpe muss den Druck unter 8 bar halten. | Druck der Pumpe unter 8 bar |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Safe state |',
        '| FSR-1 | The heater shall keep the seat surface temperature below 45 °C. | Heater off, seat surface temperature below 45 °C |',
        '| FSR-2 | The heater shall report its temperature. | Power below 20 W |',
        '| FSR-3 | The voltage of the bus shall be below 60 V not later than 5 s after the vehicle is off. | Voltage of the bus below 60 V |',
      ],
    ],
  },
  'safe-state-leaves-output': {
    tells: [
      [
        '| ID | Requirement | Safe state |',
        '| FSR-1 | The gong shall not sound all the time. | Frequency of the gong is set to zero |',
      ],
      [
        '| Kennung | Anforderung | Sicherer Zustand |',
        '| FSA-1 | Der Summer darf nicht dauernd tönen. | Die Frequenz des Summers ist 0 |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Safe state |',
        '| FSR-1 | The gong shall not sound all the time. | Amplitude of the gong is set to zero |',
      ],
      [
        '| ID | Requirement | Safe state |',
        '| FSR-1 | The drive shall stop. | Frequency converter set to zero torque |',
      ],
    ],
  },
  'limit-commanded': {
    tells: [
      ['| ID | Requirement | ASIL |', '| TSR-1 | On a fault Max_Heating_Power shall be set to zero. | B |'],
      ['| ID | Anforderung | ASIL |', '| TSA-1 | Die Prüfsumme muss Min_Pressure Signal umfassen. | B |'],
    ],
    silent: [
      [
        '| ID | Requirement | ASIL |',
        '| TSR-1 | Above Max_Heating_Power the signal Heating_Power shall be set to zero. | B |',
      ],
    ],
  },
  'interval-is-no-time': {
    tells: [
      [
        '| ID | Requirement | FTTI |',
        '| FSR-1 | The pump shall stop. | 200 ms |',
        '| FSR-2 | The memory shall be tested. | each start |',
      ],
      [
        '| Kennung | Anforderung | Fehlertoleranzzeit |',
        '| FSA-1 | Stopp. | 200 ms |',
        '| FSA-2 | Speichertest. | beim Einschalten |',
      ],
    ],
    silent: [
      // A reason why there is none.
      [
        '| ID | Requirement | FTTI |',
        '| FSR-1 | A shall hold. | 50 ms |',
        '| FSR-2 | B shall hold. | 60 ms |',
        '| FSR-3 | C shall hold. | not limited by FTTI, the safe state is reached before |',
      ],
      [
        '| ID | Requirement | FTTI |',
        '| FSR-1 | The pump shall stop. | 200 ms |',
        '| FSR-2 | The memory shall be tested. | n/a, latent |',
      ],
      [
        '| ID | Requirement | FTTI |',
        '| FSR-1 | The pump shall stop. | T_stop |',
        '| FSR-2 | The valve shall close. | T_close |',
      ],
    ],
  },
  'criterion-undecided': {
    tells: [
      [
        '| ID | Requirement | Verification criteria |',
        '| FSR-1 | The pump shall stop. | Switch the sensor off and see what happens |',
      ],
      [
        '| ID | Anforderung | Verifikationskriterium |',
        '| FSA-1 | Die Pumpe muss stoppen. | Prüfen, ob alles funktioniert |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | Verification criteria |',
        '| FSR-1 | The pump shall stop. | Switch the sensor off; the pump stops within 200 ms |',
      ],
    ],
  },
  'criterion-other-limit': {
    tells: [
      [
        '| ID | Requirement | ASIL | Verification criteria |',
        '| FSR-1 | The current shall stay below Max_Current. | B | No fault is reported up to Max_Voltage |',
      ],
      [
        '| ID | Anforderung | ASIL | Verifikationskriterium |',
        '| FSA-1 | Der Druck muss unter Max_Pressure bleiben. | B | Abschaltung über Max_Flow |',
      ],
    ],
    silent: [
      [
        '| ID | Requirement | ASIL | Verification criteria |',
        '| FSR-1 | The current shall stay below Max_Current. | B | Max_Current and Max_Voltage are not exceeded |',
      ],
      [
        '| ID | Requirement | ASIL | Verification criteria |',
        '| FSR-1 | The current shall be low. | B | Max_Current is not exceeded |',
      ],
    ],
  },
  'warning-by-manual': {
    tells: [
      [
        '| ID | Degradation | Driver warning |',
        "| W-1 | Heater off | The owner's manual tells that the heater may fail |",
      ],
      ['| ID | Degradierung | Fahrerwarnung |', '| W-1 | Heizung aus | Hinweis in der Betriebsanleitung |'],
    ],
    silent: [
      [
        '| ID | Degradation | Driver warning |',
        '| W-1 | Manual mode | Lamp and gong; manual switch stays usable |',
      ],
    ],
  },
  'independence-assumed': {
    tells: [
      ['# Concept', 'We assume that a fault of the radio does not affect the brake.'],
      ['# Konzept', 'Es wird angenommen, dass das Radio keinen Einfluss auf die Bremse hat.'],
    ],
    silent: [
      [
        '# Concept',
        'We assume that a fault of the radio does not affect the brake, see the analysis in DFA-3.',
      ],
      ['# Concept', 'The driver is assumed to have both hands free.'],
      ['# Konzept', 'Das Radio hat keinen Einfluss auf die Bremse.'],
    ],
  },
  'task-of-everybody': {
    tells: [
      [
        '# Safety plan',
        '| Activity | Responsibility |',
        '| Coordinate the safety activities | All team members |',
        '| Write the concept | Ada Byron |',
      ],
      [
        '# Sicherheitsplan',
        '| Tätigkeit | Verantwortlich |',
        '| Sicherheitsaudits durchführen | alle Mitarbeiter |',
        '| Konzept schreiben | Ada Byron |',
      ],
    ],
    silent: [
      [
        '# Safety plan',
        '| Activity | Responsibility |',
        '| Live a safety culture | All team members |',
        '| Coordinate the safety activities | Safety manager |',
      ],
    ],
  },
  'id-means-other': {
    tells: [
      [
        [
          '| ID | Technical safety requirement | ASIL |',
          '| TSR-1 | The controller shall limit the heating current to 8 A. | B |',
          '| TSR-2 | The controller shall test its memory during every start. | B |',
        ],
        [
          '| ID | Technical safety requirement | ASIL |',
          '| TSR-1 | The controller shall limit the heating current to 8 A. | B |',
          '| TSR-3 | The controller shall test its memory during every start. | B |',
          '| TSR-2 | The display shall show a lamp when the mat is broken. | B |',
        ],
      ].map((lines, at) =>
        at === 0
          ? [...lines, '| TSR-3 | The display shall show a lamp when the mat is broken. | B |']
          : lines,
      ),
    ],
    silent: [
      [
        [
          '| ID | Requirement | ASIL |',
          '| TSR-1 | The controller shall limit the heating current to 8 A. | B |',
          '| TSR-2 | The controller shall test its memory during every start. | B |',
        ],
        [
          '| ID | Requirement | ASIL |',
          '| TSR-1 | The controller limits the current for heating to 8 A. | B |',
          '| TSR-2 | The controller shall test its memory during every start. | B |',
        ],
      ],
    ],
  },
  'measure-swapped': {
    tells: [
      [
        [
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The unit shall report a fault of the left lamp to the driver. | B |',
        ],
        [
          '| ID | Requirement | Allocated to |',
          '| FSR-1 | The unit shall report a fault of the right lamp to the driver. | Unit |',
        ],
      ],
      [
        [
          '| ID | Anforderung | ASIL |',
          '| FSA-1 | Das Gerät muss die Amplitude des Summers unter 60 dB halten. | B |',
        ],
        [
          '| ID | Anforderung | Zuordnung |',
          '| FSA-1 | Das Gerät muss die Frequenz des Summers unter 60 dB halten. | Gerät |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The unit shall report a fault of the left or right lamp. | B |',
        ],
        [
          '| ID | Requirement | Allocated to |',
          '| FSR-1 | The unit shall report a fault of a left or right lamp. | Unit |',
        ],
      ],
      [
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The unit shall report a fault of the left lamp to the driver. | B |',
        '',
        '| ID | Requirement | ASIL |',
        '| FSR-1 | The unit shall report a fault of the right lamp to the driver. | B |',
      ],
    ],
  },
  'id-reused': {
    tells: [
      [
        'Requirements related to FSR-1 are:',
        '| ID | Technical safety requirement | ASIL |',
        '| TSR-1 | The controller shall limit the heating current to 8 A. | B |',
        '',
        'Requirements related to FSR-2 are:',
        '| ID | Technical safety requirement | ASIL |',
        '| TSR-1 | The display shall show a lamp while the mat is broken. | B |',
      ],
      [
        '| Kennung | Technische Sicherheitsanforderung | ASIL |',
        '| TSA-1 | Das Steuergerät muss den Heizstrom der Matte auf 8 A begrenzen. | B |',
        '',
        'Weitere Anforderungen:',
        '| Kennung | Technische Sicherheitsanforderung | ASIL |',
        '| TSA-1 | Die Anzeige muss bei gebrochener Matte eine Lampe einschalten. | B |',
      ],
    ],
    silent: [
      // A copy, and another table about the same ids.
      [
        '| ID | Technical safety requirement | ASIL |',
        '| TSR-1 | The controller shall limit the heating current to 8 A. | B |',
        '',
        'Summary of levels:',
        '| ID | Technical safety requirement | ASIL |',
        '| TSR-1 | The controller shall limit the current of the heating to 8 A. | B |',
        '',
        '| ID | Technical safety requirement | Test |',
        '| TSR-1 | Lamp of the display while the mat is broken | T-1 |',
      ],
    ],
  },
  'goal-nowhere': {
    tells: [
      [
        [
          '| ID | Hazardous event | S | E | C | ASIL | Safety goal |',
          '| HE-1 | Unwanted heating burns the driver | S2 | E4 | C3 | C | The seat shall not become hotter than 45 °C. |',
          '| HE-2 | The mat smokes | S3 | E2 | C3 | B | A switch shall let the driver cut the supply of the mat. |',
        ],
        [
          '| ID | Safety goal | ASIL |',
          '| SG-1 | The seat shall never become hotter than 45 °C. | C |',
          '| SG-2 | Occupants shall not be distracted by moving cushions. | A |',
        ],
      ],
      [
        [
          '| Kennung | Gefährliches Ereignis | S | E | C | ASIL | Sicherheitsziel |',
          '| GE-1 | Heizung verbrennt den Fahrer | S2 | E4 | C3 | C | Der Sitz darf nicht heißer als 45 °C werden. |',
          '| GE-2 | Die Matte raucht | S3 | E2 | C3 | B | Ein Schalter muss die Versorgung der Matte trennen können. |',
        ],
        [
          '| Kennung | Sicherheitsziel | ASIL |',
          '| SG-1 | Der Sitz darf nie heißer als 45 °C werden. | C |',
          '| SG-2 | Insassen dürfen nicht durch bewegte Polster abgelenkt werden. | A |',
        ],
      ],
    ],
    silent: [
      // Every goal is there in other words; QM owes none.
      [
        [
          '| ID | Hazardous event | S | E | C | ASIL | Safety goal |',
          '| HE-1 | Unwanted heating burns the driver | S2 | E4 | C3 | C | The seat shall not become hotter than 45 °C. |',
          '| HE-2 | The seat stays cold | S0 | E4 | C0 | QM | The comfort of the driver shall be kept up. |',
        ],
        [
          '| ID | Safety goal | ASIL |',
          '| SG-1 | The seat shall never become hotter than 45 °C. | C |',
          '| SG-2 | Occupants shall not be distracted by moving cushions. | A |',
        ],
      ],
    ],
  },
  'subject-differs': {
    tells: [
      [
        ['| ID | Requirement | ASIL |', '| FSR-1 | The item shall switch the heater off above 45 °C. | B |'],
        [
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The seat module shall switch the heater off above 45 °C. | B |',
        ],
      ],
      [
        ['| ID | Anforderung | ASIL |', '| FSA-1 | Das Item muss die Heizung über 45 °C abschalten. | B |'],
        [
          '| ID | Anforderung | ASIL |',
          '| FSA-1 | Der Sitzrechner muss die Heizung über 45 °C abschalten. | B |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The seat heating module shall switch the heater off above 45 °C. | B |',
        ],
        ['| ID | Requirement | ASIL |', '| FSR-1 | The SHM shall switch the heater off above 45 °C. | B |'],
      ],
      // Numbered anew for each table: two requirements.
      [
        'Requirements related to FSR-1 are:',
        '| ID | Requirement | ASIL |',
        '| TSR-1 | The seat module shall switch the heater off above 45 °C. | B |',
        '',
        'Requirements related to FSR-2 are:',
        '| ID | Requirement | ASIL |',
        '| TSR-1 | The steering column shall switch the heater off above 45 °C. | B |',
      ],
      [
        ['| ID | Requirement | ASIL |', '| FSR-1 | The item shall switch the heater off above 45 °C. | B |'],
        [
          '| ID | Requirement | ASIL |',
          '| FSR-1 | The driver shall be told by a lamp that the mat is broken. | B |',
        ],
      ],
    ],
  },
  'names-other-function': {
    tells: [
      [
        '# Technical safety concept',
        'The Seat Heating (SH) function and the Seat Ventilation (SV) function are independent.',
        '## SH function',
        '| ID | Requirement | ASIL | Safe state |',
        '| TSR-1 | The SH block shall switch off above 45 °C. | B | SH off |',
        '| TSR-2 | The SH block shall test its memory. | B | SH off |',
        '| TSR-3 | The SH block shall report its state. | B | SH off |',
        '',
        '## SV function',
        '| ID | Requirement | ASIL | Safe state |',
        '| TSR-4 | The SV block shall stop below 5 °C. | B | SV off |',
        '| TSR-5 | The SV block shall report its state. | B | SV off |',
        '| TSR-6 | The memory of the SH function shall be tested. | B | SV off |',
        '| TSR-7 | The SV block shall stop on request. | B | SV off |',
      ],
      [
        '# Technisches Sicherheitskonzept',
        'Die Sitz Heizung Komfort (SHK) Funktion und die Luft Klappe Vorn (LKV) Funktion sind getrennt.',
        '| ID | Anforderung | Kriterium | Sicherer Zustand |',
        '| TSA-1 | SHK muss über 45 °C abschalten. | SHK ist aus | SHK aus |',
        '| TSA-2 | SHK muss den Speicher prüfen. | SHK ist aus | SHK aus |',
        '| TSA-3 | SHK muss den Zustand melden. | SHK meldet | LKV aus |',
        '| TSA-7 | SHK muss auf Wunsch abschalten. | SHK ist aus | SHK aus |',
        '| TSA-4 | LKV muss unter 5 °C schließen. | LKV ist zu | LKV aus |',
        '| TSA-5 | LKV muss den Zustand melden. | LKV meldet | LKV aus |',
        '| TSA-6 | LKV muss anhalten. | LKV steht | LKV aus |',
      ],
    ],
    silent: [
      [
        '# Technical safety concept',
        'The Seat Heating (SH) function and the Seat Ventilation (SV) function share a Control Unit (CU).',
        '## SH function',
        '| ID | Requirement | ASIL | Allocated to |',
        '| TSR-1 | The SH block shall switch off above 45 °C. | B | CU |',
        '| TSR-2 | The SH block shall test its memory. | B | CU |',
        '| TSR-3 | The SH block shall stop while SV is active. | B | CU |',
        '',
        '## SV function',
        '| ID | Requirement | ASIL | Allocated to |',
        '| TSR-4 | The SV block shall stop below 5 °C. | B | CU |',
        '| TSR-5 | The SV block shall report its state. | B | CU |',
        '| TSR-6 | The SV block shall stop on request. | B | CU |',
      ],
    ],
  },
  'names-almost-equal': {
    tells: [
      ['# Software requirements', 'Heater_Power_Request is limited.', 'Heatre_Power_Request is sent.'],
      ['# Software requirements', 'Heater_Power_Request is limited.', 'Heater_Pow_Req is sent.'],
      [
        '# Konzept',
        'Die SHM Komponente schaltet ab.',
        ...Array.from({ length: 5 }, () => 'SMH Komponente meldet.'),
      ],
    ],
    silent: [
      ['# Software requirements', 'Heater_Power_Request is limited.', 'Heater_Power_Status is sent.'],
      ['# Software requirements', 'Heater_Power_1 is limited.', 'Heater_Power_2 is sent.'],
      [
        '# Konzept',
        'Die SHM Komponente schaltet ab.',
        ...Array.from({ length: 5 }, () => 'LVR Komponente meldet.'),
      ],
      ['# Konzept', ...Array.from({ length: 5 }, () => 'SHM Komponente meldet, SHL Komponente auch.')],
    ],
  },
  'reaction-needs-what-failed': {
    tells: [
      [
        '| ID | Fault | Driver warning |',
        '| W-1 | Failure of the instrument cluster | Red lamp in the cluster |',
      ],
      [
        '| ID | Malfunction | Degradation |',
        '| D-1 | Vehicle speed signal is invalid | Assistance stays available below 30 km/h |',
      ],
      ['| Kennung | Fehler | Fahrerwarnung |', '| W-1 | Ausfall der Warnleuchte | Warnleuchte blinkt |'],
      [
        '| Kennung | Fehlfunktion | Degradierung |',
        '| D-1 | Ungültige Temperatur der Zellen | Laden nur unter 40 °C |',
      ],
    ],
    silent: [
      [
        '| ID | Fault | Driver warning |',
        '| W-1 | Failure of the instrument cluster | Gong of the body controller |',
      ],
      ['| ID | Fault | Driver warning |', '| W-1 | Loss of clamping force | Red lamp in the cluster |'],
      [
        '| ID | Fault | Driver warning |',
        '| W-1 | Failure of the warning lamp | Message in the second display |',
      ],
      [
        '| ID | Malfunction | Degradation |',
        '| D-1 | Vehicle speed signal is invalid | Assistance is switched off |',
      ],
      [
        '| ID | Malfunction | Degradation |',
        '| D-1 | Vehicle speed signal is invalid | The speed is treated as above 30 km/h |',
      ],
      [
        '| ID | Malfunction | Degradation |',
        '| D-1 | Loss of the motor current sensor | Auto-hold only below 10 km/h |',
      ],
    ],
  },
};

describe.each(Object.entries(CASES))('%s', (rule, { tells, silent }) => {
  it.each(tells.map((lines, at) => [at + 1, lines] as const))('is told in form %i', async (_, lines) => {
    expect(await rulesIn(lines)).toContain(rule);
  });
  it.each(silent.map((lines, at) => [at + 1, lines] as const))(
    'is not told of look-alike %i',
    async (_, lines) => {
      expect(await rulesIn(lines)).not.toContain(rule);
    },
  );
});

it('every rule has its texts, and every text its rule', () => {
  for (const rule of Object.keys(statedRulePlaces())) {
    for (const part of PARTS)
      expect(() => render({ key: `stated.${rule}.${part}` }, 'de'), rule).not.toThrow();
  }
});

describe('a source that was changed later', () => {
  const concept = (file: string, title: string, ...days: readonly string[]) =>
    document(file, [
      `# ${title}`,
      '## Document history',
      '| Version | Date | Description |',
      ...days.map((day, at) => `| ${at + 1}.0 | ${day} | Change |`),
      '## Requirements',
      'The control unit detects the fault and stops.',
    ]);
  const functional = (...days: readonly string[]) => concept('FSC.md', 'Functional safety concept', ...days);
  const technical = (...days: readonly string[]) => concept('TSC.md', 'Technical safety concept', ...days);

  it('is told with both entries, and not where the derived document followed', async () => {
    const told = ['source-changed-later'];
    expect(await rulesOn(functional('2026-03-02', '2026-04-20'), technical('2026-03-30'))).toEqual(told);
    expect(await rulesOn(functional('3/2/26', '4/20/26'), technical('3/30/26'))).toEqual(told);
    expect(
      await rulesOn(functional('2026-03-02', '2026-04-20'), technical('2026-03-30', '2026-04-21')),
    ).toEqual([]);
    expect(await rulesOn(functional('2026-04-20'), technical('2026-03-30'))).toEqual([]);
  });
});

describe('a reference by name', () => {
  const definition = (version: string) =>
    document('Item Definition.md', [
      '# Item definition',
      `Version ${version}, 2026-03-14, released`,
      '## Functions',
      'F.',
    ]);
  const concept = (reference: string) =>
    document('fsc.md', [
      '# Functional safety concept',
      'Version 1.0, 2026-04-20, draft',
      '## Requirements',
      'The control unit detects the fault and stops.',
      '## Basis',
      reference,
    ]);

  it.each([
    'References: Item Definition 2.0; HARA 1.3.',
    'Based on the item definition (version 2.0).',
    'Grundlage: Item-Definition, Ausgabe 2.0',
  ])('is told when its version was replaced before: %s', async (reference) => {
    expect(await rulesOn(definition('2.1'), concept(reference))).toEqual(['older-version-named']);
    expect(await rulesOn(definition('2.0'), concept(reference))).toEqual([]);
  });

  it('says nothing where a number is no version', async () => {
    expect(await rulesOn(definition('2.1'), concept('By the item definition 1.5 km/h are slow.'))).toEqual(
      [],
    );
  });
});

describe('a document older than what it is based on', () => {
  const hara = (day: string) =>
    document('hara.md', ['# Hazard analysis', '| Doc. no. | PW-02 |', '| Rev. | 2 |', `| Date | ${day} |`]);
  const concept = (day: string, ...sources: readonly string[]) =>
    document('fsc.md', [
      '# Functional safety concept',
      '| Doc. no. | PW-03 |',
      `| Date | ${day} |`,
      ...sources,
    ]);
  const listed = (version: string) => [
    '',
    '## Sources',
    '| Document | Rev. |',
    `| PW-02 HARA | ${version} |`,
  ];

  it.each([
    ['28.11.2025', '27.10.2025', '27.12.2025'],
    ['2025-11-28', '2025-10-27', '2025-12-27'],
  ])('is told, whatever the form of dates: %s', async (source, before, after) => {
    expect(await rulesOn(hara(source), concept(before, ...listed('2')))).toEqual(['written-before-source']);
    expect(await rulesOn(hara(source), concept(after, ...listed('2')))).toEqual([]);
    expect(await rulesOn(hara(source), concept(before, '', 'Grundlage: PW-02 Rev. 2'))).toEqual([
      'written-before-source',
    ]);
  });

  it('names an older version in a list of sources and in front matter', async () => {
    expect(await rulesOn(hara('28.11.2025'), concept('16.01.2026', ...listed('1')))).toEqual([
      'older-version-named',
    ]);
    const bare = document('fsc.md', ['doc: BMS-FSC', 'updated: 2026-01-16', 'based-on: BMS-HARA 1.3']);
    const source = document('hara.md', ['doc: BMS-HARA', 'revision: 2.0', 'updated: 2025-11-14']);
    expect(await rulesOn(source, bare)).toEqual(['older-version-named']);
  });
});
