import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/standards/library',
    page: () => import('./library.tsx'),
    frame: 'workspace',
    title: { en: 'Library of standards', de: 'Normenbibliothek' },
  },
  {
    path: '/w/:ws/standards/:standard',
    page: () => import('./standard.tsx'),
    frame: 'workspace',
    title: { en: 'Standard', de: 'Norm' },
  },
  {
    path: '/w/:ws/standards',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Standards', de: 'Normen' },
    rail: { icon: 'standards', key: 's' },
    permission: 'standards.read',
  },
];
