import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/me/appearance',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'Appearance and keys', de: 'Darstellung und Tasten' },
};
