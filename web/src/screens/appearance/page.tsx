import { useQueryClient } from '@tanstack/react-query';
import { changeLook, type Theme } from '../../look/look.ts';
import { useLook } from '../../look/use-look.ts';
import { Field } from '../../parts/field.tsx';
import { catalog } from '../../words/words.ts';
import de from './words.de.json';
import en from './words.en.json';

const useWords = catalog(en, de);
const THEMES: readonly Theme[] = ['system', 'light', 'dark', 'contrast'];

export default function AppearancePage() {
  const say = useWords();
  const client = useQueryClient();
  const { language, theme, shortcuts } = useLook();
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
