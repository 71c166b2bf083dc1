import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { projectFiles } from '../../testing/project-files.js';
import { extractArtifacts } from './extract-artifacts.js';

async function typesIn(source: string, types: Readonly<Record<string, string>> = {}) {
  const files = [...(await projectFiles(source))];
  const documents = await Promise.all(
    files.map(async ([fileName, bytes]) => ({
      id: fileName,
      document: await readDocument(bytes, { fileName }),
      ...(types[fileName] === undefined ? {} : { documentType: types[fileName] }),
    })),
  );
  const { artifacts } = extractArtifacts(documents);
  return Object.fromEntries(artifacts.map(({ id, type }) => [id, type]));
}

describe('types of ids whose letters tell none', () => {
  it('are told by the title over them, in other documents too', async () => {
    const types = await typesIn(
      `@@ a.docx
# Analysis

## List
| Goal | Text | Level |
| ABG-1 | The lamp shall stay lit. | ASIL B |
| ABG-2 | The driver shall be told. | ASIL A |

@@ b.docx
# Concept

## ABG-1 The lamp shall stay lit

Requirement AB-F-1: The fallback shall light the lamp within 300 ms. For: ABG-1.
`,
      { 'b.docx': 'functional_safety_concept' },
    );
    expect(types).toMatchObject({
      'ABG-1': 'safety_goal',
      'ABG-2': 'safety_goal',
      'AB-F-1': 'functional_safety_requirement',
    });
  });

  it('are those of states where goals of other letters have levels, though these are letters of goals elsewhere', async () => {
    const types = await typesIn(`@@ a.docx
# Analysis

## Goals
| ID | Safety goal | ASIL | Safe state |
| SZ1 | The heater shall not glow. | C | SiZ-1 |
| SZ2 | The water shall not boil. | B | SiZ-2 |

## What the states are
| No | Meaning |
| SiZ-1 | Circuit is open and locked. |
| SiZ-2 | Circuit is open. |
`);
    expect(types).toMatchObject({
      SZ1: 'safety_goal',
      SZ2: 'safety_goal',
      'SiZ-1': 'unknown',
      'SiZ-2': 'unknown',
    });
  });

  it('follow from what demands come from', async () => {
    const types = await typesIn(`@@ a.docx
# Everything

## Ziele
| Ziel | Wortlaut | Stufe |
| X-1 | Das Licht darf nicht ausfallen. | ASIL B |

## Was die Teile tun
| Nr | Was passieren muss | Aus |
| Y-1 | Die Rückfallschaltung muss das Licht einschalten. | X-1 |
| Y-2 | Der Treiber muss den Fehler melden. | X-1 |

## Wie sie es tun
| Nr | Was passieren muss | Aus |
| Z-1 | Der Zähler muss nach 50 ms ablaufen. | Y-1 |
| Z-2 | Der Treiber muss jede Sekunde senden. | Y-2 |
`);
    expect(types).toMatchObject({
      'X-1': 'safety_goal',
      'Y-1': 'functional_safety_requirement',
      'Z-2': 'technical_safety_requirement',
    });
  });

  it('a demand is no evidence, whatever its letters', async () => {
    const types = await typesIn(`@@ a.docx
# List

| Ref | Technical requirement | Level |
| TR-1101 | The monitor shall open the relay within 20 ms. | B |
`);
    expect(types['TR-1101']).toBe('technical_safety_requirement');
  });

  it('rows that tell how the function degrades are no requirements', async () => {
    const rows = `@@ a.docx
# Functional safety concept

## Warning and degradation
| ID | Degradation | Trigger | Warning |
| WD-1 | Function off until next ignition | Fault of the sensor | Text and gong |
`;
    const types = await typesIn(rows, { 'a.docx': 'functional_safety_concept' });
    expect(types['WD-1'] ?? 'unknown').toBe('unknown');
  });

  it('leaves codes of things alone that no list knows', async () => {
    expect(await typesIn('@@ a.docx\n# Notes\n\n## RX-485 Wiring\nThe wires are twisted.\n')).toEqual({});
  });

  it('are not those of tests where a column of a test list names what these check', async () => {
    const types = await typesIn(`@@ a.docx
# Tests
| Test | Checks | How | Pass if |
| BT-01 | KS-F10 | Drop messages | stands within 30 ms |
| BT-02 | KS-F11 | Stop the clock | stands within 20 ms |

@@ b.docx
# Concept
| Tag | Promise | Goal | Class | Sits in |
| KS-F10 | The bolt shall stand within 30 ms. | SG-1 | D | Guard |
| KS-F11 | The motor shall stand within 20 ms. | SG-1 | D | Guard |
`);
    expect(types).toMatchObject({
      'KS-F10': 'functional_safety_requirement',
      'KS-F11': 'functional_safety_requirement',
    });
  });

  it('of states are no goals where other letters count these', async () => {
    const types = await typesIn(`@@ a.docx
# Ziele
| Ziel | Wortlaut | ASIL | Sicherer Zustand |
| SIZ-A | Das Tor darf nicht fallen. | C | SZ-1: Bremse zu |

# Zustände
SZ-1: Die Bremse ist zu.
`);
    expect(types['SIZ-A']).toBe('safety_goal');
    expect(types['SZ-1']).not.toBe('safety_goal');
  });
});
