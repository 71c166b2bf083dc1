import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/checklists/:checklist',
    page: () => import('./checklist.tsx'),
    frame: 'workspace',
    title: { en: 'Checklist', de: 'Checkliste' },
  },
  {
    path: '/w/:ws/checklists',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Checklists', de: 'Checklisten' },
    rail: { icon: 'checklists', key: 'c' },
    permission: 'expectations.read',
  },
];
