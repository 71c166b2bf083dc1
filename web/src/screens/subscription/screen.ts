import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/me/subscription',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'Subscription', de: 'Abonnement' },
};
