import type { ReactNode } from 'react';
import { useInstallation } from '../../app/workspace.ts';
import { changeLook } from '../../look/look.ts';
import { useWords } from './use-words.ts';
import './sign-in.css';

/** What stands around the forms before somebody is signed in. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const say = useWords();
  const { data: installation } = useInstallation();
  return (
    <div className="door">
      <main className="door-card">
        <div className="door-name">
          <img src="/icon.svg" alt="" width="32" height="32" />
          <span>Normtrace</span>
        </div>
        <p className="door-promise">{say('promise')}</p>
        <h1>{title}</h1>
        {children}
      </main>
      <footer>
        <p>{say('disclaimer')}</p>
        <p className="door-links">
          <button
            type="button"
            className="link"
            onClick={() => changeLook({ language: say.language === 'en' ? 'de' : 'en' })}
          >
            {say('language')}
          </button>
          <a href="/docs">{say('api')}</a>
          {installation && <span>{say('version', { version: installation.version })}</span>}
        </p>
      </footer>
    </div>
  );
}
