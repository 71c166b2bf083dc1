import { z } from 'zod';
import { LANGUAGES } from '../../platform/http/language.js';
import { withOneField } from '../../platform/http/schemas.js';

const fields = {
  language: z
    .enum(LANGUAGES)
    .nullable()
    .meta({ description: 'Of the application; null: that of the browser.' }),
  theme: z.enum(['system', 'light', 'dark', 'contrast']).meta({ description: 'Colours of the application.' }),
  shortcuts: z.boolean().meta({ description: 'Whether single letters are commands.' }),
  rail_is_narrow: z.boolean().meta({ description: 'Whether the rail shows icons alone.' }),
};

/** What holds as long as somebody chose nothing. */
export const DEFAULTS = { language: null, theme: 'system', shortcuts: true, rail_is_narrow: false } as const;

export const Preferences = z
  .object(fields)
  .meta({ id: 'Preferences', description: 'How the caller wants the application, on every machine.' });
export type Preferences = z.output<typeof Preferences>;
export const PreferencesChange = withOneField(z.strictObject(fields).partial()).meta({
  id: 'PreferencesChange',
});
