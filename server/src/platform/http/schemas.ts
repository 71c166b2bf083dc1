import { z } from 'zod';

/**
 * An id: 8-4-4-4-12 hexadecimal digits, in lower case from here on, as the database writes it. `z.guid`, because
 * `z.uuid` refuses ids of other providers.
 */
export const Id = z
  .guid()
  .toLowerCase()
  .meta({ examples: ['0f8e1c9a-6d0b-4f0e-9a51-2c5f6f2f7d10'] });

/** A moment as it is answered: ISO 8601, UTC, milliseconds. */
export const Timestamp = z.iso.datetime().meta({ examples: ['2026-01-31T09:30:00.000Z'] });

/** Written so that the regular expressions of every language understand it: no `\p`, no `\u`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NO_CONTROL_CHARACTERS = /^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$/;

/** Text that a person typed: trimmed, without control characters except line breaks and tabs. */
export const text = (bounds: { readonly min?: number; readonly max: number }) =>
  z
    .string()
    .trim()
    .min(bounds.min ?? 0)
    .max(bounds.max)
    .regex(NO_CONTROL_CHARACTERS, 'Control characters are not allowed.');

/**
 * A whole number in a query or form, written with digits only: `1e1`, `0x10` and blanks are refused, as the API
 * description says.
 */
export const wholeNumber = (bounds: { readonly min: number; readonly max?: number }) =>
  z.preprocess(
    (written) => (typeof written === 'string' && /^-?\d{1,15}$/.test(written) ? Number(written) : written),
    z
      .int()
      .min(bounds.min)
      .max(bounds.max ?? Number.MAX_SAFE_INTEGER),
  );

/** A change of a resource, all fields of which are optional: one has to be there. Said in the description, too. */
export const withOneField = <Schema extends z.ZodObject>(change: Schema) =>
  change
    .refine((one) => Object.keys(one).length > 0, 'Name at least one field to change.')
    .meta({ minProperties: 1 });

/** The three parameters that every list has; add filters with `.extend`. */
export const PageQuery = z.strictObject({
  cursor: z.string().max(2048).default('').meta({
    description: '`next_cursor` of the page before; empty for the first page.',
  }),
  limit: wholeNumber({ min: 1, max: 100 }).default(20).meta({ description: 'Items on a page.' }),
});

/** Lets a list begin anywhere: for a scroll bar over all of it. */
export const fromOffset = {
  offset: wholeNumber({ min: 0, max: 10_000_000 }).optional().meta({
    description:
      'How many items stand before the page, instead of a cursor: for a scroll bar. Items that come or go meanwhile move the rest.',
  }),
};

/** `sort` of a list, newest first: the fields that it can be sorted by. One with `updated_at` takes `updated_since`, too. */
export const sortedBy = <const Field extends string>(...fields: readonly [Field, ...Field[]]) => ({
  sort: z
    .enum([...fields, ...fields.map((field) => `-${field}` as const)])
    .default('-created_at' as never)
    .meta({
      description: 'Field to sort by; with `-` before it the other way round. Newest first unless told.',
    }),
});
/** `sort` of a list that can be sorted by several fields: those of one value of the first stand in the order of the second. */
export const sortedBySeveral = <const Field extends string>(...fields: readonly [Field, ...Field[]]) => {
  const field = z.enum([...fields, ...fields.map((one) => `-${one}` as const)]);
  return {
    sort: z
      .preprocess(
        (written) => (typeof written === 'string' && written.includes(',') ? written.split(',') : written),
        z.union([field, z.array(field).min(1).max(MOST_SORT_FIELDS)]),
      )
      .default('-created_at' as never)
      .meta({
        description: `Field to sort by; with \`-\` before it the other way round. Up to ${MOST_SORT_FIELDS}, separated by commas: those that are alike in the first stand in the order of the second. Newest first unless told.`,
      }),
  };
};
const MOST_SORT_FIELDS = 4;
/** `sort` of a list that has an order of its own. */
export const reorderedBy = <const Field extends string>(...fields: readonly [Field, ...Field[]]) => ({
  sort: z
    .enum([...fields, ...fields.map((field) => `-${field}` as const)])
    .optional()
    .meta({
      description:
        'Field to sort by; with `-` before it the other way round. In the order of the list itself unless told.',
    }),
});
export const UpdatedSince = z.iso
  .datetime({ offset: true })
  .optional()
  .meta({
    description:
      'Only what was changed at this moment or later. Sorted by `updated_at` the pages bring what changed since the last ' +
      'time; what was deleted is not among it.',
  });

/** One value, or several separated by commas: whatever has one of them. */
export const several = <Value extends z.ZodType>(value: Value) =>
  z
    .preprocess(
      (written) =>
        typeof written === 'string' || Array.isArray(written) ? [written].flat().flatMap(words) : written,
      z.array(value).min(1).max(50),
    )
    .optional();
const words = (written: unknown): unknown => (typeof written === 'string' ? written.split(',') : written);

/** True or false in a query. */
export const flag = () =>
  z.preprocess((written) => (written === 'true' ? true : written === 'false' ? false : written), z.boolean());

/** `search`, as every list with names takes it. */
export const SearchQuery = z.string().trim().max(200).optional().meta({
  description: 'Case-insensitive text in name or description; every character is literal.',
});

/** The envelope of a list of `item`, and what stands beside it. `id` names it in the API description. */
export const listOf = (id: string, item: z.ZodType, beside: z.ZodRawShape = {}) =>
  z
    .object({
      items: z.array(item),
      total: z.int().min(0).meta({ description: 'Exact number of items under the same filters.' }),
      page: z.int().min(1).meta({ description: 'Ordinal of this page.' }),
      limit: z.int().min(1).max(100),
      next_cursor: z.string().nullable().meta({ description: 'Null when there are no further results.' }),
      ...beside,
    })
    .meta({ id });

/** A database timestamp as the API writes it. Takes what the driver or `to_json` gives. */
export const timestamp = (value: string | Date): string =>
  (typeof value === 'string' && inUtc(value)) ||
  (value instanceof Date ? value : new Date(value)).toISOString();

/** What `to_json` writes on our connections is cut to milliseconds: a calendar for each moment of a list takes six times as long. */
function inUtc(text: string): string | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?\+00:00$/.exec(text);
  return found ? `${found[1]}${(found[2] ?? '.').slice(0, 4).padEnd(4, '0')}Z` : undefined;
}
export const timestampOrNull = (value: string | Date | null): string | null =>
  value === null ? null : timestamp(value);
