import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DocumentErrorCode } from './document-error.js';
import { createDocumentReader, type DocumentReader } from './document-reader.js';
import { openDocumentFile } from './testing/open-document.js';
import { hierarchy, reqifFile } from './testing/reqif-file.js';
import { zipFile } from './testing/zip-file.js';

const MANY = 50_000;
const times = (text: string, after = '') => Buffer.from(text.repeat(MANY) + after);
const object = (text: string) => ({ id: 'o', values: { t: text } });
const sdoc = (rest: string) => Buffer.from(`[DOCUMENT]\nTITLE: T\n\n${rest}`);

const CASES: readonly (readonly [string, string, () => Uint8Array, DocumentErrorCode])[] = [
  [
    'an external entity in ReqIF',
    'a.reqif',
    () =>
      Buffer.from(
        reqifFile({}).replace('?>', '?><!DOCTYPE REQ-IF [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      ),
    'unsafe_content',
  ],
  [
    'an entity bomb in test results',
    'a.xml',
    () =>
      Buffer.from('<!DOCTYPE testsuite [<!ENTITY a "bb"><!ENTITY c "&a;&a;">]><testsuite>&c;</testsuite>'),
    'unsafe_content',
  ],
  ['ReqIF that ends early', 'a.reqif', () => Buffer.from(reqifFile({}).slice(0, 300)), 'corrupt'],
  [
    '50 000 nested entries of a specification',
    'a.reqif',
    () => {
      const children =
        '<SPEC-HIERARCHY><CHILDREN>'.repeat(MANY) + '</CHILDREN></SPEC-HIERARCHY>'.repeat(MANY);
      return Buffer.from(reqifFile({ specifications: [{ name: 'S', children }] }));
    },
    'too_complex',
  ],
  [
    'an attribute of 30 MB',
    'a.reqif',
    () => Buffer.from(reqifFile({ objects: [object('x'.repeat(30_000_000))] })),
    'too_complex',
  ],
  [
    '50 000 mentions of one long object',
    'a.reqif',
    () => {
      const specifications = [{ name: 'S', children: hierarchy('o').repeat(MANY) }];
      return Buffer.from(reqifFile({ objects: [object('x'.repeat(1_000_000))], specifications }));
    },
    'too_large',
  ],
  [
    'a bomb in ReqIFZ',
    'a.reqifz',
    () => zipFile([{ name: 'a.reqif', content: Buffer.alloc(300_000_000, ' ') }]),
    'too_large',
  ],
  ['50 000 nested suites', 'a.xml', () => times('<testsuite>'), 'too_complex'],
  ['50 000 nested lists in JSON', 'a.json', () => times('['), 'too_complex'],
  ['50 000 nested objects in JSON', 'a.json', () => times('{"a":'), 'too_complex'],
  ['millions of numbers in JSON', 'a.json', () => Buffer.from(`[${'1,'.repeat(5_000_000)}1]`), 'too_large'],
  [
    'a string of 30 MB in JSON',
    'a.json',
    () => Buffer.from(`{"a":"${'\\"'.repeat(15_000_000)}"}`),
    'too_complex',
  ],
  ['50 000 nested lists in YAML', 'a.yaml', () => times('['), 'too_complex'],
  ['50 000 nested items in YAML', 'a.yaml', () => times('- ', 'x'), 'too_complex'],
  [
    'needs that end early',
    'a.json',
    () => Buffer.from('{"current_version":"1","versions":{"1":{"needs":{"R":{'),
    'corrupt',
  ],
  [
    '50 000 nested sections of StrictDoc',
    'a.sdoc',
    () => sdoc('[[SECTION]]\nTITLE: S\n'.repeat(MANY)),
    'too_complex',
  ],
  ['50 000 texts without end', 'a.sdoc', () => sdoc(`[REQUIREMENT]\n${'A: >>>\n'.repeat(MANY)}`), 'corrupt'],
  [
    '50 000 nested lists in TRLC',
    'a.trlc',
    () => times('', `package A\nT x { a = ${'['.repeat(MANY)}`),
    'too_complex',
  ],
  ['50 000 nested sections of TRLC', 'a.trlc', () => times('section "x" { '), 'too_complex'],
  [
    '50 000 nested lists in ODT',
    'a.odt',
    () => openDocumentFile('text', { body: '<text:list><text:list-item>'.repeat(MANY) }),
    'too_complex',
  ],
  ['3 MB of source on one line', 'a.c', () => Buffer.alloc(3_000_000, 'x'), 'too_complex'],
];

/** A bomb for readers that copy what an alias stands for. */
function laughs(): string {
  const lines = Array.from(
    { length: 30 },
    (_, index) => `b${index}: &b${index} [*b${index - 1}, *b${index - 1}]`,
  );
  return ['b-1: &b-1 [x, x]', ...lines].join('\n');
}

describe('data that nobody should have to fear', () => {
  let reader: DocumentReader;
  beforeAll(() => {
    reader = createDocumentReader();
  });
  afterAll(() => reader.close());

  // How long a reading may take its limit of processor time says; here it only has to end.
  it.each(CASES)('%s', { timeout: 60_000 }, async (_, fileName, make, code) => {
    await expect(reader.read(make(), { fileName })).rejects.toMatchObject({ name: 'DocumentError', code });
  });

  it('reads aliases that would grow without end', async () => {
    expect((await reader.read(Buffer.from(laughs()), { fileName: 'a.yaml' })).blocks).toHaveLength(31);
  });

  it('reads long files on one line in time that grows with their length', async () => {
    const objects = 'T x { a = "b" c = [A.y@1] } '.repeat(20_000);
    const { blocks } = await reader.read(Buffer.from(`package A ${objects}`), { fileName: 'a.trlc' });
    expect(blocks).toHaveLength(20_001);
  });

  it('brings records through the reading process as they are', async () => {
    const objects = [
      { id: 'a', values: { t: 'Text' } },
      { id: 'b', values: { t: 'Other' } },
    ];
    const file = reqifFile({
      objects,
      relationTypes: { r: 'refines' },
      relations: [{ source: 'a', target: 'b', type: 'r' }],
    });
    const { blocks } = await reader.read(Buffer.from(file), { fileName: 'a.reqif' });
    expect(blocks[1]!.record).toEqual({ id: 'a', links: [{ type: 'refines', target: 'b', column: 2 }] });
    expect(blocks[1]!.cells!.map((cell) => cell.location)).toEqual(Array(3).fill(blocks[1]!.location));
  });

  it('never repeats content of the file in an error', async () => {
    const secret = 'GEHEIM-4711';
    const bad: readonly (readonly [string, string])[] = [
      ['a.json', `{"${secret}" 1}`],
      ['a.yaml', `a: ${secret}\n\tb: c`],
      ['a.trlc', `package A\nT ${secret} [`],
      ['a.sdoc', `[DOCUMENT]\nTITLE: x\n\n[REQUIREMENT]\nSTATEMENT: >>>\n${secret}`],
      ['a.reqif', reqifFile({ relations: [{ id: secret, type: secret }] })],
    ];
    for (const [fileName, text] of bad) {
      const error = await reader.read(Buffer.from(text), { fileName }).then(
        () => undefined,
        (reason: { message: string; hint: string }) => reason,
      );
      expect(error?.hint, fileName).toMatch(/\.$/);
      expect(`${error?.message} ${error?.hint}`).not.toContain(secret);
    }
  });
});
