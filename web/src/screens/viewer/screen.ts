import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/documents/:document',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Document', de: 'Dokument' },
  permission: 'work-products.read',
};
