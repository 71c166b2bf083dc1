import { useQueryClient } from '@tanstack/react-query';
import { placeOf } from '../../app/opening.ts';
import { changeLook, type Look, type Theme } from '../../look/look.ts';
import { useLook } from '../../look/use-look.ts';
import { Field } from '../../parts/field.tsx';
import { catalog } from '../../words/words.ts';
import { screens } from '../registry.ts';
import de from './words.de.json';
import en from './words.en.json';

const useWords = catalog(en, de);
const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'contrast'];
/** Screens that the application can open with, in the order of the rail. */
const FIRST_PAGES: readonly Exclude<Look['startPage'], 'start'>[] = [
  ...(['overview', 'gaps', 'documents', 'standards', 'trace', 'checklists', 'runs', 'reports'] as const),
  'activity',
];

export default function AppearancePage() {
  const say = useWords();
  const client = useQueryClient();
  const { language, theme, shortcuts, density, timeZone, startPage } = useLook();
  return (
    <div className="page" style={{ maxWidth: 520 }}>
      <div className="page-head">
        <h1>{say('title')}</h1>
      </div>
      <Field label={say('language')}>
        <select
          className="input"
          value={language}
          onChange={(event) => {
            changeLook({ language: event.target.value === 'de' ? 'de' : 'en' });
            void client.invalidateQueries();
          }}
        >
          <option value="en" lang="en">
            {'English'}
          </option>
          <option value="de" lang="de">
            {'Deutsch'}
          </option>
        </select>
      </Field>
      <Field label={say('theme')}>
        <select
          className="input"
          value={theme}
          onChange={(event) => changeLook({ theme: event.target.value as Theme })}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {say.named('theme', one)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={say('density')}>
        <select
          className="input"
          value={density}
          onChange={(event) =>
            changeLook({ density: event.target.value === 'compact' ? 'compact' : 'comfortable' })
          }
        >
          <option value="comfortable">{say('density_comfortable')}</option>
          <option value="compact">{say('density_compact')}</option>
        </select>
      </Field>
      <Field label={say('time_zone')}>
        <select
          className="input"
          value={timeZone ?? ''}
          onChange={(event) => changeLook({ timeZone: event.target.value || null })}
        >
          <option value="">{say('time_zone_browser')}</option>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </select>
      </Field>
      <Field label={say('first_page')} hint={say('first_page_hint')}>
        <select
          className="input"
          value={startPage}
          onChange={(event) => changeLook({ startPage: event.target.value as Look['startPage'] })}
        >
          {[
            { page: 'start', path: '/' },
            ...FIRST_PAGES.map((page) => ({ page, path: `/w/:ws${placeOf(page)}` })),
          ].map(({ page, path }) => (
            <option key={page} value={page}>
              {screens.find((screen) => screen.path === path)?.title[language]}
            </option>
          ))}
        </select>
      </Field>
      <label className="check">
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => changeLook({ shortcuts: event.target.checked })}
        />
        <span>
          {say('shortcuts')}
          <span className="field-hint">{say('shortcuts_hint')}</span>
        </span>
      </label>
      <p className="field-hint">{say('kept')}</p>
    </div>
  );
}
