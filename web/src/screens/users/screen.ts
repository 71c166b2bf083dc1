import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/admin',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'Administration', de: 'Verwaltung' },
};
