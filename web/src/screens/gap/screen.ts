import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/gaps/:gap',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Gap', de: 'Lücke' },
  permission: 'analyses.read',
};
