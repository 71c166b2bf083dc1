import { describe, expect, it } from 'vitest';
import { detectFormat, isArchive } from './detect-format.js';
import type { DocumentReader } from './document-reader.js';
import { type ContainedDocument, type ReadArchiveOptions, readArchive } from './read-archive.js';
import { readDocument } from './read-document.js';
import { DEFAULT_LIMITS } from './reading-limits.js';
import { docxFile, paragraph } from './testing/office-files.js';
import { reqifFile } from './testing/reqif-file.js';
import { type TestEntry, zipFile } from './testing/zip-file.js';

const reader: Pick<DocumentReader, 'read'> = { read: readDocument };

async function contained(entries: readonly TestEntry[], options: Partial<ReadArchiveOptions> = {}) {
  const found: ContainedDocument[] = [];
  for await (const each of readArchive(zipFile(entries), { fileName: 'a.zip', reader, ...options }))
    found.push(each);
  return found.map((each) => [each.name, 'document' in each ? each.document.format : each.error.code]);
}

describe('an archive of documents', () => {
  it('gives each file in the order of the names, without what the system put in', async () => {
    const entries = [
      { name: 'b/plan.md', content: '# Plan' },
      { name: 'b/', content: '' },
      { name: 'a.docx', content: docxFile(paragraph('Text')) },
      { name: 'c.reqif', content: reqifFile({ objects: [{ id: 'x', values: { t: 'a' } }] }) },
      { name: '__MACOSX/._a.docx', content: 'x' },
      { name: 'b/.DS_Store', content: 'x' },
    ];
    expect(await contained(entries)).toEqual([
      ['a.docx', 'docx'],
      ['b/plan.md', 'markdown'],
      ['c.reqif', 'reqif'],
    ]);
  });

  it('says for each file why it was not read, and reads the others', async () => {
    const entries = [
      { name: 'a.png', content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
      { name: 'b.txt', content: '' },
      { name: 'c.zip', content: zipFile([{ name: 'x.txt', content: 'x' }]) },
      { name: 'd.json', content: '{"a"' },
      { name: 'e.txt', content: 'Words.' },
    ];
    expect(await contained(entries)).toEqual([
      ['a.png', 'unsupported_format'],
      ['b.txt', 'empty'],
      ['c.zip', 'unsupported_format'],
      ['d.json', 'corrupt'],
      ['e.txt', 'text'],
    ]);
  });

  it('refuses what is hostile by itself, and reads the others', async () => {
    const bomb = Buffer.alloc(20 * 1024 * 1024, 97);
    const entries = [
      { name: '../evil.txt', content: 'x' },
      { name: '/etc/evil.txt', content: 'x' },
      { name: 'a\\..\\..\\evil.txt', content: 'x' },
      { name: 'bomb.txt', content: bomb },
      { name: 'd/'.repeat(201).concat('x.txt'), content: 'x' },
      { name: 'folder\\good.txt', content: 'Words.' },
      { name: 'liar.txt', content: bomb, declaredSize: 100 },
      { name: 'link.txt', content: '/etc/passwd', mode: 0o120777 },
      { name: 'locked.txt', content: 'x', encrypted: true },
      { name: 'twice.txt', content: 'First.' },
      { name: './twice.txt', content: 'Second.' },
    ];
    const found = new Map((await contained(entries)) as [string, string][]);
    expect([...found].map(([name, what]) => [name.replace(/(?:d\/)+/, 'd/'), what])).toEqual([
      ['../evil.txt', 'unsafe_content'],
      ['twice.txt', 'corrupt'],
      ['etc/evil.txt', 'unsafe_content'],
      ['a/../../evil.txt', 'unsafe_content'],
      ['bomb.txt', 'too_large'],
      ['d/x.txt', 'too_complex'],
      ['folder/good.txt', 'text'],
      ['liar.txt', 'too_large'],
      ['link.txt', 'unsafe_content'],
      ['locked.txt', 'encrypted'],
    ]);
  });

  it('holds the limits over all files together', async () => {
    const entries = ['a', 'b', 'c'].map((name) => ({
      name: `${name}.txt`,
      content: 'Ten words. '.repeat(5),
    }));
    expect(await contained(entries, { limits: { maxCharacters: 100 } })).toEqual([
      ['a.txt', 'text'],
      ['b.txt', 'too_large'],
      ['c.txt', 'too_large'],
    ]);
    expect(await contained(entries, { maxMilliseconds: 0 })).toEqual([
      ['a.txt', 'timed_out'],
      ['b.txt', 'timed_out'],
      ['c.txt', 'timed_out'],
    ]);
    expect(await contained(entries, { limits: { maxUnpackedBytes: 120 } })).toEqual([
      ['a.txt', 'text'],
      ['b.txt', 'text'],
      ['c.txt', 'too_large'],
    ]);
    await expect(contained(entries, { limits: { maxEntries: 2 } })).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  it('ends when it is told to', async () => {
    const controller = new AbortController();
    const archive = zipFile(['a', 'b'].map((name) => ({ name: `${name}.txt`, content: 'Words.' })));
    const read = readArchive(archive, { fileName: 'a.zip', reader, signal: controller.signal });
    expect((await read.next()).done).toBe(false);
    controller.abort(new Error('Enough.'));
    await expect(read.next()).rejects.toThrow('Enough.');
  });

  it('is told from documents that are archives themselves', async () => {
    const reqif = { name: 'a.reqif', content: reqifFile({}) };
    const is = (entries: readonly TestEntry[], name: string) =>
      isArchive(zipFile(entries), name, DEFAULT_LIMITS);
    expect(await is([{ name: 'a.txt', content: 'x' }], 'a.docx')).toBe(true);
    expect(await is([reqif, { name: 'b.pdf', content: 'x' }], 'a.zip')).toBe(true);
    expect(await is([reqif, { name: 'b.pdf', content: 'x' }], 'a.reqifz')).toBe(false);
    expect(await is([reqif, { name: 'b.png', content: 'x' }], 'a.zip')).toBe(false);
    expect(await isArchive(docxFile(paragraph('x')), 'a.zip', DEFAULT_LIMITS)).toBe(false);
    expect(await isArchive(Buffer.from('x'), 'a.zip', DEFAULT_LIMITS)).toBe(false);
    expect(await detectFormat(zipFile([reqif]), 'a.zip', DEFAULT_LIMITS)).toBe('reqif');
  });
});
