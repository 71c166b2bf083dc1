import { describe, expect, it } from 'vitest';
import { corpusOf } from '../../corpus/corpus-of.js';
import { verifyEvidence } from '../../findings/verify-evidence.js';
import { analysedDocument } from '../../testing/document-fixture.js';
import { statedContradictions } from './stated-findings.js';

type Lines = readonly string[];

/** Rules that speak about documents of lines; the first of several is `1.md`. */
async function rulesOn(...several: readonly Lines[]): Promise<readonly string[]> {
  const documents = several.map((lines, at) => analysedDocument(`${at + 1}.md`, lines));
  const corpus = await corpusOf({ documents, scope: {} }, async () => {});
  const found = statedContradictions(corpus);
  for (const { evidence } of found)
    verifyEvidence(evidence, new Map(documents.map((one) => [one.id, one.document])));
  return [...new Set(found.map(({ rule }) => rule))];
}

/** What a rule tells, and what only looks like it: each a document, or several. */
const CASES: Readonly<
  Record<
    string,
    { readonly tells: readonly (readonly Lines[])[]; readonly silent: readonly (readonly Lines[])[] }
  >
> = {
  'safe-state-unchanged': {
    tells: [
      [
        [
          '# Safe states',
          '| ID | Definition |',
          '| SS1 | Pump keeps running exactly as before, an entry is written to the log |',
          '| SS2 | Pump off |',
        ],
      ],
      [
        [
          '| Safe state ID | Meaning | Lamp |',
          '| PumpState_A | The blower goes on turning and the speed is not controlled any more | red |',
        ],
      ],
      [
        [
          '| Kennung | Sicherheitsziel | ASIL | Sicherer Zustand |',
          '| SZ-1 | Der Lüfter darf nicht überdrehen | B | Lüfter läuft unverändert weiter |',
        ],
      ],
      ...[
        'Generatorbetrieb läuft mit voller Erregung weiter',
        'Leistungsstufe gibt weiter volle Leistung ab',
        'letzten gemeldeten Zustand beibehalten',
        'The drive goes on with the present torque',
      ].map((state) => [
        [
          '| ID | Safety goal | ASIL | Safe state |',
          `| SG-1 | The fan shall not run too fast | B | ${state} |`,
        ],
      ]),
    ],
    silent: [
      ...[
        'Fahrzeug fährt mit reduzierter Geschwindigkeit weiter',
        'Lüfter läuft mit halber Drehzahl weiter',
        'Der Sensor liefert weiterhin gültige Werte',
        'The stage keeps the current below 2 A',
      ].map((state) => [
        [
          '| ID | Safety goal | ASIL | Safe state |',
          `| SG-1 | The fan shall not run too fast | B | ${state} |`,
        ],
      ]),
      [
        [
          '# Safe states',
          '| ID | Definition |',
          '| SS1 | Pump keeps running with 40 % of its speed, amber lamp |',
          '| SS2 | Heater off, blower continues to run unchanged |',
        ],
      ],
      [['| Safe state ID | Meaning |', '| PumpState_A | The speed is held, cooling goes on as before |']],
      [
        [
          '| Kennung | Sicherheitsziel | ASIL | Sicherer Zustand |',
          '| SZ-1 | Der Lüfter darf nicht überdrehen | B | Notbetrieb, Lüfter läuft weiter |',
        ],
      ],
    ],
  },
  'method-cannot-show': {
    tells: [
      [
        [
          '| ID | Requirement |',
          '| FSR-1 | The relay shall open within 20 ms after the request. |',
          '',
          '| Test | Verifies | Method | Steps | Pass if |',
          '| T-1 | FSR-1 | Visual inspection | Look at the drawing of the relay | opens within 20 ms |',
        ],
      ],
      [
        [
          '| Kennung | Anforderung |',
          '| SWA-2 | Der Speicherschutz muss fremde Zugriffe sperren. |',
          '',
          '| Prüfung | Prüft | Methode | Durchführung | Bestanden, wenn |',
          '| P-2 | SWA-2 | Sichtprüfung | Unterlagen durchsehen | jeder Zugriff wird gesperrt |',
        ],
      ],
      [
        [
          '| ID | Requirement |',
          '| FSR-3 | The motor shall deliver 40 Nm for two hours. |',
          '',
          '| Test | Verifies | Procedure | Expected |',
          '| T-3 | FSR-3 | Read the name plate of the motor | torque is reached |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Requirement |',
          '| FSR-1 | The housing shall carry a yellow label. |',
          '',
          '| Test | Verifies | Method | Pass if |',
          '| T-1 | FSR-1 | Visual inspection | label is there |',
        ],
      ],
      [
        [
          '| ID | Requirement |',
          '| FSR-1 | The relay shall open within 20 ms after the request. |',
          '',
          '| Test | Verifies | Method | Steps | Pass if |',
          '| T-1 | FSR-1 | Measurement | Visual check of the set-up, then measured with an oscilloscope | 20 ms |',
        ],
      ],
      [
        [
          '| Kennung | Anforderung |',
          '| A-3 | Bei Ausfall muss die rote Lampe leuchten. |',
          '',
          '| Prüfung | Prüft | Methode | Bestanden, wenn |',
          '| P-3 | A-3 | Sichtprüfung nach Ziehen der Sicherung | Lampe rot |',
        ],
      ],
    ],
  },
  'report-before-tests': {
    tells: [
      [
        [
          '# Test report',
          '| Document number | Version | Date | Status | Author |',
          '| TR-07 | 1.0 | 2025-08-22 | Approved | Ann Lee |',
          '',
          '## Results',
          '| Test ID | Date of execution | Measured value | Verdict |',
          '| TC-1 | 2025-09-23 | 12 ms | passed |',
          '| TC-2 | 2025-09-24 | 14 ms | passed |',
        ],
      ],
      [
        [
          '# Prüfbericht',
          'Ausgabe 1, 22.08.2025, freigegeben',
          '## Ergebnisse',
          '| Prüfung | Ausgeführt am | Messwert | Urteil |',
          '| P-1 | 23.09.2025 | 12 ms | bestanden |',
        ],
      ],
      [
        [
          '# Test report',
          '| Date | 22.08.2025 |',
          '| Version | 2 |',
          '## Results',
          '| Case | Date | Worst value | Result |',
          '| TC-1 | 20.08.2025 | 3 V | pass |',
          '| TC-2 | 25.08.2025 | 4 V | pass |',
        ],
      ],
    ],
    silent: [
      [
        [
          '# Test report',
          'Version 1.0, 2025-09-24, approved',
          '## Results',
          '| Test ID | Date of execution | Measured value | Verdict |',
          '| TC-1 | 2025-09-23 | 12 ms | passed |',
          '| TC-2 | 2025-09-24 | 14 ms | passed |',
        ],
      ],
      // No date of its own.
      [
        [
          '# Test report',
          '## Results',
          '| Test ID | Date of execution | Measured value | Verdict |',
          '| TC-1 | 2025-09-23 | 12 ms | passed |',
        ],
      ],
      // A specification that holds the results as well.
      [
        [
          '# Test specification',
          'Version 1.0, 2025-08-22, approved',
          '| Test ID | Steps | Expected | Date | Result |',
          '| TC-1 | press | opens | 2025-09-23 | passed |',
        ],
      ],
    ],
  },
  'share-against-controllability': {
    tells: [
      [
        [
          '| ID | Hazard | C | Why C | ASIL |',
          '| HE-1 | Sways | C1 | In the study 84 of 120 drivers left the lane | A |',
        ],
      ],
      [
        [
          '| ID | Hazard | C | Why C | ASIL |',
          '| HE-1 | Sways | C2 | 70 out of 100 test persons kept the lane | B |',
        ],
      ],
      [
        [
          '| Kennung | Fehlfunktion | C | Begründung C | ASIL |',
          '| GE-1 | Schwingt | C1 | In der Studie konnten 9 von 40 Fahrern die Spur nicht halten | A |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Hazard | C | Why C | ASIL |',
          '| HE-1 | Sways | C1 | In the study 119 of 120 drivers kept the lane | A |',
        ],
      ],
      [
        [
          '| ID | Hazard | C | Why C | ASIL |',
          '| HE-1 | Sways | C3 | In the study 84 of 120 drivers left the lane | D |',
        ],
      ],
      [
        [
          '| Kennung | Fehlfunktion | C | Begründung C | ASIL |',
          '| GE-1 | Schwingt | C2 | 47 von 50 Probanden hielten die Spur | B |',
        ],
      ],
    ],
  },
  'safe-state-of-goal-twice': {
    tells: [
      [
        [
          '| Nr. | Sicherheitsziel | Sicherer Zustand |',
          '| SZ1 | Die Tür muss sich öffnen lassen. | Motor stromlos, Kindersicherung bleibt aktiv |',
        ],
        [
          '| SZ | Wortlaut | Sicherer Zustand |',
          '| SZ1 | Die Tür muss sich öffnen lassen. | Kindersicherung aufgehoben |',
        ],
      ],
      [
        ['| Goal | Text | Safe state |', '| SG-1 | No torque in park | SS1 |', '| SG-2 | No heat | SS2 |'],
        ['| Goal | Detect | React | Safe state |', '| SG-1 | 10 ms | 20 ms | SS2 |'],
      ],
      [
        [
          '| Safe state ID | Meaning |',
          '| State_A | Off |',
          '| State_B | Slow |',
          '',
          '| Safety goal | Goal | Safe state |',
          '| SG-1 | No torque | State_A |',
        ],
        ['| Safety goal | FTTI | Safe state |', '| SG-1 | 100 ms | State_B |'],
      ],
      [
        ['| Kennung | Sicherheitsziel | Sicherer Zustand |', '| SZ-1 | Kein Moment | SZU-1 |'],
        ['| Ziel | FTTI | Sicherer Zustand |', '| SZ-1 | 100 ms | SZU-3 |'],
      ],
    ],
    silent: [
      [
        ['| Goal | Text | Safe state |', '| SG-1 | No torque in park | SS1 |'],
        ['| Goal | Detect | React | Safe state |', '| SG-1 | 10 ms | 20 ms | SS1 |'],
      ],
      [
        ['| Goal | Text | Safe state |', '| SG-1 | No torque in park | SS1, SS2 |'],
        ['| Goal | Detect | React | Safe state |', '| SG-1 | 10 ms | 20 ms | SS2 |'],
      ],
      [
        ['| Goal | Text | Safe state |', '| SG-1 | No torque in park | SS1 |'],
        ['| Requirement | Text | Safe state |', '| FSR-1 | Torque shall be cut | SS2 |'],
      ],
    ],
  },
  'safe-state-differs': {
    tells: [
      [
        [
          '| Safe state ID | Definition |',
          '| SafeState_A | Off |',
          '| SafeState_B | Returned, then off |',
          '',
          '| ID | Goal | Safe state |',
          '| SG-1 | No torque | SafeState_A |',
          '',
          '| ID | Requirement | Safety goal | Safe state |',
          '| FSR-1 | It shall be detected. | SG-1 | SafeState_B |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| Safe state ID | Definition |',
          '| SafeState_A | Off |',
          '| SafeState_B | Returned, then off |',
          '',
          '| ID | Goal | Safe state |',
          '| SG-1 | No torque | SafeState_A |',
          '',
          '| ID | Requirement | Safety goal | Safe state |',
          '| FSR-1 | It shall be detected. | SG-1 | SafeState_A, SafeState_B |',
        ],
      ],
    ],
  },
  'passed-outside-limit': {
    tells: [
      // Each of two times has its limit.
      [
        [
          '| TC | Verifies | Steps | Pass if |',
          '| TC-1 | R-1 | unplug | found within 300 ms, torque low within another 400 ms |',
        ],
        ['| TC | Worst value | Verdict |', '| TC-1 | found after 240 ms, low after another 485 ms | pass |'],
      ],
      [
        [
          '| Prüfung | Prüft | Ablauf | Bestanden, wenn |',
          '| P-1 | A-1 | ziehen | Motor aus spätestens nach 300 ms |',
        ],
        ['| Prüfung | Schlechtester Messwert | Urteil |', '| P-1 | Motor aus nach 362 ms | bestanden |'],
      ],
      [
        [
          '| Test | Verifies | Stimulus | Pass criterion |',
          '| T-1 | R-1 | offset | Enable removed within 60 ms |',
        ],
        ['| Test | Worst measured value | Verdict |', '| T-1 | Enable removed after 64 ms | passed |'],
      ],
    ],
    silent: [
      [
        [
          '| TC | Verifies | Steps | Pass if |',
          '| TC-1 | R-1 | unplug | found within 300 ms, torque low within another 400 ms |',
        ],
        ['| TC | Worst value | Verdict |', '| TC-1 | found after 290 ms, low after another 385 ms | pass |'],
      ],
      // The test limits the whole, its requirement a part.
      [
        [
          '| ID | Text |',
          '| FSR-1 | Torque in park shall be detected within 100 ms and SS1 requested |',
          '',
          '| TC | Verifies | Steps | Pass if |',
          '| TC-1 | FSR-1 | park | SS1 within 180 ms |',
        ],
        ['| TC | Worst value | Verdict |', '| TC-1 | SS1 after 166 ms | pass |'],
      ],
      [
        [
          '| Test | Verifies | Stimulus | Pass criterion |',
          '| T-1 | R-1 | offset | Enable removed within 60 ms |',
        ],
        ['| Test | Worst measured value | Verdict |', '| T-1 | Enable removed after 64 ms | failed |'],
      ],
    ],
  },
  'allocation-differs': {
    tells: [
      [
        [
          '| Requirement | CH1 | CH2 | ASA |',
          '| FSR-1 | X | | |',
          '| FSR-2 | | X | |',
          '| FSR-3 | X | | X |',
        ],
        ['| ID | Requirement | Allocated to |', '| FSR-2 | It shall stop. | CH1 |'],
      ],
    ],
    silent: [
      // A table of the split names the channel, the matrix its sensor as well.
      [
        [
          '| Requirement | CH1 | CH2 | ASA |',
          '| FSR-1 | X | | X |',
          '| FSR-2 | | X | |',
          '| FSR-3 | X | | X |',
        ],
        ['| Initial | Part | ASIL | Element |', '| FSR-3 | FSR-1 | B(D) | CH1 |'],
      ],
    ],
  },
  'allocation-against-text': {
    tells: [
      [
        [
          '| ID | Requirement | Allocated to |',
          '| R-1 | AC-M shall stop the motor. | AC-S |',
          '| R-2 | It shall report. | AC-M |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Requirement | Allocated to |',
          '| R-1 | AC-M shall have no write access to the memory of AC-S. | AC-S |',
          '| R-2 | It shall report. | AC-M |',
        ],
      ],
    ],
  },
  'child-time-longer': {
    tells: [
      [
        [
          '| ID | Safety goal | FTTI |',
          '| SG-1 | No pinching | 300 ms |',
          '',
          '| ID | Requirement | Safety goal |',
          '| FSR-1 | The unit shall stop the motor within 2 s and warn the driver. | SG-1 |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Safety goal | FTTI |',
          '| SG-1 | No pinching | 300 ms |',
          '',
          '| ID | Requirement | Safety goal |',
          '| FSR-1 | The unit shall go to manual mode and warn the driver within 2 s. | SG-1 |',
        ],
        [
          '| Kennung | Sicherheitsziel | FTTI |',
          '| SZ-2 | Kein Klemmen | 300 ms |',
          '',
          '| Kennung | Anforderung | Sicherheitsziel |',
          '| FSA-2 | Das Item muss wechseln und den Fahrer innerhalb von 2 s durch Meldung warnen. | SZ-2 |',
        ],
      ],
    ],
  },
  'test-other-value': {
    tells: [
      // Longer than the goal tolerates, whose interval two requirements below it do not repeat.
      [
        [
          '| ID | Safety goal | FTTI |',
          '| SG-1 | No pinching | 300 ms |',
          '',
          '| ID | Functional requirement | Safety goal |',
          '| FSR-1 | The belt shall be released. | SG-1 |',
          '',
          '| ID | Technical requirement | Source |',
          '| TSR-1 | The driver stage opens the belt. | FSR-1 |',
          '',
          '| Test | Verifies | Steps | Expected |',
          '| TC-1 | TSR-1 | pull the belt | motor without current within 500 ms |',
        ],
      ],
      [
        [
          '| Kennung | Sicherheitsziel | FTTI |',
          '| SZ-1 | Kein Klemmen | 300 ms |',
          '',
          '| Kennung | Anforderung | Sicherheitsziel |',
          '| FSA-1 | Der Gurt muss frei werden. | SZ-1 |',
          '',
          '| Prüfung | Prüft | Vorgehen | Erwartung |',
          '| P-1 | FSA-1 | Gurt ziehen | Motor stromlos nach höchstens 500 ms |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Safety goal | FTTI |',
          '| SG-1 | No pinching | 300 ms |',
          '',
          '| ID | Functional requirement | Safety goal |',
          '| FSR-1 | The belt shall be released. | SG-1 |',
          '',
          '| Test | Verifies | Steps | Expected |',
          '| TC-1 | FSR-1 | pull the belt | motor without current within 300 ms |',
          '| TC-2 | FSR-1 | pull the belt | the driver is warned within 2 s |',
        ],
      ],
      // Detection and reaction of the goal together, where the test waits for its safe state.
      [
        [
          '| Goal | ASIL | Detect | React | FTTI | Safe state |',
          '| SG-4 | B | 80 ms | 80 ms | 300 ms | SS1 |',
          '',
          '| ID | Requirement | Satisfies |',
          '| FSR-7 | Wrong torque shall be detected within 80 ms and SS1 requested | SG-4 |',
          '',
          '| TC | Verifies | Steps | Pass if |',
          '| TC-4 | FSR-7 | wrong sign | SS1 within 160 ms |',
        ],
      ],
    ],
  },
  'element-nowhere': {
    tells: [
      [
        ['The pump and the valve are described here.', 'A valve closes the pump.'],
        [
          '| ID | Requirement | Allocated to |',
          '| FSR-1 | a | Pump |',
          '| FSR-2 | b | Pump |',
          '| FSR-3 | c | Valve |',
          '| FSR-4 | d | Valve |',
          '| FSR-5 | e | Pump |',
          '| FSR-6 | f | Valve |',
          '| FSR-7 | g | Pump |',
          '| FSR-8 | h | Blower hardware |',
        ],
      ],
    ],
    silent: [
      [
        ['The pump, the blower and the valve are described here.', 'A valve closes the pump.'],
        [
          '| ID | Requirement | Allocated to |',
          '| FSR-1 | a | Pump |',
          '| FSR-2 | b | Pump |',
          '| FSR-3 | c | Valve |',
          '| FSR-4 | d | Valve |',
          '| FSR-5 | e | Pump |',
          '| FSR-6 | f | Valve |',
          '| FSR-7 | g | Pump |',
          '| FSR-8 | h | Blower hardware |',
        ],
      ],
    ],
  },
  'tailored-without-reason': {
    tells: [
      [
        [
          '# Tailoring',
          '| Part | Decision | Rationale |',
          '| Part 5 | Not applied | The budget of the project is limited |',
        ],
      ],
      [['# Tailoring', '| Part | Decision | Why |', '| 7 | not applied | schedule is tight |']],
      [
        [
          '# Tailoring',
          '| Teil | Entscheidung | Begründung |',
          '| Teil 12 | nicht angewendet | wurde in anderen Projekten auch so gemacht |',
        ],
      ],
    ],
    silent: [
      [
        [
          '# Tailoring',
          '| Part | Decision | Rationale |',
          '| Part 12 | Not applied | The vehicle is no motorcycle |',
        ],
      ],
      [
        [
          '# Tailoring',
          '| Part | Decision | Why |',
          '| 7 | not applied | the plant of the customer produces, its plan is PL-7 |',
        ],
      ],
      [
        [
          '# Tailoring',
          '| Teil | Entscheidung | Begründung |',
          '| Teil 5 | nicht angewendet | das Item enthält keine eigene Hardware |',
        ],
      ],
    ],
  },
  'goal-prescribes-solution': {
    tells: [
      [
        [
          '| ID | Safety goal | ASIL |',
          '| SG-1 | A second button shall stop the roof | B |',
          '| SG-2 | The roof shall not pinch | B |',
          '| SG-3 | The roof shall not open | A |',
        ],
      ],
    ],
    silent: [
      [
        [
          '| ID | Safety goal | ASIL |',
          '| SG-1 | Closing shall end with the release of the button | B |',
          '| SG-2 | The roof shall only move after a button press | B |',
          '| SG-3 | The roof shall not open | A |',
        ],
      ],
      [
        [
          '| Kennung | Sicherheitsziel | ASIL |',
          '| SZ-1 | Das Schließen muss mit dem Loslassen der Taste enden | B |',
          '| SZ-2 | Niemand darf geklemmt werden | B |',
          '| SZ-3 | Das Dach darf nicht öffnen | A |',
        ],
      ],
    ],
  },
  'version-named-otherwise': {
    tells: [
      [
        ['# Reviews', '| Work product | Issue | By |', '| TSA | 1.4 | Ann Lee |'],
        ['# Tests', 'Based on FSC 1.3 and TSA 1.5.'],
        ['# Changes', '| CR-1 | Clock | TSA 1.5 |', '| CR-2 | Supply | FSC 1.3, TSA 1.5 |'],
      ],
      [
        ['# Prüfbericht', 'Grundlage: Pflichtenheft A Stand 1.1.'],
        ['# Pflichtenheft B', 'Grundlage: Pflichtenheft A Stand 1.3.'],
        ['# Plan', 'Pflichtenheft A V1.3 gilt.', 'Geprüft wird gegen Pflichtenheft A V1.3.'],
      ],
    ],
    silent: [
      // Its history, and a number that is none of a version.
      [
        ['# Reviews', 'The earlier TSA 1.4 was reviewed as well.'],
        ['# Tests', 'Based on TSA 1.5.', 'Results of TSA 1.5.', 'TSA 1.5 holds.'],
      ],
      [
        ['# Reviews', 'TSA 1.4 to 1.5 changed the clock.'],
        ['# Tests', 'Based on TSA 1.5.', 'Results of TSA 1.5.', 'TSA 1.5 holds.'],
      ],
      [
        ['# Tests', 'Set U1 1.4 V.'],
        ['# Values', 'U1 1.5 V holds.', 'U1 1.5 V is kept.', 'U1 1.5 V ends it.'],
      ],
    ],
  },
  'older-version-named': {
    tells: [
      [
        [
          '# Functional Safety Concept',
          'Document XA-FSC, version 1.1, 2024-04-26, author Ann Lee',
          '## Document history',
          '| Date | Version | Editor | Description |',
          '| 2024-04-12 | 1.0 | Ann Lee | Draft |',
          '| 2024-04-26 | 1.1 | Ann Lee | Findings |',
        ],
        [
          '# Technical Safety Concept',
          'Document XA-TSC, version 1.0, 2024-06-07, author Ann Lee',
          '# 1 Purpose',
          'It refines the functional safety concept version 1.0 of 2024-04-12.',
        ],
      ],
      [
        [
          '# Hazard analysis',
          '| Document number | Version | Date | Status |',
          '| PW-0201 | 1.3 | 2025-05-02 | Approved |',
        ],
        [
          '# Functional safety concept',
          '| Document number | Version | Date | Status | Input |',
          '| PW-0301 | 1.1 | 2025-06-13 | Approved | PW-0201 version 1.1 |',
        ],
      ],
    ],
    silent: [
      // The version of a cover is the one of its document, not of what it is based on.
      [
        [
          '# Hazard analysis',
          '| Document number | Version | Date | Status |',
          '| PW-0201 | 1.3 | 2025-05-02 | Approved |',
        ],
        [
          '# Functional safety concept',
          '| Document number | Version | Date | Status | Input |',
          '| PW-0301 | 1.1 | 2025-06-13 | Approved | PW-0201 version 1.3 |',
        ],
      ],
    ],
  },
};

describe('states, methods and dates', () => {
  for (const [rule, { tells, silent }] of Object.entries(CASES)) {
    for (const [at, documents] of tells.entries())
      it(`${rule} tells case ${at + 1}`, async () => expect(await rulesOn(...documents)).toContain(rule));
    for (const [at, documents] of silent.entries())
      it(`${rule} is silent in case ${at + 1}`, async () =>
        expect(await rulesOn(...documents)).not.toContain(rule));
  }
});
