import { describe, expect, it } from 'vitest';
import { outline, places, read } from '../../testing/outline.js';

describe('plain text', () => {
  it('reads numbered and underlined headings, lists, contents, captions and pages', async () => {
    const text = [
      'SAFETY PLAN',
      '===========',
      '1 Purpose ........ 3',
      '',
      '1 Purpose',
      '',
      'This text goes',
      'over two lines.',
      '- first',
      '  goes on',
      '  - second',
      '',
      '1.1 The item shall stop.',
      '1.2 The item shall warn.',
      '\f',
      'Table 2: Goals',
    ].join('\r\n');
    const document = await read(text, 'a.txt');
    expect(outline(document)).toEqual([
      'heading1: SAFETY PLAN',
      'toc_entry: 1 Purpose ........ 3',
      'heading1: 1 Purpose',
      'paragraph: This text goes over two lines.',
      'list_item1: first goes on',
      'list_item2: second',
      'paragraph: 1.1 The item shall stop.',
      'paragraph: 1.2 The item shall warn.',
      'caption: Table 2: Goals',
    ]);
    expect(places(document).at(-1)).toBe('p. 2, 1 Purpose, line 16');
    expect(document.pageCount).toBe(2);
  });

  it('does not take demands and sentences for headings', async () => {
    const text = '3 The pump shall stop\n\n4 Timing is important\n\n5 Timing\n\nx';
    expect(outline(await read(text, 'a.txt')).map((line) => line.split(':')[0])).toEqual([
      'paragraph',
      'paragraph',
      'heading1',
      'paragraph',
    ]);
  });

  it('cleans invisible characters but leaves the words', async () => {
    const document = await read('A\u0308rger\u00a0 mit\u00ad Zei\u200bchen\u202e\u0007', 'a.txt');
    expect(document.text).toBe('Ärger mit Zeichen');
  });
});
