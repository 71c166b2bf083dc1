import { FORMS, perform, readLink } from './link-actions.js';

const FIELDS = {
  email: ['Email address', { type: 'email', autocomplete: 'username', maxLength: 320 }],
  password: ['Password', { type: 'password', autocomplete: 'current-password', maxLength: 256 }],
  new_password: ['New password', { type: 'password', autocomplete: 'new-password', maxLength: 256 }],
  name: ['Name', { type: 'text', autocomplete: 'name', maxLength: 200 }],
  organization: [
    'Organization (may be empty)',
    { type: 'text', autocomplete: 'organization', required: false },
  ],
};

const section = document.querySelector('#link');

function open() {
  const link = readLink(location.hash);
  if (!link) return;
  // Out of the address line and the history: whoever looks at them later cannot use it.
  history.replaceState(null, '', location.pathname);
  show(link.form, link.token);
}

function show(name, token) {
  const form = FORMS[name];
  const status = element('p', { role: 'status' });
  const button = element('button', { type: 'submit', textContent: form.button });
  const fields = element(
    'form',
    {},
    ...form.fields.map((field) => {
      const [words, properties] = FIELDS[field];
      const input = element('input', { name: field, required: true, ...properties });
      return element('label', {}, element('span', { textContent: words }), input);
    }),
    button,
  );
  fields.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = 'One moment …';
    try {
      await perform(name, token, Object.fromEntries(new FormData(fields)));
      fields.remove();
      status.textContent = form.done;
    } catch (error) {
      status.textContent = error.message;
      button.disabled = false;
    }
  });
  const parts = [
    element('h2', { textContent: form.title }),
    element('p', { textContent: form.text }),
    fields,
    status,
  ];
  if (form.other) {
    const other = element('button', { type: 'button', textContent: form.other.words });
    other.addEventListener('click', () => show(form.other.form, token));
    fields.append(other);
  }
  section.replaceChildren(...parts);
  section.hidden = false;
  fields.querySelector('input').focus();
}

function element(name, { role, ...properties } = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (role) made.setAttribute('role', role);
  made.append(...children);
  return made;
}

window.addEventListener('hashchange', open);
open();
