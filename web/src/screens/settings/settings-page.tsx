import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useHasModel } from '../../app/model.ts';
import { useMay, useWorkspaceId } from '../../app/workspace.ts';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import '../../parts/records.css';
import './settings.css';

/** The parts of the settings, each with the permission without which it says nothing. */
const PARTS = [
  ['', 'general', 'workspaces.read'],
  ['/members', 'members', 'members.read'],
  ['/webhooks', 'webhooks', 'webhooks.manage'],
  ['/templates', 'templates', 'expectations.read'],
  ['/checklists', 'checklists', 'expectations.read'],
  ['/model', 'model', 'workspaces.read'],
  ['/retention', 'retention', 'workspaces.read'],
  ['/audit', 'audit', 'audit.read'],
] as const;

/** A part is open below its address as well. */
const isAt = (address: string, of: string, path: string): boolean =>
  address === of || (path !== '' && address.startsWith(`${of}/`));

/** One part of the settings below the way to the others. */
export function SettingsPage({ children }: { readonly children: ReactNode }) {
  const say = useWords();
  const workspace = useWorkspaceId();
  const may = useMay(workspace);
  const hasModel = useHasModel();
  const [address] = useLocation();
  const base = `/w/${workspace}/settings`;
  return (
    <div className="page">
      <div className="page-head">
        <h1>{say('settings')}</h1>
      </div>
      <nav className="tabs" aria-label={say('settings')}>
        {PARTS.filter(([, word, permission]) => may(permission) && (word !== 'model' || hasModel)).map(
          ([path, word]) => (
            <Link
              key={path}
              href={base + path}
              aria-current={isAt(address, base + path, path) ? 'page' : undefined}
            >
              {say(word)}
            </Link>
          ),
        )}
      </nav>
      {children}
    </div>
  );
}
