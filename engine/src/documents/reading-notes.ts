import { z } from 'zod';
import { readWords } from '../words/read-words.js';
import type { ReadingNote } from './document.js';
import { HIDDEN_REASONS } from './hidden-ranges.js';

const said = z.strictObject({ en: z.string().min(1), de: z.string().min(1) });
const schema = z.strictObject({
  notes: z.partialRecord(
    z.enum([
      'page_without_text',
      'unmapped_text',
      'recognised_text',
      'hidden_content',
      'hidden_instruction',
    ] satisfies readonly ReadingNote['code'][]),
    said,
  ),
  where: z.strictObject({ pages: said, sheet: said }),
  hidden: z.record(z.enum(HIDDEN_REASONS), said),
});

type Values = NonNullable<ReadingNote['values']>;

/** A note with its message in English; `values` are the figures and places that it names. */
export function noteOf(
  code: ReadingNote['code'],
  values: Values,
  location?: ReadingNote['location'],
): ReadingNote {
  return { code, message: say(code, values, 'en') ?? code, values, ...(location ? { location } : {}) };
}

/** What a note says in a language; its message where there are no words for it. */
export function sayNote(
  { code, message, values }: Pick<ReadingNote, 'code' | 'message' | 'values'>,
  language: 'en' | 'de',
): string {
  return (values ? say(code, values, language) : undefined) ?? message;
}

function say(code: ReadingNote['code'], values: Values, language: 'en' | 'de'): string | undefined {
  const words = readWords('reading-notes', schema);
  const text = (words.notes as Partial<Record<string, z.infer<typeof said>>>)[code]?.[language];
  if (text === undefined) return undefined;
  const hidden = words.hidden[values.reason as (typeof HIDDEN_REASONS)[number]];
  const place = values.sheet !== undefined ? 'sheet' : values.pages !== undefined ? 'pages' : undefined;
  return fill(text, {
    ...values,
    ...(hidden ? { what: hidden[language] } : {}),
    where: place ? fill(words.where[place][language], values) : '',
  });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Page numbers for people: `2, 5–7`. */
export function pageRanges(numbers: Iterable<number>): string {
  const ranges: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
