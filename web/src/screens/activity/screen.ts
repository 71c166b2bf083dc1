import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/activity',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Activity', de: 'Verlauf' },
  rail: { icon: 'activity', key: 'y' },
  permission: 'activity.read',
};
