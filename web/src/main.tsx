import './app/ask-early.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './look/base.css';
import { App } from './app/app.tsx';
import { takeLink } from './screens/link/taken-link.ts';

takeLink();
window.addEventListener('hashchange', () => {
  takeLink();
  if (location.pathname === '/link') dispatchEvent(new PopStateEvent('popstate'));
});

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
