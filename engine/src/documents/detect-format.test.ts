import { describe, expect, it } from 'vitest';
import { processorTime } from '../testing/processor-time.js';
import { detectFormat } from './detect-format.js';
import { endingsOf, FORMATS, marksOf } from './formats.js';
import { isDocumentFile, isReadableFile } from './readable-files.js';
import { DEFAULT_LIMITS } from './reading-limits.js';
import { docxFile, paragraph, xlsxFile } from './testing/office-files.js';
import { openDocumentFile } from './testing/open-document.js';
import { pptxFile } from './testing/presentation.js';
import { reqifFile } from './testing/reqif-file.js';

const detect = (content: string | Uint8Array, fileName: string) =>
  detectFormat(typeof content === 'string' ? Buffer.from(content) : content, fileName, DEFAULT_LIMITS);

describe('the format of a file', () => {
  it.each([
    ['docx', docxFile(paragraph('x')), 'plan.xlsx'],
    ['xlsx', xlsxFile([{ name: 'S', content: '<sheetData/>' }]), 'plan.pdf'],
    ['pdf', '%PDF-1.7\n%âãÏÓ\n', 'plan.docx'],
    ['html', '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE html><html>', 'plan.txt'],
    ['markdown', 'plain words', 'plan.MD'],
    ['text', '# not Markdown by its name', 'plan.txt'],
    ['csv', 'a;b', 'plan.csv'],
    ['rst', 'words', 'plan.rst'],
    ['markdown', '# A heading\n\nText', 'plan'],
    ['rst', '.. req:: A\n   :id: 1\n', 'plan'],
    ['rst', 'Title\n=====\n\nText', 'plan'],
    ['csv', 'a,b,c\n1,2,3\n4,5,6\n7,8,9', 'export.dat'],
    ['pptx', pptxFile([]), 'plan.docx'],
    ['odt', openDocumentFile('text', { body: '' }), 'plan.zip'],
    ['ods', openDocumentFile('spreadsheet', { body: '' }), 'plan.odt'],
    ['reqif', reqifFile({}), 'plan.txt'],
    ['reqif', reqifFile({ prefix: 'r' }).replace(/<\?.*\n/, '<!-- made by a tool -->'), 'plan.xml'],
    ['junit', '<testsuite name="x"/>', 'results.txt'],
    ['sphinx_needs', '{\n "created": "", "current_version": "1", "versions": {', 'export.json'],
    ['json', '[{"a": 1}]', 'export'],
    ['json', 'true', 'export.json'],
    ['markdown', '[{"a": 1}]', 'plan.md'],
    ['strictdoc', '[DOCUMENT]\nTITLE: x', 'plan'],
    ['yaml', 'a: b', 'plan.YML'],
    ['trlc', 'package x', 'types.rsl'],
    ['source', '# include <x.h>', 'main.cpp'],
    ['text', 'One sentence, with a comma.\nAnother one.\nAnd more, here.', 'notes'],
  ])('is %s by content, whatever the name says', async (format, content, fileName) => {
    expect(await detect(content, fileName)).toBe(format);
  });

  it.each([
    ['{\\rtf1 x}', 'a.txt'],
    ['<?xml version="1.0"?><svg/>', 'a.html.xml'],
    ['%!PS-Adobe', 'a.txt'],
  ])('is refused for %s', async (content, fileName) => {
    await expect(detect(content, fileName)).rejects.toMatchObject({ code: 'unsupported_format' });
  });

  it.each([
    ['comments without end', '<!---->'.repeat(9_000)],
    ['one long line under another', `a\n${'='.repeat(60_000)}x`],
  ])('is found at once in %s', async (_, content) => {
    const taken = processorTime();
    expect(await detect(content, 'notes')).toBe('text');
    expect(taken()).toBeLessThan(1_000);
  });
});

describe('the entries of all formats', () => {
  const entries = Object.entries(FORMATS);

  it('say of each ending of plain text one format', () => {
    const said = marksOf('text').flatMap(({ entry, mark }) =>
      mark.ending === 'nothing' ? [] : endingsOf(entry),
    );
    expect(said.length).toBeGreaterThan(70);
    expect(said).toEqual([...new Set(said)]);
  });

  it('ask no two guesses at the same strength', () => {
    const guesses = marksOf('text').flatMap(({ mark }) =>
      mark.clues.filter(({ decides }) => decides === 'without_name').map(({ strength = 0 }) => strength),
    );
    expect(guesses).toEqual([...new Set(guesses)]);
  });

  it('announce a media type with one kind of first bytes', () => {
    const kinds = new Map<string, string>();
    for (const [, { marks }] of entries) {
      for (const { kind, mediaTypes } of marks) {
        const bytes = kind === 'signature' || kind === 'text' ? kind : 'zip';
        for (const type of mediaTypes) {
          expect(kinds.get(type) ?? bytes, type).toBe(bytes);
          kinds.set(type, bytes);
        }
      }
    }
    expect(kinds.size).toBeGreaterThan(15);
  });

  it.each(entries)('has endings that folders are searched by and a reader: %s', async (_, entry) => {
    const isSource = entry.marks.some((mark) => mark.kind === 'text' && mark.ending === 'source');
    for (const ending of entry.endings) {
      expect(isReadableFile(`A.${ending.toUpperCase()}`)).toBe(true);
      expect(isDocumentFile(`a.${ending}`)).toBe(!isSource);
    }
    expect(await entry.reader()).toHaveProperty('read');
  });

  it('are no archive and no other file', () => {
    expect(['a.zip', 'a.png', 'a.tsv', 'a.rsl', 'md'].filter(isReadableFile)).toEqual([]);
    expect(['a.zip', 'a.png', 'a.c', 'a.tsv'].filter(isDocumentFile)).toEqual(['a.zip']);
  });
});
