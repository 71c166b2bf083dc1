import { describe, expect, it } from 'vitest';
import { analysedDocument } from '../../testing/document-fixture.js';
import { extractArtifacts } from './extract-artifacts.js';

const read = (documentType: string, ...lines: readonly string[]) => {
  const { id, document } = analysedDocument('Document.md', lines);
  const { artifacts, links } = extractArtifacts([{ id, document, documentType }]);
  return {
    types: Object.fromEntries(artifacts.map((one) => [one.id, one.type])),
    levels: Object.fromEntries(artifacts.map((one) => [one.id, one.asil])),
    links: links.map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`),
  };
};

describe('ids of a house', () => {
  it('are read in lower case with signs, in lists and tables', () => {
    const { types, levels, links } = read(
      'functional_safety_concept',
      '# Requirements',
      '- **fsr.child.1** [ASIL C] The gate shall inhibit the airbag within 200 ms.',
      '- **fsr.child.2** [ASIL C] The gate shall detect a lost signal within 500 ms.',
      '# Technical',
      '| Id | ASIL | From | Text |',
      '| tsr.gate.1 | C | fsr.child.1 | The switch shall be open within 100 ms. |',
      '| tsr.gate.2 | C | fsr.child.2 | Three wrong messages shall be treated as a loss. |',
    );
    expect(types).toMatchObject({
      'fsr.child.1': 'functional_safety_requirement',
      'tsr.gate.2': 'technical_safety_requirement',
    });
    expect(levels['fsr.child.1']).toBe('ASIL C');
    expect(links).toEqual(['tsr.gate.1 derives_from fsr.child.1', 'tsr.gate.2 derives_from fsr.child.2']);
    expect(read('hara', 'See main.fsr.c, fsr.h and sg.de/1 for more.').types).toEqual({});
  });

  it('may be words in capitals behind a letter, where they list the rows', () => {
    const { types } = read(
      'hara',
      '| Goal | Text | ASIL | FTTI |',
      '| G-CHILD | The airbag shall not be armed while a child seat is installed. | C | 2 s |',
      '| G-KEY | The airbag shall not be armed while the key is off. | B | 2 s |',
    );
    expect(types).toEqual({ 'G-CHILD': 'safety_goal', 'G-KEY': 'safety_goal' });
  });

  it('are none where they name a document in a version', () => {
    const { types } = read(
      'functional_safety_concept',
      '| Exported | 26.05.2025 |',
      '| Functional safety concept | SPA3_FSC_V1.6 |',
      '| Status | released |',
    );
    expect(types).toEqual({});
  });
});

describe('columns of ids under titles of the house', () => {
  it('are links by their ids: "Upper", "Object"', () => {
    const { types, links } = read(
      'functional_safety_concept',
      '| No. | Upper | Requirement | ASIL |',
      '| FSR 1-0 | SG 1 | The event shall be reported in 12 s. | C |',
      '| FSR 1-1 | FSR 1-0, SG 1 | The sensor shall report in 10 s. | B(C) |',
      '# Test',
      '| No. | Object | Method | Procedure | Pass criterion |',
      '| VV 1 | FSR 1-0, FSR 1-1 | F | Open the vent | Reported in 12 s |',
      '| VV 2 | FSR 1-1 | F | Short the sensor | Reported in 10 s |',
    );
    expect(links).toEqual(
      expect.arrayContaining([
        'FSR 1-0 derives_from SG 1',
        'FSR 1-1 derives_from FSR 1-0',
        'FSR 1-0 verified_by VV 1',
        'FSR 1-1 verified_by VV 2',
      ]),
    );
    expect(types['VV 1']).toBe('test');
  });

  it('are links where their title is that of a text, also with one letter and a number', () => {
    const { links } = read(
      'hara',
      '| GE | Fahrsituation | Folge | S | E | C | ASIL | Ziel |',
      '| GE-01 | Autobahn | Fahrzeug verlässt die Spur | S3 | E4 | C3 | D | Z1 |',
      '| GE-02 | Landstraße | leichtes Ziehen zur Seite | S1 | E4 | C1 | QM | – |',
      '# Sicherheitsziele',
      '| Ziel | Wortlaut | ASIL |',
      '| Z1 | Ein Verstellen ist zu verhindern. | D |',
    );
    expect(links).toEqual(['Z1 derives_from GE-01']);
  });

  it('hold no malfunctions that would be events', () => {
    const { types } = read(
      'hara',
      '| No. | Guide word | Malfunction | Hazard |',
      '| M 1 | no | No warning | Persons stay in the vehicle |',
      '| M 2 | late | Warning too late | Persons stay in the vehicle |',
    );
    expect(types['M 1']).toBe('unknown');
  });
});

describe('ids behind the name of a project', () => {
  const rows = [
    '| ID | Text | ASIL | Derived from |',
    '| TSA-SG-1 | The brake shall not lock. | D | TSA-HE-01 |',
    '| TSA-SG-2 | The brake shall not fail. | C | TSA-HE-02 |',
    '| TSA-FSR-001 | The unit shall detect it. | D | TSA-SG-1 |',
    '| TSA-FSR-002 | The unit shall show it. | C | TSA-SG-2 |',
    '| TSA-TC-301 | Lock the wheel. | D | TSA-FSR-001 |',
  ];
  it('are what the group behind it says', () => {
    const { types } = read('functional_safety_concept', ...rows);
    expect([types['TSA-SG-1'], types['TSA-FSR-001'], types['TSA-TC-301']]).toEqual([
      'safety_goal',
      'functional_safety_requirement',
      'test',
    ]);
  });

  it('are tests where the group is an id of its own, and numbers of documents are neither', () => {
    const { types } = read(
      'test_specification',
      '| ID | Text | ASIL |',
      '| SG-1 | The brake shall not lock. | D |',
      '| FSR-1 | The unit shall detect it. | D |',
      '| TC-SG-1 | Lock the wheel. | D |',
      '| TC-SG-2 | Lock both wheels. | D |',
      '| TC-FSR-1 | Open the wire. | D |',
      '| BVW-HA-003 | Analysis | – |',
      '| BVW-TC-005 | Concept | – |',
    );
    expect([types['TC-SG-2'], types['SG-1']]).toEqual(['test', 'safety_goal']);
  });
});

describe('records below headings with ids of no known letters', () => {
  it('are what their fields and parents make them', () => {
    const { types, levels, links } = read(
      'hara',
      '### HALO-H1 Driver blinded',
      '- S3 – head-on collision.',
      '- E3 – every tenth drive.',
      '- C2 – most drivers brake.',
      '- Result: ASIL B → HALO-G1',
      '',
      'HALO-G1 Light shall not fall on others.',
      '- ASIL: B (from H1)',
      '- FTTI: 600 ms',
      '',
      '### HALO-F01 Keep the shadow',
      'The item shall keep dark what others see.',
      '- Goal: HALO-G1',
      '- ASIL: B, decomposed into HALO-F02 and HALO-F03',
      '- Element: lamp controller; the cluster helps',
      '### HALO-F02 Planning channel',
      'Only what others do not see is requested.',
      '- Parent: HALO-F01',
      '- ASIL: A(B)',
    );
    expect(types).toMatchObject({
      'HALO-H1': 'hazardous_event',
      'HALO-G1': 'safety_goal',
      'HALO-F01': 'functional_safety_requirement',
      'HALO-F02': 'functional_safety_requirement',
    });
    expect(levels).toMatchObject({ 'HALO-G1': 'B', 'HALO-F01': 'B' });
    expect(links).toEqual(
      expect.arrayContaining(['HALO-G1 derives_from HALO-H1', 'HALO-F01 derives_from HALO-G1']),
    );
    expect(links.filter((link) => link.startsWith('HALO-F01 derives_from HALO-F'))).toEqual([]);
  });

  it('have their fields in the same paragraph, behind the number of the heading: "3.1 FS.1.0 No clamping"', () => {
    const { types, levels, links } = read(
      'functional_safety_concept',
      '| SG | Text | ASIL | FTTI |',
      '| SZ1 | The brake shall not clamp. | D | 250 ms |',
      '### 3.1 FS.1.0 No clamping',
      'Clamping without a request above 3 km/h shall be detected and stopped in good time by the item. Level: D. From: SZ1. Carrier: ECU; decomposed into FS.1.1 (STE).',
      '### 3.2 FS.1.1 Command',
      'The control part shall command only with a request of the driver, and never by itself. Level: B(D). From: FS.1.0. Carrier: STE.',
    );
    expect(types).toMatchObject({
      'FS.1.0': 'functional_safety_requirement',
      'FS.1.1': 'functional_safety_requirement',
    });
    expect(levels).toMatchObject({ 'FS.1.0': 'D', 'FS.1.1': 'B(D)' });
    expect(links).toEqual(
      expect.arrayContaining([
        'FS.1.0 derives_from SZ1',
        'FS.1.1 derives_from FS.1.0',
        'FS.1.1 allocated_to STE',
      ]),
    );
    expect(links).not.toContain('FS.1.0 derives_from FS.1.1');
  });
});

it('reads what brackets list behind a sentence, one element by its abbreviation', () => {
  const { links, levels } = read(
    'functional_safety_concept',
    'FSR-005. The ITBM shall open the output in 80 ms. [ASIL B(C), SG-2, ITBM, decomposed with FSR-006]',
    'FSR-006. The EBCM shall open the output in 80 ms. [ASIL A(C), SG-2, EBCM and TES, decomposed with FSR-005]',
  );
  expect(links).toEqual(
    expect.arrayContaining([
      'FSR-005 derives_from SG-2',
      'FSR-005 allocated_to ITBM',
      'FSR-006 derives_from SG-2',
      'FSR-006 allocated_to EBCM and TES',
    ]),
  );
  expect(links.some((link) => link.startsWith('FSR-005 derives_from FSR-006'))).toBe(false);
  expect(levels['FSR-006']).toBe('ASIL A(C)');
});

it('reads level, origin and element in brackets behind a sentence, of ids with one letter', () => {
  const { links, levels } = read(
    'functional_safety_concept',
    'F-10. Wiping shall be maintained although one channel fails. [level B; from SG-1; borne by MC and BL; decomposed into F-11 and F-12]',
    'F-11. The main channel shall wipe as it is asked. [level A(B); from F-10; borne by MC]',
    'F-12. The backup channel shall wipe with 45 cycles/min. [A(B); F-10; BL]',
    'F-13. A sentence with a remark only shall stay one. [see the picture, MC]',
  );
  expect(links).toEqual(
    expect.arrayContaining([
      'F-10 derives_from SG-1',
      'F-11 derives_from F-10',
      'F-11 allocated_to MC',
      'F-12 derives_from F-10',
      'F-12 allocated_to BL',
    ]),
  );
  expect(links.some((link) => link.startsWith('F-10 derives_from F-'))).toBe(false);
  expect(levels).toMatchObject({ 'F-10': 'B', 'F-11': 'A(B)', 'F-12': 'A(B)' });
});
