import { describe, expect, it } from 'vitest';
import type { Document } from '../../document.js';
import { readDocument } from '../../read-document.js';
import { type Drawing, writePdf } from './testing/pdf-writer.js';

const WORDS = 'The safety goal SG-01 is verified by test TC-7.';
const VISIBLE: Drawing = { text: 'A plain sentence that everybody sees.', x: 72, y: 100 };

/** Reads one page with these operators; `WORDS` are shown at 72, 642 in 10 points unless they say otherwise. */
const read = (...operators: string[]): Promise<Document> =>
  readDocument(
    writePdf({ pages: [{ drawings: [VISIBLE, ...operators.map((one) => ({ operators: one }))] }] }),
    {
      fileName: 'a.pdf',
    },
  );
const show = (before = '', size = 10, place = '72 642 Td') =>
  `BT ${before} /regular ${size} Tf ${place} (${WORDS}) Tj ET`;

/** Reasons of hidden text and its words. */
const hidden = (document: Document) =>
  document.blocks.flatMap((block) =>
    (block.hidden ?? []).map(({ start, end, reason }) => [reason, document.text.slice(start, end)]),
  );

describe('hidden text of a PDF is read, and marked', () => {
  it.each([
    ['white on paper', 'same-colour', [show('1 g')]],
    [
      'the colour of the box below',
      'same-colour',
      ['0.2 0.3 0.8 rg 60 630 400 30 re f', show('0.2 0.3 0.8 rg')],
    ],
    ['one point', 'tiny', [show('0 g', 1)]],
    ['not drawn', 'render-mode', [show('3 Tr')]],
    [
      'a recognised word over a small picture',
      'recognised',
      ['q 400 0 0 60 60 620 cm /picture Do Q', show('3 Tr')],
    ],
    ['transparent', 'transparent', [`q /clear gs ${show()} Q`]],
    ['covered by a box', 'covered', [show('0 g'), '1 g 60 630 400 30 re f']],
    ['covered by a picture', 'recognised', [show('0 g'), 'q 400 0 0 60 60 620 cm /picture Do Q']],
    ['cut off', 'clipped', [`q 60 100 20 20 re W n ${show('0 g')} Q`]],
    ['beside the page', 'off-page', [show('0 g', 10, '700 642 Td')]],
    ['on a layer that is switched off', 'hidden-layer', [`/OC /layer BDC ${show('0 g')} EMC`]],
  ] as const)('%s', async (_, reason, operators) => {
    const document = await read(...operators);
    expect(hidden(document)).toEqual([[reason, WORDS]]);
    expect(document.notes.map((note) => note.code)).toEqual([
      reason === 'recognised' ? 'recognised_text' : 'hidden_content',
    ]);
    expect(document.blocks[0]).not.toHaveProperty('hidden');
  });

  it.each([
    ['white on a dark box', ['0 g 60 630 400 30 re f', show('1 g')]],
    ['white on a picture', ['q 400 0 0 60 60 620 cm /picture Do Q', show('1 g')]],
    ['with an outline', [`${show('1 g 0 G 2 Tr')}`]],
    ['above a box drawn before', ['1 g 60 630 400 30 re f', show('0 g')]],
    ['a box drawn beside it later', [show('0 g'), '0 g 60 100 400 30 re f']],
    ['under a transparent box', [show('0 g'), 'q /clear gs 1 g 60 630 400 30 re f Q']],
    ['inside its clipping path', [`q 0 0 595 842 re W n ${show('0 g')} Q`]],
    ['small but readable', [show('0 g', 4)]],
    ['in a font of size one that is scaled', [`BT 0 g /regular 1 Tf 10 0 0 10 72 642 Tm (${WORDS}) Tj ET`]],
    [
      'white among four hundred boxes on a dark one',
      ['0 g 60 630 400 30 re f', '0 g '.concat('10 10 5 5 re f '.repeat(500)), show('1 g')],
    ],
  ] as const)('sees text %s', async (_, operators) => {
    const document = await read(...operators);
    expect(hidden(document)).toEqual([]);
    expect(document.notes).toEqual([]);
    expect(document.text).toContain(WORDS);
  });

  it('leaves the text around it as it is', async () => {
    const plain = await read(show('0 g', 10, '72 700 Td'));
    const withHidden = await read(show('1 g'), show('0 g', 10, '72 700 Td'));
    const seen = withHidden.blocks.filter((block) => !block.hidden);
    expect(seen.map((block) => block.text)).toEqual(plain.blocks.map((block) => block.text));
  });

  it('keeps the structure of a scanned page with recognised text, and marks all of it', async () => {
    const page = {
      drawings: [
        { operators: 'q 595 0 0 842 0 0 cm /picture Do Q 3 Tr' },
        { text: '1 Safety goals', x: 72, y: 100, size: 18, font: 'bold' as const },
        { text: WORDS, x: 72, y: 140 },
      ],
    };
    const document = await readDocument(writePdf({ pages: [page] }), { fileName: 'a.pdf' });
    expect(document.blocks.map((block) => block.kind)).toEqual(['figure', 'heading', 'paragraph']);
    expect(hidden(document).map(([reason]) => reason)).toEqual(['recognised', 'recognised']);
    expect(document.notes).toMatchObject([
      { code: 'recognised_text', said: { message: { values: { pages: '1' } } } },
    ]);
  });
});

/** Numbers of 26 glyphs, from 3 on as fonts count them. */
const GLYPHS = Array.from({ length: 26 }, (_, at) => (3 + at).toString(16).padStart(4, '0')).join('');

describe('letters that the file does not tell', () => {
  const glyphs = (lines: number) =>
    Array.from({ length: lines }, (_, at) => ({
      operators: `BT /unnamed 10 Tf 72 ${600 - at * 12} Td <${GLYPHS}> Tj ET`,
    }));
  const readable = {
    drawings: Array.from({ length: 10 }, (_, at) => ({ text: WORDS, x: 72, y: 100 + 14 * at })),
  };
  const reading = (pages: Parameters<typeof writePdf>[0]['pages']) =>
    readDocument(writePdf({ pages }), { fileName: 'a.pdf' });

  it('are counted and told where they are many', async () => {
    const document = await reading([readable, { drawings: [VISIBLE, ...glyphs(4)] }]);
    expect(document.notes).toMatchObject([
      {
        code: 'unmapped_text',
        said: { message: { values: { unmapped: 104, pages: '2' } } },
        location: { page: 2 },
      },
    ]);
  });

  it('end the reading where they are most of the document', async () => {
    await expect(reading([{ drawings: [VISIBLE, ...glyphs(20)] }])).rejects.toMatchObject({
      code: 'no_text',
      message: expect.stringContaining('520 of 552 characters'),
    });
  });

  it('as do pages that are pictures', async () => {
    const picture = { drawings: [{ image: [0, 0, 595, 842] as const }] };
    await expect(reading([readable, picture, picture, picture])).rejects.toMatchObject({
      code: 'no_text',
      message: '3 of the 4 pages of the PDF are pictures without text.',
    });
    const some = await reading([readable, readable, picture]);
    expect(some.notes).toMatchObject([
      { code: 'page_without_text', said: { message: { values: { pictures: 1 } } } },
    ]);
  });
});
