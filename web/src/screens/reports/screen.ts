import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/reports',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Reports', de: 'Berichte' },
  rail: { icon: 'reports', key: 'p' },
  permission: 'reports.read',
};
