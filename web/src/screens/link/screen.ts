import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/link',
  page: () => import('./page.tsx'),
  frame: 'none',
  isOpen: true,
  title: { en: 'Link', de: 'Link' },
};
