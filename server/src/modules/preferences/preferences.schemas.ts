import { z } from 'zod';
import { LANGUAGES } from '../../platform/http/language.js';
import { withOneField } from '../../platform/http/schemas.js';

/** Bytes of everything that one person chose, as JSON. */
export const MOST_BYTES = 8192;

const key = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9_.-]*$/);
const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};
const panelValue = z.union([z.boolean(), z.number().min(0).max(100_000), z.string().max(200)]);

const fields = {
  language: z
    .enum(LANGUAGES)
    .nullable()
    .meta({ description: 'Of the application; null: that of the browser.' }),
  theme: z.enum(['system', 'light', 'dark', 'contrast']).meta({ description: 'Colours of the application.' }),
  density: z.enum(['comfortable', 'compact']).meta({ description: 'How close rows of lists stand.' }),
  shortcuts: z.boolean().meta({ description: 'Whether single letters are commands.' }),
  rail_is_narrow: z.boolean().meta({ description: 'Whether the rail shows icons alone.' }),
  time_zone: z
    .string()
    .max(60)
    .refine(isTimeZone, 'Name a time zone of the IANA database, such as Europe/Berlin.')
    .nullable()
    .meta({
      description:
        'Name in the IANA database, for moments that the application shows; null: that of the browser.',
      examples: ['Europe/Berlin'],
    }),
  start_page: z
    .enum([
      'start',
      'overview',
      'gaps',
      'documents',
      'standards',
      'trace',
      'checklists',
      'runs',
      'reports',
      'activity',
    ])
    .meta({
      description:
        'What the application opens with: `start` my work and all workspaces, else that screen of the workspace that was open last.',
    }),
  tour: z
    .strictObject({
      seen: z.array(key).max(100).meta({ description: 'Steps that were seen or put away, by their names.' }),
    })
    .meta({ description: 'How far the caller is in the introduction.' }),
};
const panels = (value: z.ZodType) =>
  z.record(key, value).meta({
    description:
      'Panels of screens by their names: whether they are open, how wide, which part of them is shown. A change names those that it is about, `null` forgets one.',
  });

/** What holds as long as somebody chose nothing. */
export const DEFAULTS = {
  language: null,
  theme: 'system',
  density: 'comfortable',
  shortcuts: true,
  rail_is_narrow: false,
  time_zone: null,
  start_page: 'start',
  tour: { seen: [] },
  panels: {},
} as const;

export const Preferences = z
  .object({
    ...fields,
    panels: panels(panelValue),
    version: z.int().min(0).meta({ description: 'Grows with each change.' }),
  })
  .meta({ id: 'Preferences', description: 'How the caller wants the application, on every machine.' });
export type Preferences = z.output<typeof Preferences>;
export const PreferencesChange = withOneField(
  z.strictObject({ ...fields, panels: panels(panelValue.nullable()) }).partial(),
).meta({ id: 'PreferencesChange' });
