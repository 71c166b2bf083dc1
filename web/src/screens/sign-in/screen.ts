import type { Screen } from '../../app/screen.ts';

export const screens: readonly Screen[] = [
  {
    path: '/sign-in',
    page: () => import('./page.tsx'),
    frame: 'none',
    isOpen: true,
    title: { en: 'Sign in', de: 'Anmelden' },
  },
  {
    path: '/sign-up',
    page: () => import('./sign-up-page.tsx'),
    frame: 'none',
    isOpen: true,
    title: { en: 'Create an account', de: 'Konto anlegen' },
  },
];
