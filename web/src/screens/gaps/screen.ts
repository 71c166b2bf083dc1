import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/gaps',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Gaps', de: 'Lücken' },
  rail: { icon: 'gaps', key: 'g' },
  permission: 'analyses.read',
};
