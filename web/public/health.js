const WORDS = {
  ok: 'works',
  degraded: 'works, but background jobs wait',
  down: 'does not work at the moment',
};

const status = document.querySelector('#health');
const list = document.querySelector('#checks');

try {
  const response = await fetch('/api/v1/health');
  const health = await response.json();
  status.textContent = `Version ${health.version} ${WORDS[health.status]}.`;
  list.replaceChildren(
    ...Object.entries(health.checks).flatMap(([name, state]) => [
      element('dt', name),
      element('dd', WORDS[state] ?? state),
    ]),
  );
  list.hidden = false;
} catch {
  status.textContent = 'The service does not answer.';
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
