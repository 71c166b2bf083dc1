import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'My work', de: 'Meine Arbeit' },
};
