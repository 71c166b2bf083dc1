import { Link, useLocation } from 'wouter';
import { useWorkspaceId } from '../../app/workspace.ts';
import { useWords } from './use-words.ts';
import '../../parts/list.css';
import './trace.css';

const TABS = [
  ['', 'coverage'],
  ['/columns', 'columns'],
  ['/matrix', 'matrix'],
  ['/grid', 'grid'],
  ['/artifacts', 'artifacts'],
  ['/links', 'links'],
  ['/proposals', 'proposals'],
] as const;

export function TraceTabs() {
  const say = useWords();
  const base = `/w/${useWorkspaceId()}/trace`;
  const [address] = useLocation();
  return (
    <nav className="tabs" aria-label={say('trace')}>
      {TABS.map(([path, word]) => (
        <Link key={word} href={base + path} aria-current={address === base + path ? 'page' : undefined}>
          {say(word)}
        </Link>
      ))}
    </nav>
  );
}
