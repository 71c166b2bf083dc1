/**
 * What a person can do with a link that the service mailed or an administrator handed out: `/#<purpose>=<token>`. By
 * form, what it asks for; `other` is the form to take instead. The words are those of the application.
 */
export const FORMS = {
  verify: { fields: ['email', 'password'] },
  reset: { fields: ['new_password'] },
  'sign-up': { fields: ['email', 'name', 'organization', 'new_password'] },
  invitation: { fields: ['email', 'password'], other: 'invitation-new' },
  guest: { fields: ['email', 'password'], other: 'guest-new' },
  'guest-new': { fields: ['email', 'name', 'organization', 'new_password'], other: 'guest' },
  'invitation-new': { fields: ['email', 'name', 'organization', 'new_password'], other: 'invitation' },
};

/** Form and token of a link; undefined for every other address. */
export function readLink(hash) {
  const [, form, token] = /^#(invitation|guest|verify|reset|sign-up)=([\w.~-]{1,256})$/.exec(hash) ?? [];
  return form && token ? { form, token } : undefined;
}

/** Does what the form is for. Throws with a sentence for the person. `base`: where the service is. */
export async function perform(form, token, values, base = '') {
  const account = ({ email, name, organization = '', new_password: password }) => ({
    email,
    name,
    organization,
    password,
  });
  const { email, password } = values;
  const ask = (path, body, session) => request(base, path, body, session);
  const actions = {
    reset: () => ask('/auth/password-reset/confirm', { token, new_password: values.new_password }),
    'sign-up': () => ask('/auth/sign-up', { ...account(values), invitation: token }),
    'invitation-new': () => ask('/auth/sign-up', { ...account(values), invitation: token }),
    invitation: () => ask('/auth/sign-in', { email, password, invitation: token }),
    'guest-new': () => ask('/auth/sign-up', { ...account(values), invitation: token }),
    guest: () => ask('/auth/sign-in', { email, password, invitation: token }),
    verify: () => ask('/auth/sign-in', { email, password }),
  };
  const session = await actions[form]();
  if (!session?.access_token) return;
  try {
    if (form === 'verify') await ask('/auth/me/verification/confirm', { token }, session);
  } finally {
    // There is nothing more to do here: no session stays open.
    await ask('/auth/sign-out', undefined, session).catch(() => undefined);
  }
}

async function request(base, path, body, session) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method: 'POST',
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(session ? { authorization: `Bearer ${session.access_token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new Error('The service does not answer. Try again in a moment.');
  });
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new Error(sentenceOf(answer));
  return answer;
}

function sentenceOf(answer) {
  const issues = answer?.error?.details?.issues ?? [];
  const said = issues.map(({ path, message }) => `${path.replace('body.', '')}: ${message}`);
  return said.length > 0
    ? said.join(' ')
    : (answer?.error?.message ?? answer?.detail ?? 'That did not work.');
}
