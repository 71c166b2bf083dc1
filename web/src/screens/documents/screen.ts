import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/w/:ws/documents',
  page: () => import('./page.tsx'),
  frame: 'workspace',
  title: { en: 'Documents', de: 'Dokumente' },
  rail: { icon: 'documents', key: 'd' },
  permission: 'work-products.read',
};
