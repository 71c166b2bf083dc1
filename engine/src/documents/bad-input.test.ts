import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOf } from '../scheduling/program.js';
import type { DocumentErrorCode } from './document-error.js';
import { createDocumentReader, type DocumentReader } from './document-reader.js';
import { docxEntries, docxFile, paragraph, xlsxFile } from './testing/office-files.js';
import { type TestEntry, zipFile } from './testing/zip-file.js';

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const oleFile = (stream: string) =>
  Buffer.concat([OLE, Buffer.alloc(1000), Buffer.from(stream, 'utf16le'), Buffer.alloc(500)]);

/** A Word document whose main part is replaced or accompanied. */
function docxWith(change: (entries: TestEntry[]) => TestEntry[]): Buffer {
  return zipFile(change(docxEntries(paragraph('Text'))));
}
const withMain = (content: string | Buffer, declaredSize?: number) =>
  docxWith((entries) =>
    entries.map((entry) =>
      entry.name === 'word/document.xml'
        ? { ...entry, content, ...(declaredSize === undefined ? {} : { declaredSize }) }
        : entry,
    ),
  );

/** A ZIP file that holds another one, ten deep. */
function nestedZip(): Buffer {
  let inner: Buffer = Buffer.from('text');
  for (let depth = 0; depth < 10; depth++) inner = zipFile([{ name: 'inner.zip', content: inner }]);
  return inner;
}

/** How the command line of a reading process names its program; what it is allowed, MiB, follows. */
const READING_PROCESS = fileURLToPath(programOf('documents/reading-process/child'));

const CASES: readonly (readonly [string, string, () => Uint8Array, DocumentErrorCode])[] = [
  ['no bytes', 'a.docx', () => new Uint8Array(), 'empty'],
  ['white space', 'a.txt', () => Buffer.from(' \n\t\n'), 'empty'],
  ['a document without text', 'a.docx', () => docxFile('<w:p/>'), 'empty'],
  ['an archive without entries', 'a.docx', () => zipFile([]), 'empty'],
  ['an encrypted document', 'a.docx', () => oleFile('EncryptedPackage'), 'encrypted'],
  [
    'encrypted entries',
    'a.xlsx',
    () => docxWith((all) => all.map((entry) => ({ ...entry, encrypted: true }))),
    'encrypted',
  ],
  ['an old Word file', 'a.doc', () => oleFile('WordDocument'), 'unsupported_format'],
  [
    'a Linux program',
    'plan.docx',
    () => Buffer.concat([Buffer.from('7f454c46020101000000', 'hex'), Buffer.alloc(300, 7)]),
    'unsupported_format',
  ],
  [
    'a Windows program',
    'plan.txt',
    () => Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(300, 7)]),
    'unsupported_format',
  ],
  ['a plain archive', 'plan.docx', () => zipFile([{ name: 'a.txt', content: 'x' }]), 'unsupported_format'],
  ['archives in archives', 'plan.docx', nestedZip, 'unsupported_format'],
  ['a cut archive', 'a.docx', () => docxFile(paragraph('Text')).subarray(0, 400), 'corrupt'],
  [
    'a damaged archive',
    'a.docx',
    () => Buffer.from(docxFile(paragraph('x'.repeat(500)))).fill(0x41, 300, 420),
    'corrupt',
  ],
  ['XML that ends early', 'a.docx', () => withMain('<w:document><w:body><w:p>'), 'corrupt'],
  ['the same part twice', 'a.docx', () => docxWith((all) => [...all, all.at(-1)!]), 'corrupt'],
  [
    'a main part that is missing',
    'a.docx',
    () => docxWith((all) => all.filter((entry) => entry.name !== 'word/document.xml')),
    'corrupt',
  ],
  ['a zip bomb of 1:1000', 'a.docx', () => withMain(Buffer.alloc(300_000_000, ' ')), 'too_large'],
  [
    'a zip bomb that declares little',
    'a.docx',
    () => withMain(Buffer.alloc(60_000_000, ' '), 1000),
    'too_large',
  ],
  [
    'too many entries',
    'a.docx',
    () =>
      docxWith((all) => [
        ...all,
        ...Array.from({ length: 10_001 }, (_, index) => ({ name: `x${index}`, content: '' })),
      ]),
    'too_large',
  ],
  [
    'an entity bomb',
    'a.docx',
    () => withMain('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'),
    'unsafe_content',
  ],
  [
    'a document type cut over many pieces',
    'a.docx',
    () => withMain(`<!--${'x'.repeat(65_530)}--><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`),
    'unsafe_content',
  ],
  [
    'a name that climbs out',
    'a.docx',
    () => docxWith((all) => [...all, { name: '../../etc/cron.d/x', content: 'x' }]),
    'unsafe_content',
  ],
  [
    'an absolute name',
    'a.docx',
    () => docxWith((all) => [...all, { name: '/etc/passwd', content: 'x' }]),
    'unsafe_content',
  ],
  [
    '50 000 nested elements',
    'a.docx',
    () => docxFile('<w:sdt>'.repeat(50_000) + '</w:sdt>'.repeat(50_000)),
    'too_complex',
  ],
  [
    '50 000 nested tables',
    'a.docx',
    () => docxFile('<w:tbl><w:tr><w:tc>'.repeat(50_000) + '</w:tc></w:tr></w:tbl>'.repeat(50_000)),
    'too_complex',
  ],
  [
    '10 000 columns',
    'a.csv',
    () => Buffer.from(`${'c,'.repeat(10_000)}c\n${'1,'.repeat(10_000)}1\n`),
    'too_complex',
  ],
  ['39 million commas', 'a.csv', () => Buffer.alloc(39_000_000, ','), 'too_complex'],
  ['a quote that never ends', 'a.csv', () => Buffer.from(`a,b\n1,"2\n${'3,4\n'.repeat(10_000)}`), 'corrupt'],
  ['50 000 quotes', 'a.md', () => Buffer.from(`${'>'.repeat(50_000)} x`), 'too_complex'],
  ['50 000 lists on one line', 'a.md', () => Buffer.from(`${'- '.repeat(50_000)}x`), 'too_complex'],
  [
    '3 000 lists on as many lines',
    'a.md',
    () => Buffer.from(Array.from({ length: 3000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')),
    'too_complex',
  ],
  [
    '3 000 lists in RST on as many lines',
    'a.rst',
    () => Buffer.from(Array.from({ length: 3000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n\n')),
    'too_complex',
  ],
  ['50 000 lists in RST', 'a.rst', () => Buffer.from(`${'- '.repeat(50_000)}x`), 'too_complex'],
  ['70 MB on one line', 'a.txt', () => Buffer.alloc(70_000_000, 'a'), 'too_large'],
  ['39 MB on one line, two bytes each', 'a.txt', () => Buffer.from('ä'.repeat(19_500_000)), 'too_complex'],
  ['a text run of millions of characters', 'a.docx', () => docxFile(paragraph(endlessText())), 'too_complex'],
];

/** Does not compress well, so that it is not refused as a bomb. */
function endlessText(): string {
  return Array.from({ length: 400_000 }, (_, index) =>
    ((index * 2_654_435_761) % 4_294_967_296).toString(36),
  ).join(' ');
}

/** Files that look bad and are read all the same. */
const HARMLESS: readonly (readonly [string, string, () => Uint8Array, string])[] = [
  [
    'bytes that are no UTF-8',
    'a.txt',
    () => Buffer.from('Gr\xfc\xdfe aus M\xfcnchen', 'latin1'),
    'Grüße aus München',
  ],
  ['UTF-16', 'a.txt', () => Buffer.from('\ufeffSicherheit', 'utf16le'), 'Sicherheit'],
  ['UTF-16 without mark', 'a.txt', () => Buffer.from('Sicherheitsplan', 'utf16le'), 'Sicherheitsplan'],
  ['200 000 nested elements', 'a.html', () => Buffer.from(`<html>${'<div>'.repeat(200_000)}x`), 'x'],
  ['200 000 nested tables', 'a.html', () => Buffer.from(`<html>${'<table><tr><td>'.repeat(200_000)}x`), 'x'],
  ['50 000 nested lists', 'a.html', () => Buffer.from(`<html>${'<ul><li>'.repeat(50_000)}x`), 'x'],
  [
    'a list item at level 50 000',
    'a.docx',
    () =>
      docxFile(
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="50000"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>',
      ),
    'x',
  ],
  ['50 000 brackets', 'a.md', () => Buffer.from(`${'['.repeat(50_000)}x`), `${'['.repeat(50_000)}x`],
  ['50 000 openings of links', 'a.md', () => Buffer.from('[a]('.repeat(50_000)), '[a]('.repeat(50_000)],
  ['50 000 stars', 'a.md', () => Buffer.from(`x${' *a'.repeat(50_000)}`), `x${' *a'.repeat(50_000)}`],
  ['millions of empty formatted cells', 'a.xlsx', emptyCells, 'S\nText'],
];

function emptyCells(): Uint8Array {
  const empty = Array.from(
    { length: 200 },
    (_, column) => `<c r="${String.fromCharCode(65 + (column % 26))}${column}" s="3"/>`,
  ).join('');
  const rows = Array.from({ length: 40_000 }, (_, row) => `<row r="${row + 2}">${empty}</row>`).join('');
  return xlsxFile([
    {
      name: 'S',
      content: `<sheetData><row r="1"><c r="A1" t="str"><v>Text</v></c></row>${rows}</sheetData>`,
    },
  ]);
}

/**
 * Highest resident memory so far of each reading process below this one, as a share of what it was allowed; empty
 * where the system does not tell.
 */
function sharesOfMemory(): Map<string, number> {
  const shares = new Map<string, number>();
  for (const pid of told(`/proc/self/task/${process.pid}/children`).trim().split(' ')) {
    const command = told(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
    const peak = /VmHWM:\s+(\d+)/.exec(told(`/proc/${pid}/status`))?.[1];
    if (peak === undefined || command.at(-2) !== READING_PROCESS) continue;
    shares.set(pid, Number(peak) / 1024 / Number(command.at(-1)));
  }
  return shares;
}

function told(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // Processes end.
  }
}

describe('files that nobody should have to fear', () => {
  let reader: DocumentReader;
  let most = 0;
  let watch: NodeJS.Timeout;
  beforeAll(() => {
    // Files of other tests run in this process too and may have left processes of theirs.
    const others = new Set(sharesOfMemory().keys());
    reader = createDocumentReader();
    watch = setInterval(() => {
      for (const [pid, share] of sharesOfMemory()) if (!others.has(pid)) most = Math.max(most, share);
    }, 20);
  });
  afterAll(async () => {
    clearInterval(watch);
    await reader.close();
    expect(most).toBeLessThanOrEqual(1);
    if (process.platform === 'linux') expect(most).toBeGreaterThan(0);
  });

  // How long a reading may take its limit of processor time says; here it only has to end.
  it.each(CASES)('%s', { timeout: 60_000 }, async (_, fileName, make, code) => {
    const bytes = make();
    await expect(reader.read(bytes, { fileName })).rejects.toMatchObject({ name: 'DocumentError', code });
    expect((await reader.read(Buffer.from('The next document.'), { fileName: 'b.txt' })).text).toBe(
      'The next document.',
    );
  });

  it.each(HARMLESS)('%s are read', async (_, fileName, make, text) => {
    const document = await reader.read(make(), { fileName });
    expect(document.text === text).toBe(true);
  });

  it('says how characters were guessed', async () => {
    const document = await reader.read(Buffer.from('\xfcber', 'latin1'), { fileName: 'a.txt' });
    expect(document.notes.map((note) => note.code)).toEqual(['encoding_guessed']);
  });

  it('never repeats content of the file in an error', async () => {
    const secret = 'GEHEIM-4711';
    const bad = [
      withMain(`<w:document>${secret}`),
      Buffer.from(`a,b\n"${secret}`),
      deflateRawSync(Buffer.from(secret.repeat(100))),
    ];
    for (const bytes of bad) {
      const error = await reader.read(bytes, { fileName: 'a.csv' }).then(
        () => undefined,
        (reason: { message: string; hint: string }) => reason,
      );
      expect(`${error?.message} ${error?.hint}`).not.toContain(secret);
      expect(error?.hint).toMatch(/\.$/);
    }
  });
});
