import type { Screen } from '../../app/screen.ts';

export const screen: Screen = {
  path: '/me/account',
  page: () => import('./page.tsx'),
  frame: 'person',
  title: { en: 'Account, sessions and tokens', de: 'Konto, Sitzungen und Token' },
};
