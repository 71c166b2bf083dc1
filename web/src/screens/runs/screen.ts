import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/runs/compare',
    page: () => import('./compare.tsx'),
    frame: 'workspace',
    title: { en: 'Compare runs', de: 'Läufe vergleichen' },
  },
  {
    path: '/w/:ws/runs/:run',
    page: () => import('./run.tsx'),
    frame: 'workspace',
    title: { en: 'Run', de: 'Lauf' },
  },
  {
    path: '/w/:ws/runs',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Runs', de: 'Läufe' },
    rail: { icon: 'runs', key: 'r' },
    permission: 'analyses.read',
  },
];
