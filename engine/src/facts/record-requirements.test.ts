import { describe, expect, it, test } from 'vitest';
import { corpusOf } from '../corpus/corpus-of.js';
import { readDocument } from '../documents/read-document.js';
import { reqifFile } from '../documents/testing/reqif-file.js';
import { assessRequirements } from '../requirement-quality/requirement-quality.js';
import { extractArtifacts } from './artifacts/extract-artifacts.js';
import { requirementsOf } from './requirements-of.js';

async function requirements(fileName: string, content: string) {
  const document = await readDocument(new TextEncoder().encode(content), { fileName });
  const analysed = { id: fileName, name: fileName, version: '1', sha256: '', document };
  return requirementsOf(await corpusOf({ documents: [analysed] }, async () => {}));
}

const DEMAND = 'The brake shall stop the vehicle within 2 s.';
const FILES: readonly (readonly [fileName: string, content: string, fields: Record<string, string>])[] = [
  [
    'a.reqif',
    reqifFile({
      types: { T: 'Software Requirement', H: 'Heading' },
      attributes: { K: 'ReqIF.ForeignID', X: 'ReqIF.Text', R: 'Rationale', V: 'Verification method' },
      objects: [
        { id: '_0', type: 'H', values: { X: 'Braking' } },
        { id: '_1', type: 'T', values: { K: 'SWR-1', X: DEMAND, R: 'Law.', V: 'Test' } },
      ],
      specifications: [
        {
          name: 'Spec',
          children: ['_0', '_1']
            .map(
              (id) =>
                `<SPEC-HIERARCHY IDENTIFIER="h${id}"><OBJECT><SPEC-OBJECT-REF>${id}</SPEC-OBJECT-REF></OBJECT></SPEC-HIERARCHY>`,
            )
            .join(''),
        },
      ],
    }),
    { rationale: 'Law.', verification: 'Test' },
  ],
  [
    'needs.json',
    JSON.stringify({
      current_version: '1',
      versions: {
        1: {
          needs: {
            'SWR-1': { id: 'SWR-1', type: 'sw_req', title: 'Stop', content: DEMAND, status: 'open' },
            'TC-1': { id: 'TC-1', type: 'test', title: 'Try', content: 'The vehicle shall stand.' },
          },
        },
      },
    }),
    { status: 'open' },
  ],
  [
    'a.sdoc',
    `[DOCUMENT]\nTITLE: Brake\n\n[REQUIREMENT]\nUID: SWR-1\nSTATUS: Active\nSTATEMENT: >>>\n${DEMAND}\n<<<\nRATIONALE: Law.\n`,
    { status: 'Active', rationale: 'Law.' },
  ],
  [
    'a.trlc',
    `package Brake\nSwReq Stop {\n  description = "${DEMAND}"\n  rationale = "Law."\n}\n`,
    { rationale: 'Law.' },
  ],
  [
    'SWR-1.yml',
    `active: true\nderived: false\nlevel: 1.0\nlinks: []\nnormative: true\nref: ''\nreviewed: null\ntext: |\n  ${DEMAND}\n`,
    {},
  ],
];

describe('requirements of tools', () => {
  it.each(FILES)('%s', async (fileName, content, fields) => {
    const found = await requirements(fileName, content);
    expect(found.map(({ text }) => text)).toEqual([DEMAND]);
    const [one] = found;
    expect(one!.document.read.document.text.slice(one!.start, one!.end)).toBe(DEMAND);
    expect(Object.fromEntries([...(one!.fields ?? [])])).toMatchObject(fields);
    expect(assessRequirements(found).requirements[0]!.id).toBe(one!.id);
  });

  it('miss an attribute that others of the set have', async () => {
    const record = (id: string, more: string) =>
      `[REQUIREMENT]\nUID: ${id}\n${more}STATEMENT: The brake ${id} shall stop the vehicle.\n\n`;
    const found = await requirements(
      'a.sdoc',
      `[DOCUMENT]\nTITLE: Brake\n\n${record('SWR-1', 'STATUS: Active\n')}${record('SWR-2', 'STATUS: Active\n')}${record('SWR-3', '')}`,
    );
    const hits = assessRequirements(found).requirements.map(({ hits: all }) => all.map(({ rule }) => rule));
    const lone = hits.map((rules) => rules.includes('RQQ-28'));
    expect(lone).toEqual([false, false, true]);
  });
});

test('the number of a record in an attribute of its own is no link to itself', async () => {
  const content = reqifFile({
    types: { T: 'Requirement' },
    attributes: { K: 'ReqIF.ForeignID', X: 'ReqIF.Text', P: 'Derived from' },
    objects: [
      { id: '_1', type: 'T', values: { K: 'TSA-101', X: DEMAND, P: 'FSA-01' } },
      { id: '_2', type: 'T', values: { K: 'TSA-102', X: DEMAND, P: 'FSA-01' } },
    ],
    specifications: [
      {
        name: 'Specification',
        children: ['_1', '_2']
          .map(
            (id) =>
              `<SPEC-HIERARCHY IDENTIFIER="h${id}"><OBJECT><SPEC-OBJECT-REF>${id}</SPEC-OBJECT-REF></OBJECT></SPEC-HIERARCHY>`,
          )
          .join(''),
      },
    ],
  });
  const document = await readDocument(new TextEncoder().encode(content), { fileName: 'a.reqif' });
  const { links } = extractArtifacts([{ id: 'a.reqif', document }]);
  expect(links.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`)).toEqual([
    'TSA-101 FSA-01',
    'TSA-102 FSA-01',
  ]);
});
