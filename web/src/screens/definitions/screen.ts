import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/settings/checklists/new',
    page: () => import('./new-page.tsx'),
    frame: 'workspace',
    title: { en: 'New checklist', de: 'Neue Checkliste' },
  },
  {
    path: '/w/:ws/settings/checklists/:checklist',
    page: () => import('./one-page.tsx'),
    frame: 'workspace',
    title: { en: 'Checklist', de: 'Checkliste' },
  },
  {
    path: '/w/:ws/settings/checklists',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Own checklists', de: 'Eigene Checklisten' },
  },
  {
    path: '/w/:ws/settings/templates/new',
    page: () => import('./new-page.tsx'),
    frame: 'workspace',
    title: { en: 'New template', de: 'Neue Vorlage' },
  },
  {
    path: '/w/:ws/settings/templates/:template',
    page: () => import('./one-page.tsx'),
    frame: 'workspace',
    title: { en: 'Template', de: 'Vorlage' },
  },
  {
    path: '/w/:ws/settings/templates',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Own templates', de: 'Eigene Vorlagen' },
  },
];
