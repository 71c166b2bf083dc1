// Before the first paint, so that nobody sees the other theme flash: what was chosen on this machine. And before all other files: questions.
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
  askEarly(root.lang);
})();

// What a screen asks first, asked while its files are still on their way (decision 911); `web/src/api/asked-early.ts` hands the answers over.
function askEarly(language) {
  try {
    // Whoever never opened a workspace here has no session most likely.
    if (localStorage.getItem('normtrace.workspace') === null) return;
  } catch {
    return;
  }
  const early = new Map();
  const ask = (address) => {
    const answer = fetch(address, { headers: { 'Accept-Language': language } });
    // What nobody takes over fails unseen.
    answer.catch(() => undefined);
    early.set(address, answer);
    return answer;
  };
  globalThis.askedEarly = early;
  for (const question of questionsOf(location.pathname, new URLSearchParams(location.search))) {
    const answer = ask(`/api/v1${question}`);
    if (question.includes('?around='))
      askForPage(
        answer.then((one) => one.clone().json()),
        `/api/v1${question}`,
        ask,
      );
  }
}

// The lines and the picture of the page that a place is on, as wide as the last one that was asked for here.
function askForPage(passage, address, ask) {
  passage
    .then(({ blocks }) => {
      const { page } = blocks[0].location;
      if (page === undefined) return;
      const of = `${address.slice(0, address.indexOf('/document?'))}/pages/${page}`;
      ask(`${of}/lines`);
      const width = localStorage.getItem('normtrace.picture');
      if (/^\d+$/.test(width ?? '')) ask(`${of}/image?width=${width}`);
    })
    // A place that is not there: the screen says so.
    .catch(() => undefined);
}

// As the screens write them: one that is written otherwise is asked twice, which `pages-of-documents.test.ts` tells.
function questionsOf(path, search) {
  const [, workspace, screen, document] =
    /^\/w\/([0-9a-f-]{36})(?:\/(documents)\/([0-9a-f-]{36}))?\/?$/.exec(path) ?? [];
  if (workspace === undefined) return [];
  const questions = ['/auth/me', '/installation', `/workspaces/${workspace}/permissions`];
  if (screen === undefined) questions.push(`/analysis/overview?workspace_id=${workspace}`);
  else questions.push(`/work-products/${document}`, ...questionsOfVersion(document, search));
  questions.push(
    '/auth/me/preferences',
    `/workspaces/${workspace}`,
    '/workspaces?limit=100&sort=-updated_at',
  );
  return questions;
}

function questionsOfVersion(document, search) {
  const version = search.get('v');
  if (!/^[1-9]\d*$/.test(version ?? '')) return [];
  const of = `/work-products/${document}/versions/${version}`;
  const questions = [`${of}/pages`, `${of}/document?from_block=0&blocks=200`];
  const [, start] = /^(\d+)-\d+$/.exec(search.get('at') ?? '') ?? [];
  if (start !== undefined && search.get('gap') === null) {
    questions.unshift(`${of}/document?around=${start}&blocks=1`);
  }
  if (search.get('run') === null) questions.push(`${of}/marks`);
  return questions;
}
