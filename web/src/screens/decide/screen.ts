import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/decide',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'What to decide', de: 'Was zu entscheiden ist' },
  permission: 'analyses.read',
};
