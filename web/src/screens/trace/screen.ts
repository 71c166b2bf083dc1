import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/w/:ws/trace/artifacts/:artifact',
    page: () => import('./artifact.tsx'),
    frame: 'workspace',
    title: { en: 'Artifact', de: 'Artefakt' },
  },
  {
    path: '/w/:ws/trace/matrix',
    page: () => import('./matrix.tsx'),
    frame: 'workspace',
    title: { en: 'Trace matrix', de: 'Tracematrix' },
  },
  {
    path: '/w/:ws/trace/columns',
    page: () => import('./columns.tsx'),
    frame: 'workspace',
    title: { en: 'Trace columns', de: 'Rückverfolgung in Spalten' },
  },
  {
    path: '/w/:ws/trace/grid',
    page: () => import('./grid.tsx'),
    frame: 'workspace',
    title: { en: 'Trace grid', de: 'Rückverfolgung als Raster' },
  },
  {
    path: '/w/:ws/trace/artifacts',
    page: () => import('./artifacts.tsx'),
    frame: 'workspace',
    title: { en: 'Artifacts', de: 'Artefakte' },
  },
  {
    path: '/w/:ws/trace/links',
    page: () => import('./suspect-links.tsx'),
    frame: 'workspace',
    title: { en: 'Links to check', de: 'Zu prüfende Verknüpfungen' },
  },
  {
    path: '/w/:ws/trace/proposals',
    page: () => import('./proposals.tsx'),
    frame: 'workspace',
    title: { en: 'Proposed links', de: 'Vorgeschlagene Verknüpfungen' },
  },
  {
    path: '/w/:ws/trace',
    page: () => import('./page.tsx'),
    frame: 'workspace',
    title: { en: 'Trace', de: 'Rückverfolgung' },
    rail: { icon: 'trace', key: 't' },
    permission: 'analyses.read',
  },
];
