import { describe, expect, it } from 'vitest';
import { readDocument } from '../../documents/read-document.js';
import { processorTime } from '../../testing/processor-time.js';
import { extractArtifacts } from './extract-artifacts.js';
import { idsInText } from './id-forms.js';
import type { Extraction } from './statement.js';

const bytes = (text: string) => new TextEncoder().encode(text);

async function extract(
  files: Readonly<Record<string, string>>,
  types: Readonly<Record<string, string>> = {},
) {
  const documents = await Promise.all(
    Object.entries(files).map(async ([fileName, text]) => ({
      id: fileName,
      document: await readDocument(bytes(text), { fileName }),
      ...(types[fileName] ? { documentType: types[fileName] } : {}),
    })),
  );
  return { ...extractArtifacts(documents), documents };
}

const linksOf = ({ links }: Extraction) =>
  links.map(({ sourceId, type, targetId }) => `${sourceId} ${type} ${targetId}`);
const typesOf = ({ artifacts }: Extraction) => artifacts.map(({ id, type }) => `${id} ${type}`);

describe('ids in text', () => {
  it.each([
    ['SG-01', ['SG-01']],
    ['FSR_012', ['FSR_012']],
    ['TSR-3.2', ['TSR-3.2']],
    ['SWE.1-REQ-5', ['SWE.1-REQ-5']],
    ['REQ-ABC-001', ['REQ-ABC-001']],
    ['TC_LIGHT_007a', ['TC_LIGHT_007a']],
    ['req~login~2', ['req~login~2']],
    ['SYS-REQ-014', ['SYS-REQ-014']],
    ['HW-REQ-009', ['HW-REQ-009']],
    ['SG01', ['SG01']],
    ['SG-OVERTEMP and FSR-VOLT-OPEN', ['SG-OVERTEMP', 'FSR-VOLT-OPEN']],
    ['FSR_TEMP_WARN: warn', ['FSR_TEMP_WARN']],
    ['SG-ID, TSR-TBD, FSR-XX, TC-NR, IT-SECURITY, SG-Temp, SG-N', []],
    ['SG-A and SIZ-C, not UN-A', ['SG-A', 'SIZ-C']],
    ['FSR-OC-1', ['FSR-OC-1']],
    ['SWR-12, SWR-13 and SWR-14', ['SWR-12', 'SWR-13', 'SWR-14']],
    ['H-07', ['H-07']],
    ['[SG-01][FSR-2]', ['SG-01', 'FSR-2']],
    ['CR-007', ['CR-007']],
    ['Safety Goal 01 and Sicherheitsziel 2', ['Safety Goal 01', 'Sicherheitsziel 2']],
    ['ISO 26262-6', []],
    ['ASIL-D', []],
    ['SHA-256 and AES-128', []],
    ['UTF-8', []],
    ['WP-09-01', []],
    ['RQ-06-34', []],
    ['see Table 3', []],
    ['R155', []],
    ['CVE-2023-1234', []],
    ['H.264', []],
    ['SWE.1 BP5', []],
    ['SYS.2', []],
    ['2024-05-12', []],
  ])('%s', (text, ids) => {
    expect(idsInText(text).map(({ id }) => id)).toEqual(ids);
  });
});

describe('tables', () => {
  const goals = `# Safety goals

| ID | Safety goal | ASIL | Status |
|---|---|---|---|
| SG-01 | The vehicle shall not brake without demand. | D | released |
| SG-02 | The brake shall hold at standstill. | B | obsolete |
`;
  it('reads id, text, level, status with their places', async () => {
    const result = await extract({ 'hara.md': goals });
    const [first] = result.artifacts;
    expect(result.artifacts).toHaveLength(2);
    expect(first).toMatchObject({
      id: 'SG-01',
      type: 'safety_goal',
      text: 'The vehicle shall not brake without demand.',
      asil: 'D',
      status: 'released',
      location: { line: 5 },
    });
    const { text } = result.documents[0]!.document;
    expect(text.slice(first!.start, first!.end)).toContain('SG-01\tThe vehicle');
    expect(text.slice(first!.asilPlace!.start, first!.asilPlace!.end)).toBe('D');
  });
  it('reads link columns in English and German, lists, ranges, other spellings', async () => {
    const result = await extract({
      'hara.md': goals,
      'fsr.md': `
| ID | Anforderung | ASIL | Abgeleitet aus | Verifiziert durch |
|---|---|---|---|---|
| FSR-1 | Das System muss Bremsen ohne Anforderung verhindern. | D | SG 01 | TC-1..TC-3 |
| FSR-2 | Das System muss die Bremse im Stillstand halten. | B | sg_2, FSR-77 | TC-1 |
`,
      'tests.md': `
| Test ID | Steps | Expected result | Verifies |
|---|---|---|---|
| TC-1 | brake | stands still at once | FSR-1 und FSR-2 |
| TC-2 | release | moves off after it | |
| TC-3 | wait | stays as it is now | |
`,
    });
    expect(linksOf(result)).toEqual([
      'FSR-1 derives_from SG-01',
      'FSR-1 verified_by TC-1',
      'FSR-1 verified_by TC-2',
      'FSR-1 verified_by TC-3',
      'FSR-2 derives_from SG-02',
      'FSR-2 derives_from FSR-77',
      'FSR-2 verified_by TC-1',
      'FSR-1 verified_by TC-1',
      'FSR-2 verified_by TC-1',
    ]);
    expect(result.links[7]).toMatchObject({ statedAt: 'target', documentId: 'tests.md' });
    expect(result.noteCounts.range_expanded).toBe(1);
    expect(typesOf(result).slice(4)).toEqual(['TC-1 test', 'TC-2 test', 'TC-3 test']);
    const range = result.links[2]!;
    const { text } = result.documents[1]!.document;
    expect(text.slice(range.start, range.end)).toBe('TC-1..TC-3');
  });
  it('knows what is above from the types where a title does not tell', async () => {
    const result = await extract({
      'a.md': `
| ID | Description | Traces to |
|---|---|---|
| FSR-1 | A demand on the vehicle. | TSR-1, TC-1, SG-1 |
| TSR-1 | A demand on the system. | ARCH-1 |
| SG-1 | A goal. |  |
| TC-1 | A test. |  |
| ARCH-1 | An element. | |
`,
    });
    expect(linksOf(result)).toEqual([
      'TSR-1 derives_from FSR-1',
      'FSR-1 verified_by TC-1',
      'FSR-1 derives_from SG-1',
      'TSR-1 allocated_to ARCH-1',
    ]);
  });
  it('takes a matrix of ids for links, not for definitions', async () => {
    const result = await extract({
      'trace.md': `
| Requirement ID | Verified by |
|---|---|
| SWR-1 | TC-1 |
`,
    });
    expect(result.artifacts).toEqual([]);
    expect(linksOf(result)).toEqual(['SWR-1 verified_by TC-1']);
  });
  it('keeps comments, planned methods and standards out of the trace', async () => {
    const result = await extract({
      'a.md': `
| ID | Requirement | Source | Verification | Comment |
|---|---|---|---|---|
| SWR-1 | The pump shall stop. | ISO 26262-6 | Test | see SWR-2 |
| SWR-2 | The pump shall start. | | | |
`,
    });
    expect(result.links).toEqual([]);
    expect(result.noteCounts).toMatchObject({ weak_reference: 1, no_id_in_link: 2 });
  });
  it('reads ratings of hazardous events and the goal that a row quotes', async () => {
    const result = await extract({
      'hara.md': `${goals}
| Hazard ID | Hazardous event | Severity | Exposure | Controllability | ASIL | Safety goal |
|---|---|---|---|---|---|---|
| HA-1 | Collision from behind | S3 - fatal | E4 | C3 | D | The vehicle shall not brake without demand. |
`,
    });
    expect(result.artifacts.at(-1)).toMatchObject({
      type: 'hazardous_event',
      ratings: { severity: 3, exposure: 4, controllability: 3 },
      text: 'Collision from behind',
    });
    expect(linksOf(result)).toEqual(['SG-01 derives_from HA-1']);
  });
  it('makes evidence of the results in a table of tests', async () => {
    const result = await extract({
      'report.md': `
| Test case ID | Description | Covers | Result |
|---|---|---|---|
| TC-1 | Brake at once | SWR-1 | Passed |
| TC-2 | Brake later | SWR-1 | nicht bestanden |
`,
    });
    expect(result.artifacts.filter(({ type }) => type === 'evidence')).toMatchObject([
      { id: 'TC-1 result', result: 'pass', kind: 'test_result' },
      { id: 'TC-2 result', result: 'fail' },
    ]);
    expect(linksOf(result)).toEqual([
      'SWR-1 verified_by TC-1',
      'SWR-1 verified_by TC-2',
      'TC-1 evidenced_by TC-1 result',
      'TC-2 evidenced_by TC-2 result',
    ]);
  });
});

describe('what stands in a concept beside requirements', () => {
  it.each(['FSR', 'FSRs', 'FSR ID', 'Functional safety requirement', 'FSR-IDs'])(
    'a column of ids titled "%s" holds links',
    async (title) => {
      const result = await extract({
        'tsc.md': `
| ID | Technical safety requirement | ${title} |
|---|---|---|
| TSR-1 | The speed shall be compared. | FSR-1 |
| TSR-2 | The supply shall be cut. | FSR-1, FSR-2 |
`,
        'fsc.md': `
| ID | Functional safety requirement |
|---|---|
| FSR-1 | The command shall be rejected. |
| FSR-2 | The current shall be supervised. |
`,
      });
      expect(linksOf(result)).toEqual([
        'TSR-1 derives_from FSR-1',
        'TSR-2 derives_from FSR-1',
        'TSR-2 derives_from FSR-2',
      ]);
    },
  );

  it('a text that only speaks of a type is no column of links', async () => {
    const result = await extract({
      'fsc.md': `
| ID | Functional safety requirement | TSR |
|---|---|---|
| FSR-1 | The command shall be rejected. | to be written |
`,
    });
    expect(linksOf(result)).toEqual([]);
    expect(result.notes).toEqual([]);
  });

  it.each([
    ['technical_safety_concept', 'Safety mechanisms', 'SM-01'],
    ['functional_safety_concept', '4.2 Safe states', 'SST-1'],
    ['functional_safety_concept', 'Sichere Zustände', 'Z-1'],
    ['software_requirements_spec', 'Assumptions', 'A-3'],
    ['functional_safety_concept', '6 Assumptions on external systems', 'QX-3'],
    ['functional_safety_concept', 'Annahmen an externe Systeme', 'QX-3'],
  ])('in a %s, rows under "%s" are no requirements', async (documentType, heading, id) => {
    const result = await extract(
      {
        'a.md': `# ${heading}\n\n| ID | Description |\n|---|---|\n| ${id} | Motor without current, lamp on |\n`,
      },
      { 'a.md': documentType },
    );
    expect(typesOf(result)).toEqual([`${id} unknown`]);
  });

  it('a requirement under such a heading stays one', async () => {
    const result = await extract(
      {
        'a.md': `# Safety mechanisms\n\n| ID | Description |\n|---|---|\n| TSR-1 | MCU-B shall cut the supply. |\n`,
      },
      { 'a.md': 'technical_safety_concept' },
    );
    expect(typesOf(result)).toEqual(['TSR-1 technical_safety_requirement']);
  });

  it('mechanisms that name their requirement in a column of ids are linked to it', async () => {
    const result = await extract({
      'tsc.md': `
| ID | Technical safety requirement |
|---|---|
| TSR-1 | The speed shall be compared. |

# Safety mechanisms

| ID | Safety mechanism | Requirement |
|---|---|---|
| SM-1 | Comparison of two speeds | TSR-1 |
`,
    });
    expect(linksOf(result)).toEqual(['SM-1 derives_from TSR-1']);
  });

  it('elements with ids are what requirements are allocated to by name, and owe nothing', async () => {
    const result = await extract(
      {
        'fsc.md': `
| Element ID | Element | Purpose |
|---|---|---|
| EL-1 | Brake control unit | Decides on application |
| EL-2 | Switch | Reads the driver |

| ID | Functional safety requirement | Allocated to |
|---|---|---|
| FSR-1 | The command shall be rejected. | Brake control unit |
`,
      },
      { 'fsc.md': 'functional_safety_concept' },
    );
    expect(typesOf(result)).toEqual(['EL-1 design', 'EL-2 design', 'FSR-1 functional_safety_requirement']);
    expect(result.artifacts.map(({ informational }) => informational === true)).toEqual([true, true, false]);
    expect(linksOf(result)).toEqual(['FSR-1 allocated_to EL-1']);
  });

  it('"all" under a title of elements is every element that the column names', async () => {
    const { links } = await extract({
      'Software.md': `
| ID | Software requirement | ASIL | Allocation software elements |
|---|---|---|---|
| SWR-1 | The filter shall limit the torque. | C | Input filter |
| SWR-2 | Each element shall report its state. | C | All |
| SWR-3 | The monitor shall compare both channels. | C | Monitor |
`,
    });
    expect(links.filter(({ sourceId }) => sourceId === 'SWR-2').map(({ targetId }) => targetId)).toEqual([
      'Input filter',
      'Monitor',
    ]);
  });
  it('reads ids of no known form by what the table is, and links under titles that say nothing', async () => {
    const result = await extract(
      {
        'hara.md': `
| Event | S | E | C | ASIL | Goal |
|---|---|---|---|---|---|
| HZ-1 | S3 | E4 | C3 | D | G-1 |
| HZ-2 | S1 | E2 | C1 | QM | – |

| Goal | Statement | ASIL |
|---|---|---|
| G-1 | A cell shall not be overcharged. | D |
| G-2 | The contactors shall stay closed while driving. | A |

| No. | Requirement | From | Class |
|---|---|---|---|
| R-1 | The controller shall open the contactors. | G-1 | X-1 |
| R-2 | The driver shall be warned. | G-1, G-2 | X-1 |
`,
      },
      { 'hara.md': 'functional_safety_concept' },
    );
    const pairs = result.links.map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' '));
    expect(pairs).toEqual(['G-1 HZ-1', 'G-1 R-1', 'G-1 R-2', 'G-2 R-2']);
  });
  it('the goal that an event quotes in nearly the same words, or abbreviated, is linked to it', async () => {
    const { links } = await extract({
      'HARA.md': `
| ID | Hazardous event | S | E | C | ASIL | Safety goal |
|---|---|---|---|---|---|---|
| HE-1 | The vehicle brakes without a request | S3 | E4 | C2 | C | The EPB function shall not brake the moving vehicle by itself |
| HE-2 | The vehicle rolls away | S3 | E4 | C2 | C | The vehicle at rest shall not roll away on a slope |
`,
      'FSC.md': `
| ID | Safety goal | ASIL |
|---|---|---|
| SG-1 | The moving vehicle shall not be braked by the electric parking brake function itself. | C |
| SG-2 | A vehicle at rest shall not roll away on any slope. | C |
`,
    });
    const pairs = links.map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' '));
    expect(pairs).toEqual(['HE-1 SG-1', 'HE-2 SG-2']);
  });
  it('rows with what they verify and what is expected are tests, whatever their ids', async () => {
    const result = await extract({
      'tests.md': `
| ID | Verifies | Input | Expected result |
|---|---|---|---|
| SWT-1 | SSR-1 | Speed 3.1 km/h | Bridge off |

| ID | Software safety requirement |
|---|---|
| SSR-1 | The command shall be discarded. |
`,
    });
    expect(typesOf(result)).toEqual(['SWT-1 test', 'SSR-1 software_requirement']);
    expect(linksOf(result)).toEqual(['SSR-1 verified_by SWT-1']);
  });

  it('a hazard with its words in the row of an event is no id without definition; one without is', async () => {
    const result = await extract(
      {
        'hara.md': `
| ID | Hazard | Hazardous event | S | E | C |
|---|---|---|---|---|---|
| HE-1 | H-01 Vehicle rolls away | Driverless vehicle hits a person | 3 | 4 | 3 |
| HE-2 | H-02 | Vehicle skids in a curve | 3 | 4 | 3 |
`,
      },
      { 'hara.md': 'hara' },
    );
    expect(linksOf(result)).toEqual(['HE-2 derives_from H-02']);
  });
});

describe('ids that count anew under each parent', () => {
  const table = (...texts: string[]) => `
| ID | Technical Safety Requirement | ASIL |
|---|---|---|
${texts.map((text, at) => `| Technical Safety Requirement 0${at + 1} | ${text} | C |`).join('\n')}
`;
  const fsr = `
| ID | Functional Safety Requirement | ASIL |
|---|---|---|
| Functional Safety Requirement 01-01 | The torque shall be limited. | C |
| Functional Safety Requirement 01-02 | The time shall be limited. | C |
`;
  it('get the id of the parent before them', async () => {
    const result = await extract({
      'fsc.md': fsr,
      'tsc.md': `
Requirements related to Functional Safety Requirement 01-01 are:
${table('Limit the torque in software.', 'Test the memory.')}
Requirements related to Functional Safety Requirement 01-2 are:
${table('Stop the timer in hardware.', 'Test the memory.')}`,
      'srs.md': `
Requirements related to Functional Safety Requirement 01-01:
${table('Limit the torque in software.')}
## Software
${table('Send a status frame at once.')}
| ID | Software Safety Requirement |
|---|---|
| Software Safety Requirement 01-01 | Read the input. |
`,
    });
    expect(new Set(result.artifacts.slice(2).map(({ id }) => id))).toEqual(
      new Set([
        'Functional Safety Requirement 01-01 / Technical Safety Requirement 01',
        'Functional Safety Requirement 01-01 / Technical Safety Requirement 02',
        'Functional Safety Requirement 01-2 / Technical Safety Requirement 01',
        'Functional Safety Requirement 01-2 / Technical Safety Requirement 02',
        'Software Safety Requirement 01-01',
      ]),
    );
    const links = linksOf(result);
    expect(links).toContain(
      'Functional Safety Requirement 01-2 / Technical Safety Requirement 02 derives_from Functional Safety Requirement 01-02',
    );
    expect(links).toContain(
      'Software Safety Requirement 01-01 derives_from Functional Safety Requirement 01-01 / Technical Safety Requirement 01',
    );
    const [note] = result.notes.filter(({ code }) => code === 'other_meaning');
    expect(note).toMatchObject({ documentId: 'srs.md', other: { documentId: 'tsc.md' } });
  });
  it('stay as they are where they say the same everywhere', async () => {
    const result = await extract({
      'fsc.md': fsr,
      'tsc.md': `
Related to Functional Safety Requirement 01-01:
${table('Limit the torque.')}
Related to Functional Safety Requirement 01-02:
${table('Limit the torque.')}`,
    });
    expect(typesOf(result).slice(2)).toEqual([
      'Technical Safety Requirement 01 technical_safety_requirement',
      'Technical Safety Requirement 01 technical_safety_requirement',
    ]);
    expect(linksOf(result)).toHaveLength(2);
  });
});

describe('fields behind the text of a requirement', () => {
  it('are fields, not text', async () => {
    const found = await extract({
      'concept.md': [
        '# Funktionales Sicherheitskonzept',
        'FSA-1: Das Steuergerät muss die Spannung prüfen. ASIL: D. Abgeleitet von: SZ-1. Zugeordnet zu: BSG. Verifikation: TF-1.',
        '',
        '### SZ-1 Keine Überladung',
        'Die Zellen dürfen nicht überladen werden.',
        'ASIL: D',
        'Fehlertoleranzzeit: 500 ms',
      ].join('\n'),
    });
    expect(found.artifacts.map(({ id, asil, text }) => [id, asil, text])).toEqual([
      ['FSA-1', 'D', 'Das Steuergerät muss die Spannung prüfen.'],
      ['SZ-1', 'D', 'Die Zellen dürfen nicht überladen werden.'],
      ['BSG', undefined, 'BSG'],
    ]);
    expect(linksOf(found)).toEqual([
      'FSA-1 derives_from SZ-1',
      'FSA-1 allocated_to BSG',
      'FSA-1 verified_by TF-1',
    ]);
  });

  it('are not what a sentence says after a colon', async () => {
    const found = await extract({
      'concept.md':
        '# Functional safety concept\n\nFSR-1: The unit shall report the ASIL: it sends D to the display.',
    });
    expect(found.artifacts.map(({ asil, text }) => [asil, text])).toEqual([
      [undefined, 'The unit shall report the ASIL: it sends D to the display.'],
    ]);
  });
});

describe('prose', () => {
  it('reads headings with keys below them', async () => {
    const result = await extract({
      'a.md': `# Concept

## FSR-1: Torque limit [ASIL B(D)]

The system shall limit the torque.

- Status: draft
- Derived from: SG-1
- Verified by:
  - TC-1
  - TC-2

## FSR-2 Time limit

ASIL: D
**Satisfies:** SG-1

The system shall limit
the *time*. See FSR-1.
`,
    });
    expect(result.artifacts).toMatchObject([
      {
        id: 'FSR-1',
        name: 'Torque limit [ASIL B(D)]',
        asil: 'ASIL B(D)',
        status: 'draft',
        text: 'The system shall limit the torque.',
      },
      { id: 'FSR-2', asil: 'D', text: 'The system shall limit the time. See FSR-1.' },
    ]);
    expect(linksOf(result)).toEqual([
      'FSR-1 derives_from SG-1',
      'FSR-1 verified_by TC-1',
      'FSR-1 verified_by TC-2',
      'FSR-2 derives_from SG-1',
    ]);
    expect(result.noteCounts.weak_reference).toBe(1);
  });
  it('reads paragraphs with an id, brackets, arrows, phrases; sentences that link', async () => {
    const result = await extract({
      'a.md': `
[FSR-012] The brake shall hold. [SG-01]

FSR-013: The brake shall open (→ SG-02).

SRS 1 — The tool shall start.

SRS 2 — The tool shall stop, derived from FR 2.

SRS 3 — The tool shall wait.

SRS 1-3 >> satisfies FR 1, 2

FSR-014 is a good idea.
`,
    });
    expect(result.artifacts.map(({ id }) => id)).toEqual(['FSR-012', 'FSR-013', 'SRS 1', 'SRS 2', 'SRS 3']);
    expect(linksOf(result)).toEqual([
      'FSR-012 derives_from SG-01',
      'FSR-013 derives_from SG-02',
      'SRS 2 derives_from FR 2',
      'SRS 1 derives_from FR 1',
      'SRS 1 derives_from FR 2',
      'SRS 2 derives_from FR 1',
      'SRS 2 derives_from FR 2',
      'SRS 3 derives_from FR 1',
      'SRS 3 derives_from FR 2',
    ]);
  });
  it('learns a way of numbering, and not from one example', async () => {
    const rule = (prefix: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${prefix} ${at + 1} — The pump shall do step ${at}.\n`).join(
        '\n',
      );
    const result = await extract({ 'a.md': `${rule('PUMP', 3)}\n${rule('EG', 1)}` });
    expect(result.artifacts.map(({ id }) => id)).toEqual(['PUMP 1', 'PUMP 2', 'PUMP 3']);
  });
});

describe('formats of tools', () => {
  it('OpenFastTrace and tags in code', async () => {
    const result = await extract({
      'req.md': `# Login
\`req~login~2\`

The user logs in.

Needs: dsn, utest

# Session
\`dsn~session~1\`

A session is kept.

Covers:
- \`req~login~1\`
`,
      'Session.java': `class Session {
  // [impl->dsn~session~1]
  void open() {}
  /** @verifies req~login~2 */
  void test() {}
}
`,
    });
    expect(typesOf(result)).toEqual([
      'req~login~2 technical_safety_requirement',
      'dsn~session~1 design',
      'impl~session-ae35737a~0 design',
      'Session.java:4 test',
    ]);
    expect(linksOf(result)).toEqual([
      'dsn~session~1 satisfies req~login~1',
      'dsn~session~1 implemented_by impl~session-ae35737a~0',
      'req~login~2 verified_by Session.java:4',
    ]);
    expect(result.links[1]!.location.line).toBe(2);
    expect(result.artifacts.map(({ needs }) => needs)).toEqual([['dsn', 'utest'], [], [], undefined]);
  });
  it('directives, sdoc, TRLC and JUnit', async () => {
    const result = await extract({
      'a.rst': `Goals
=====

.. safety_goal:: Hold the torque
   :id: SG_HOLD
   :asil: D
   :mitigates: HAZ_TORQUE

   The torque must be held.

.. hazard:: Wrong torque
   :id: HAZ_TORQUE
   :asil: D
`,
      'l2.sdoc': `[DOCUMENT]
TITLE: Low level

[REQUIREMENT]
UID: TOOL-SRS-1
STATEMENT: The tool shall read.
RELATIONS:
- TYPE: Parent
  VALUE: SG_HOLD
`,
      'm.trlc': `package Msg
import Req
Req.AssumedSystemReq Top {
  description = "The system shall talk."
  safety = Req.Asil.B
}
Req.CompReq Talk {
  description = "The component shall talk."
  safety = Req.Asil.B
  derived_from = [Top]
}
`,
      'junit.xml': `<testsuite name="s"><testcase name="TC_TALK_001" classname="a.B"><failure message="no"/></testcase></testsuite>`,
      'tests.md': `
| ID | Test case | Verifies |
|---|---|---|
| TC_TALK_001 | Talk to it. | Msg.Talk |
`,
    });
    expect(typesOf(result)).toEqual([
      'SG_HOLD safety_goal',
      'HAZ_TORQUE hazardous_event',
      'TOOL-SRS-1 software_requirement',
      'Msg.Top technical_safety_requirement',
      'Msg.Talk software_requirement',
      'a.B.TC_TALK_001 evidence',
      'TC_TALK_001 test',
    ]);
    expect(result.artifacts[0]).toMatchObject({
      asil: 'D',
      name: 'Hold the torque',
      text: 'The torque must be held.',
    });
    expect(result.artifacts[3]).toMatchObject({ external: true, asil: 'ASIL B' });
    expect(result.artifacts[5]).toMatchObject({ result: 'fail', kind: 'test_result' });
    expect(linksOf(result)).toEqual([
      'SG_HOLD derives_from HAZ_TORQUE',
      'TOOL-SRS-1 derives_from SG_HOLD',
      'Msg.Talk derives_from Msg.Top',
      'Msg.Talk verified_by TC_TALK_001',
      'TC_TALK_001 evidenced_by a.B.TC_TALK_001',
    ]);
  });
});

describe('elements without ids', () => {
  const designs = ({ artifacts }: Extraction) =>
    artifacts.filter(({ type }) => type === 'design').map(({ id, text }) => `${id}: ${text}`);
  it('are artifacts by their names: described, listed in a column, marked with crosses', async () => {
    const result = await extract({
      'concept.md': `# Architecture

| Element | Description |
|---|---|
| Camera ECU | Finds the lane. |
| Motor | Turns the wheel. |

# Requirements

| ID | Text | Allocated to |
|---|---|---|
| FSR-1 | The torque shall be limited. | Torque limiter; camera ecu |
| FSR-2 | The motor shall stop. | n/a |
| FSR-3 | The lamp shall be lit. | TBD |

# Allocation of requirements to elements

| ID | Text | Motor | Display | Remark |
|---|---|---|---|---|
| FSR-1 | The torque shall be limited. | X | | |
| FSR-2 | The motor shall stop. | x | X | later |

# Planning

| ID | Text | Motor | Release one |
|---|---|---|---|
| FSR-3 | The lamp shall be lit. | X | X |
`,
    });
    expect(designs(result)).toEqual([
      'Camera ECU: Finds the lane.',
      'Motor: Turns the wheel.',
      'Torque limiter: Torque limiter',
      'Display: Display',
    ]);
    expect(linksOf(result)).toEqual([
      'FSR-1 allocated_to Torque limiter',
      'FSR-1 allocated_to Camera ECU',
      'FSR-1 allocated_to Motor',
      'FSR-2 allocated_to Motor',
      'FSR-2 allocated_to Display',
      'FSR-3 allocated_to Motor',
    ]);
    expect(result.artifacts.filter(({ type }) => type === 'design').every((one) => one.informational)).toBe(
      true,
    );
    expect(result.ends.targets.map((at) => Number(result.artifacts[at]!.type === 'design'))).toEqual(
      new Int32Array(6).fill(1),
    );
  });
  it('are read in German; the name of an element with an id is that element', async () => {
    const result = await extract({
      'konzept.md': `
| Komponente | Beschreibung |
|---|---|
| Drehmomentbegrenzer | Begrenzt das Moment. |

| ID | Name | Beschreibung |
|---|---|---|
| ARC-1 | Anzeige | Zeigt Warnungen. |

## Zuordnung der Anforderungen

| ID | Anforderung | Zugeordnet zu | Lenkung |
|---|---|---|---|
| FSR-1 | Das Moment muss begrenzt werden. | Drehmomentbegrenzer | X |
| FSR-2 | Die Warnung muss angezeigt werden. | Anzeige, ARC-1 | |
`,
    });
    expect(designs(result).map((one) => one.split(':')[0])).toEqual([
      'Drehmomentbegrenzer',
      'ARC-1',
      'Lenkung',
    ]);
    expect(linksOf(result)).toEqual([
      'FSR-1 allocated_to Drehmomentbegrenzer',
      'FSR-1 allocated_to Lenkung',
      'FSR-2 allocated_to ARC-1',
    ]);
  });
  it('are no sentences, gaps or lists of tools', async () => {
    const result = await extract({
      'a.md': `
| Component | Version |
|---|---|
| Compiler | 9.1 |

| ID | Text | Component |
|---|---|---|
| FSR-1 | The torque shall be limited. | To be decided with the supplier. |
| FSR-2 | The torque shall be limited. | <component> |
| FSR-3 | The motor shall stop. | all |
`,
    });
    expect(designs(result)).toEqual([]);
    expect(result.links).toEqual([]);
  });
});

describe('demands without ids', () => {
  it('are counted where a document numbers nothing at all', async () => {
    const bare = '# Control\n\nThe brake shall stop.\n\n- Die Lampe muss leuchten.\n\nThe brake is red.\n';
    const result = await extract({ 'a.md': bare, 'b.md': `${bare}\n# SG-1: Goal\n` });
    expect(result.noteCounts.demand_without_id).toBe(2);
    const places = result.notes.map(({ documentId, location }) => [documentId, location.line]);
    expect(places).toEqual([
      ['a.md', 3],
      ['a.md', 5],
    ]);
  });
});

describe('bad input', () => {
  it('is linear in ids made to be slow', async () => {
    const bomb = `SG-${'A-'.repeat(40_000)}1 ${'SG-1.'.repeat(20_000)} [${'['.repeat(20_000)}`;
    const result = await extract({ 'a.md': `# SG-1 ${bomb}\n\nFSR-1: ${bomb}\n` });
    expect(result.artifacts.length).toBeGreaterThan(0);
  }, 5_000);
  it('is linear in many ids and brackets', async () => {
    const text = `FSR-1: ${'[SG-1] holds with [x] a '.repeat(30_000)}\n\n| ID | Text | Covers |\n|---|---|---|\n| FSR-2 | A demand. | ${'SG-1, '.repeat(30_000)} |\n`;
    const taken = processorTime();
    const result = await extract({ 'a.md': text });
    expect(result.links).toHaveLength(60_000);
    expect(taken()).toBeLessThan(10_000);
  }, 60_000);
  it('is linear in needs, names and tags of specification items', async () => {
    const letters = (at: number) =>
      String.fromCharCode(...[...String(at)].map((digit) => 97 + Number(digit)));
    const many = Array.from({ length: 100_000 }, (_, at) => letters(at)).join(', ');
    const taken = processorTime();
    const { artifacts, links } = await extract({
      'a.md': `# A\nreq~a~1\n\nb~${'c'.repeat(500_000)} ${'x-->y,'.repeat(100_000)}\n\nNeeds: ${many}\n`,
      'a.c': `${'[impl->req~a~1]'.repeat(40_000)}\n`,
    });
    expect(artifacts[0]!.needs).toHaveLength(100);
    expect(links).toHaveLength(40_000);
    expect(taken()).toBeLessThan(10_000);
  }, 60_000);
  it('reads a link to itself and ranges without end', async () => {
    const result = await extract({
      'a.md': '| ID | Text | Derived from |\n|---|---|---|\n| FSR-1 | A demand. | FSR-1; SG-1..SG-999999 |\n',
    });
    expect(linksOf(result)).toEqual([
      'FSR-1 derives_from FSR-1',
      'FSR-1 derives_from SG-1',
      'FSR-1 derives_from SG-999999',
    ]);
    expect(result.noteCounts.range_not_expanded).toBe(1);
  });
});

describe('docs as code', () => {
  it('reads headings of one series as ids, and goals named by their kind', async () => {
    const hara =
      '## HAZ-OC Current\n\n- Severity: S3\n- Safety goal: SG-OC\n\n## SG-OC\n\nThe unit shall stop.\n';
    const tests = [1, 2, 3].map((at) => `## T-10${at} Case\n\nVerifies: SG-OC\n\n`).join('');
    const extraction = await extract(
      { 'hara.md': hara, 'tests.md': tests },
      { 'hara.md': 'hara', 'tests.md': 'test_specification' },
    );
    expect(typesOf(extraction)).toEqual(
      expect.arrayContaining(['HAZ-OC hazardous_event', 'SG-OC safety_goal', 'T-101 test', 'T-103 test']),
    );
    expect(linksOf(extraction).filter((link) => link.includes('SG-OC'))).toHaveLength(4);
  });
});
