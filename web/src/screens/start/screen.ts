import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'Workspaces', de: 'Arbeitsbereiche' },
};
