import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/documents/:document/compare',
    page: () => import('./compare.tsx'),
    frame: 'workspace',
    title: { en: 'Compare versions', de: 'Versionen vergleichen' },
    permission: 'work-products.read',
  },
  {
    path: '/w/:ws/documents/:document',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Document', de: 'Dokument' },
    permission: 'work-products.read',
  },
];
