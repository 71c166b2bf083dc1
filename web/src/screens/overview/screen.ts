import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Overview', de: 'Überblick' },
  rail: { icon: 'overview', key: 'o' },
};
