import { describe, expect, it } from 'vitest';
import { outline, places, read } from '../../testing/outline.js';
import { hierarchy, reqifFile, type TestObject, type TestReqif } from '../../testing/reqif-file.js';
import { zipFile } from '../../testing/zip-file.js';

const FILE: TestReqif = {
  attributes: { key: 'ReqIF.ForeignID', chapter: 'ReqIF.ChapterName', text: 'ReqIF.Text', state: 'Status' },
  types: { req: 'System Requirement', other: 'Note' },
  relationTypes: { sat: 'satisfies' },
  choices: { e1: 'Draft', e2: 'Reviewed' },
  objects: [
    { id: 'o1', type: 'req', values: { chapter: 'Braking' } },
    {
      id: 'o2',
      type: 'req',
      values: {
        key: 'SYS-1',
        text: '<xhtml:div><xhtml:p>The system <xhtml:b>sh</xhtml:b>all brake.</xhtml:p><xhtml:p>At once &amp; hard.</xhtml:p></xhtml:div>',
        state: '#e1#e2',
      },
    },
    { id: 'o3', type: 'req', values: { key: 'SYS-2', text: 'The system shall stop.', state: '#e2' } },
    { id: 'o4', type: 'other', values: { text: 'Read me.' } },
  ],
  relations: [{ source: 'o3', target: 'o2', type: 'sat' }],
  specifications: [
    { name: 'SyRS', children: hierarchy('o1', hierarchy('o3') + hierarchy('o2')) + hierarchy('o4') },
  ],
};

describe('ReqIF', () => {
  it('gives chapters as headings and objects as rows in the order of the specification', async () => {
    const document = await read(reqifFile(FILE), 'a.reqif');
    expect(outline(document)).toEqual([
      'heading1: SyRS',
      'table_row 0.0 header: ID | Type | ForeignID | Text | Status | satisfies',
      'heading2: Braking',
      'table_row 0.1: SYS-2 | System Requirement | SYS-2 | The system shall stop. | Reviewed | SYS-1',
      'table_row 0.2: SYS-1 | System Requirement | SYS-1 | The system shall brake. At once & hard. | Draft, Reviewed',
      'table_row 0.3: o4 | Note | Read me.',
    ]);
    expect(document.properties).toEqual({ title: 'An export', created: '2026-01-02T03:04:05Z' });
    expect(places(document)[3]).toBe('SyRS › Braking, line 8');
  });

  it('says what each row is and whom it links to', async () => {
    const { blocks } = await read(reqifFile(FILE), 'a.reqif');
    expect(blocks[3]).toMatchObject({
      location: { requirementId: 'SYS-2' },
      record: {
        id: 'SYS-2',
        type: 'System Requirement',
        links: [{ type: 'satisfies', target: 'SYS-1', column: 5 }],
      },
    });
    expect(blocks[3]!.cells!.find((cell) => cell.column === 5)!.text).toBe('SYS-1');
    expect(blocks[4]!.record).toEqual({ id: 'SYS-1', type: 'System Requirement' });
  });

  it.each([
    ['another prefix', reqifFile({ ...FILE, prefix: 'reqif' })],
    [
      'a namespace on every text',
      reqifFile(FILE).replaceAll('<xhtml:div>', '<xhtml:div xmlns="http://www.w3.org/1999/xhtml">'),
    ],
    ['UTF-16', Buffer.from(`\ufeff${reqifFile(FILE)}`, 'utf16le')],
  ])('reads %s alike', async (_, content) => {
    const expected = outline(await read(reqifFile(FILE), 'a.reqif'));
    expect(outline(await read(content, 'a.xml'))).toEqual(expected);
  });

  it('takes a type of heading for the only headings, where the file has one', async () => {
    const file = reqifFile({
      ...FILE,
      types: { req: 'Requirement', head: 'Heading' },
      objects: [
        { id: 'o1', type: 'head', values: { chapter: 'Braking', text: 'What this is about.' } },
        { id: 'o2', type: 'req', values: { key: 'P-1', chapter: 'Only a title' } },
      ],
      relations: [],
      specifications: [{ name: 'S', children: hierarchy('o1', hierarchy('o2')) }],
    });
    expect(outline(await read(file, 'a.reqif'))).toEqual([
      'heading1: S',
      'table_row 0.0 header: ID | Type | ForeignID | ChapterName',
      'heading2: Braking',
      'paragraph: What this is about.',
      'table_row 0.1: P-1 | Requirement | P-1 | Only a title',
    ]);
  });

  it('reads titles that stand on the objects themselves', async () => {
    const objects: TestObject[] = [
      { id: 'o1', type: 'head', name: 'Braking', values: {} },
      { id: 'o2', type: 'req', name: 'Stop', description: 'The car stops.', values: { state: '#e1' } },
      { id: 'o3', type: 'req', name: 'Wait', values: { chapter: 'Wait' } },
    ];
    const types = { req: 'Requirement', head: 'Package (Section)' };
    const specifications = [{ name: 'S', children: hierarchy('o1', hierarchy('o2') + hierarchy('o3')) }];
    const document = await read(
      reqifFile({ ...FILE, types, objects, specifications, relations: [] }),
      'a.reqif',
    );
    expect(outline(document)).toEqual([
      'heading1: S',
      'table_row 0.0 header: ID | Type | LONG-NAME | DESC | Status | ChapterName',
      'heading2: Braking',
      'table_row 0.1: o2 | Requirement | Stop | The car stops. | Draft',
      'table_row 0.2: o3 | Requirement | Wait',
    ]);
  });

  it('keeps attributes apart that are called alike', async () => {
    const attributes = { a: 'Description', b: 'Description' };
    const types = { t: 'Requirement' };
    const objects = [{ id: 'o', values: { a: 'Title', b: 'Text' } }];
    expect(outline(await read(reqifFile({ attributes, types, objects }), 'a.reqif'))).toEqual([
      'table_row 0.0 header: ID | Description | Description (2)',
      'table_row 0.1: o | Title | Text',
    ]);
  });

  it('keeps numbers apart that count anew in each specification', async () => {
    const objects = ['a', 'b'].map((id) => ({ id, values: { key: '7', text: `Text ${id}` } }));
    const specifications = ['a', 'b'].map((id) => ({ name: `Module ${id}`, children: hierarchy(id) }));
    const relations = [{ source: 'a', target: 'b', type: 'sat' }];
    const document = await read(reqifFile({ ...FILE, objects, specifications, relations }), 'a.reqif');
    const records = document.blocks.flatMap((block) => block.record ?? []);
    expect(records.map((record) => record.id)).toEqual(['Module a/7', 'Module b/7']);
    expect(records[0]!.links).toMatchObject([{ target: 'Module b/7' }]);
    expect(document.notes).toEqual([]);
  });

  it('names links by their group where their type has no name', async () => {
    const relations = [{ source: 'o3', target: 'o2', type: '', id: 'r1' }];
    const file = reqifFile({ ...FILE, relations, groups: [{ name: 'refines', relations: ['r1'] }] });
    const { blocks } = await read(file, 'a.reqif');
    expect(blocks.flatMap((block) => block.record?.links ?? [])).toMatchObject([{ type: 'refines' }]);
  });

  it('reads all files of an archive as one, relations between them included', async () => {
    const second: TestReqif = {
      relationTypes: { sat: 'satisfies' },
      objects: [{ id: 'x1', values: { key: 'SW-1' } }],
      relations: [{ source: 'x1', target: 'o2', type: 'sat' }],
    };
    const archive = zipFile([
      { name: 'one.reqif', content: reqifFile(FILE) },
      { name: 'sub/two.reqif', content: reqifFile(second) },
      { name: 'picture.png', content: 'x' },
      { name: '__MACOSX/._one.reqif', content: 'x' },
    ]);
    const document = await read(archive, 'export.reqifz');
    expect(document.format).toBe('reqif');
    const records = document.blocks.flatMap((block) => block.record ?? []);
    expect(records.at(-1)).toEqual({
      id: 'SW-1',
      links: [{ type: 'satisfies', target: 'SYS-1', column: 5 }],
    });
  });

  it('reads a link to nothing and says so', async () => {
    const relations = [
      { source: 'o3', target: 'gone', type: 'sat' },
      { source: 'gone', target: 'o3', type: 'sat' },
      { source: 'o3', type: 'sat', id: 'r3' },
    ];
    const document = await read(reqifFile({ ...FILE, relations }), 'a.reqif');
    expect(document.blocks.flatMap((block) => block.record?.links ?? [])).toMatchObject([{ target: 'gone' }]);
    expect(document.notes.map((note) => [note.code, note.location?.requirementId])).toEqual([
      ['broken_reference', 'SYS-2'],
      ['broken_reference', 'gone'],
      ['broken_reference', 'r3'],
    ]);
  });

  it('reads objects with the same id and says so', async () => {
    const objects = [...FILE.objects!, { id: 'o5', values: { key: 'SYS-1', text: 'Another.' } }];
    const document = await read(reqifFile({ ...FILE, objects }), 'a.reqif');
    expect(document.notes).toMatchObject([{ code: 'duplicate_id', location: { requirementId: 'SYS-1' } }]);
    expect(document.text).toContain('Another.');
  });

  it.each([
    [
      'a specification of nothing',
      reqifFile({ specifications: [{ name: 'S', children: hierarchy('gone') }] }),
      /no object/,
    ],
    ['a relation without source', reqifFile({ relations: [{ target: 'x', type: 't' }] }), /no source/],
    ['an unknown entity', reqifFile(FILE).replace('Read me', '&x;'), /well-formed/],
  ])('refuses %s', async (_, content, message) => {
    await expect(read(content, 'a.reqif')).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(message),
    });
  });
});
