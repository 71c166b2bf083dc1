import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/me/guest/:guest',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'As a guest', de: 'Als Gast' },
};
