// Before the first paint, so that nobody sees the other theme flash: what was chosen on this machine.
(() => {
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('normtrace.look') ?? '{}');
  } catch {
    // Storage may be forbidden: the system's choice counts.
  }
  const root = document.documentElement;
  if (['light', 'dark', 'contrast'].includes(kept.theme)) root.dataset.theme = kept.theme;
  if (kept.density === 'compact') root.dataset.density = kept.density;
  const language = kept.language ?? (navigator.language.startsWith('de') ? 'de' : 'en');
  root.lang = language === 'de' ? 'de' : 'en';
})();
