import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/settings/members',
    page: () => import('./members.tsx'),
    frame: 'workspace',
    title: { en: 'Members', de: 'Mitglieder' },
  },
  {
    path: '/w/:ws/settings/webhooks',
    page: () => import('./webhooks.tsx'),
    frame: 'workspace',
    title: { en: 'Webhooks', de: 'Webhooks' },
  },
  {
    path: '/w/:ws/settings/model',
    page: () => import('./model.tsx'),
    frame: 'workspace',
    title: { en: 'Language model', de: 'Sprachmodell' },
  },
  {
    path: '/w/:ws/settings/retention',
    page: () => import('./retention.tsx'),
    frame: 'workspace',
    title: { en: 'Retention and archive', de: 'Aufbewahrung und Archiv' },
  },
  {
    path: '/w/:ws/settings/audit',
    page: () => import('./audit.tsx'),
    frame: 'workspace',
    title: { en: 'Audit log', de: 'Prüfprotokoll' },
  },
  {
    path: '/w/:ws/settings',
    page: () => import('./general.tsx'),
    frame: 'workspace',
    title: { en: 'Settings', de: 'Einstellungen' },
    rail: { icon: 'settings', key: 'e' },
  },
];
