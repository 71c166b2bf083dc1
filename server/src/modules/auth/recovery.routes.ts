import { openRoute, plainRoute, type Route } from '../../platform/http/route.js';
import { askForProof, proveAddress } from './addresses.service.js';
import { exampleProfile } from './auth.examples.js';
import {
  Accepted,
  AddressProof,
  AddressToVerify,
  HandedLink,
  NewPassword,
  ResetRequest,
  SignUpAddress,
  UserParams,
  VerifiedAddress,
} from './auth.schemas.js';
import { askForReset, handOutReset, handOutSignUp, resetPassword } from './password-reset.service.js';
import { requireEmbeddedProvider } from './sessions.service.js';

const common = { tag: 'Auth', gate: 'open' } as const;
const self = { ...common, permission: 'profile.self', within: 'installation', person: true } as const;
const administration = {
  tag: 'Administration',
  permission: 'users.manage',
  within: 'installation',
} as const;
const onlyEmbedded = 'Answers 404 when an external identity provider is configured.';
const expires = '2026-02-01T09:30:00.000Z';
const exampleLink = (start: string, fragment: string) => {
  const token = `${start}_Zx3mQ9vT7kL2bN8rH5wY1cF6dJ4sP0aG_uE-oIqXyVn`;
  return { token, link: `https://normtrace.example.org/#${fragment}=${token}`, expires_at: expires };
};

const postVerification = plainRoute({
  ...self,
  operation: 'askForVerification',
  method: 'POST',
  path: '/auth/me/verification',
  summary: 'Have the own address verified',
  description:
    'Mails a link to the address of the account, valid for 24 hours. Whoever has none, because the tokens of their ' +
    'issuer name none, says here which one is theirs. 409 without SMTP_URL: then an administrator vouches ' +
    '(`PATCH /admin/users/{id}`), or when the address is verified already.',
  body: AddressToVerify,
  status: 202,
  answer: Accepted,
  errors: ['CONFLICT'],
  examples: { body: {}, answer: { message: 'A mail is on its way.' } },
  handle: async (context) => {
    await askForProof(context, context.body);
    return { message: 'A mail is on its way.' };
  },
});

const postVerificationProof = plainRoute({
  ...self,
  operation: 'verifyAddress',
  method: 'POST',
  path: '/auth/me/verification/confirm',
  summary: 'Verify the own address',
  description:
    'Takes the token behind `#verify=` of the mailed link, signed in as the account that asked for it.',
  body: AddressProof,
  answer: VerifiedAddress,
  examples: {
    body: { token: exampleLink('adr', 'verify').token },
    answer: { email: exampleProfile.email, email_verified: true },
  },
  handle: (context) => proveAddress(context, context.body),
});

const postReset = openRoute({
  ...common,
  operation: 'askForPasswordReset',
  method: 'POST',
  path: '/auth/password-reset',
  summary: 'Ask for a new password',
  description:
    'Mails a link, valid for an hour, to the account with this address if there is one. The answer is the same for every ' +
    `address. 409 without SMTP_URL: then an administrator hands out a link. ${onlyEmbedded}`,
  because: 'Whoever has lost the password cannot sign in.',
  body: ResetRequest,
  status: 202,
  answer: Accepted,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: {
    body: { email: exampleProfile.email },
    answer: { message: 'If there is an account with this address, a mail is on its way to it.' },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    await askForReset(context, context.body);
    return { message: 'If there is an account with this address, a mail is on its way to it.' };
  },
});

const postNewPassword = openRoute({
  ...common,
  operation: 'resetPassword',
  method: 'POST',
  path: '/auth/password-reset/confirm',
  summary: 'Set a new password by a link',
  description:
    'Takes the token behind `#reset=` of a link, once. Ends every session of the account. A mailed link also verifies ' +
    `the address. ${onlyEmbedded}`,
  because: 'Whoever has lost the password cannot sign in.',
  body: NewPassword,
  status: 204,
  errors: ['NOT_FOUND'],
  examples: {
    body: { token: exampleLink('pwd', 'reset').token, new_password: 'staple battery horse' },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    await resetPassword(context, context.body);
  },
});

const postUserReset = plainRoute({
  ...administration,
  operation: 'makePasswordResetLink',
  method: 'POST',
  path: '/admin/users/:id/password-reset',
  summary: 'Make a link for a new password',
  description:
    'For an administrator to hand out: valid for 24 hours, once, shown in this answer only. The password stays until the ' +
    `link is used. 409 for a user of an external identity provider. ${onlyEmbedded}`,
  params: UserParams,
  answer: HandedLink,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: { params: { id: exampleProfile.id }, answer: exampleLink('pwd', 'reset') },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    return handOutReset(context, context.params.id);
  },
});

const postSignUpLink = plainRoute({
  ...administration,
  operation: 'makeSignUpLink',
  method: 'POST',
  path: '/admin/sign-up-links',
  summary: 'Make a link for a sign-up',
  description:
    'For an administrator to hand out: valid for seven days, once, shown in this answer only. The account that is made ' +
    `with it has a verified address, also where SIGN_UP is \`invited\`. 409 for an address that has an account. ${onlyEmbedded}`,
  body: SignUpAddress,
  answer: HandedLink,
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: { body: { email: exampleProfile.email }, answer: exampleLink('acc', 'sign-up') },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    return handOutSignUp(context, context.body);
  },
});

export const recoveryRoutes: readonly Route[] = [
  postVerification,
  postVerificationProof,
  postReset,
  postNewPassword,
];
export const handedLinkRoutes: readonly Route[] = [postUserReset, postSignUpLink];
