import { notFound } from '../../platform/http/api-error.js';
import { openRoute, plainRoute, type Route, readRoute, writeRoute } from '../../platform/http/route.js';
import { exampleProfile, exampleToken } from './auth.examples.js';
import * as repository from './auth.repository.js';
import {
  AccessToken,
  BrowserSession,
  PasswordChange,
  Profile,
  ProfileChange,
  SignedIn,
  SignIn,
  SignUp,
  SyncRequest,
  SyncResult,
} from './auth.schemas.js';
import { changeProfile, syncProfile, toProfile } from './profiles.service.js';
import {
  changePassword,
  refresh,
  requireEmbeddedProvider,
  signIn,
  signInInBrowser,
  signOut,
  signUp,
  signUpInBrowser,
} from './sessions.service.js';

/** The group `/auth` stays open without a subscription: it is where one is activated. */
const common = { tag: 'Auth', gate: 'open' } as const;
const self = { ...common, permission: 'profile.self', within: 'installation' } as const;
const onlyEmbedded = 'Answers 404 when an external identity provider is configured.';

const postSignUp = openRoute({
  ...common,
  operation: 'signUp',
  method: 'POST',
  path: '/auth/sign-up',
  summary: 'Sign up',
  description: `Makes an account and opens its first session. The first user of an installation administers it. The setting SIGN_UP may ask for an invitation, or close this (403). ${onlyEmbedded}`,
  because: 'Nobody has a token before the first sign-up.',
  body: SignUp,
  status: 201,
  answer: SignedIn,
  errors: ['NOT_FOUND', 'CONFLICT', 'AUTHORIZATION_ERROR'],
  examples: {
    body: { email: exampleProfile.email, password: 'correct horse battery', name: exampleProfile.name },
    answer: { ...exampleToken, user_id: exampleProfile.id },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    context.reply.header('location', '/api/v1/auth/me');
    return signUp(context, context.body);
  },
});

const postSignIn = openRoute({
  ...common,
  operation: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  summary: 'Sign in',
  description: `Opens a session. Attempts are limited per client address, and per account for addresses that it was never signed in to from. ${onlyEmbedded}`,
  because: 'This is where a token comes from.',
  body: SignIn,
  answer: SignedIn,
  errors: ['NOT_FOUND', 'AUTHENTICATION_ERROR'],
  examples: {
    body: { email: exampleProfile.email, password: 'correct horse battery' },
    answer: { ...exampleToken, user_id: exampleProfile.id },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    return signIn(context, context.body);
  },
});

const IN_BROWSER =
  'The answer sets a cookie (`HttpOnly`, `SameSite=Strict`; over HTTPS `Secure` and `__Host-`) instead of holding a token. ' +
  'It is accepted wherever a token is; the session lasts SESSION_IDLE_MINUTES from its last use and SESSION_MAX_HOURS at ' +
  'most. From pages of the service itself only (403 `cross_site_request`). A session that the browser had before ends.';

const postBrowserSignUp = openRoute({
  ...common,
  operation: 'signUpInBrowser',
  cookie: true,
  method: 'POST',
  path: '/auth/browser/sign-up',
  summary: 'Sign up in a browser',
  description: `As \`POST /auth/sign-up\`. ${IN_BROWSER} ${onlyEmbedded}`,
  because: 'Nobody has a session before the first sign-up.',
  body: SignUp,
  status: 201,
  answer: BrowserSession,
  errors: ['NOT_FOUND', 'CONFLICT', 'AUTHORIZATION_ERROR'],
  examples: {
    body: { email: exampleProfile.email, password: 'correct horse battery', name: exampleProfile.name },
    answer: { user_id: exampleProfile.id, expires_in: 7200 },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    context.reply.header('location', '/api/v1/auth/me');
    return signUpInBrowser(context, context.body);
  },
});

const postBrowserSignIn = openRoute({
  ...common,
  operation: 'signInInBrowser',
  cookie: true,
  method: 'POST',
  path: '/auth/browser/sign-in',
  summary: 'Sign in in a browser',
  description: `As \`POST /auth/sign-in\`. ${IN_BROWSER} ${onlyEmbedded}`,
  because: 'This is where a session comes from.',
  body: SignIn,
  answer: BrowserSession,
  errors: ['NOT_FOUND', 'AUTHENTICATION_ERROR', 'AUTHORIZATION_ERROR'],
  examples: {
    body: { email: exampleProfile.email, password: 'correct horse battery' },
    answer: { user_id: exampleProfile.id, expires_in: 7200 },
  },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    return signInInBrowser(context, context.body);
  },
});

const postSignOut = plainRoute({
  ...self,
  operation: 'signOut',
  cookie: true,
  person: true,
  method: 'POST',
  path: '/auth/sign-out',
  summary: 'Sign out',
  description:
    'Ends the session: its access tokens are refused from now on, on every process. With an external identity provider ' +
    'these are the tokens of the same session (`sid`, else `jti`); at the provider the session goes on. Takes the cookie of ' +
    'a browser away.',
  status: 204,
  examples: {},
  handle: signOut,
});

const postPassword = plainRoute({
  ...self,
  operation: 'changePassword',
  person: true,
  method: 'POST',
  path: '/auth/password',
  summary: 'Change the password',
  description: `Changes the own password and ends all other sessions. ${onlyEmbedded}`,
  body: PasswordChange,
  status: 204,
  errors: ['NOT_FOUND'],
  examples: { body: { current_password: 'correct horse battery', new_password: 'staple battery horse' } },
  handle: async (context) => {
    requireEmbeddedProvider(context);
    await changePassword(context, context.body);
  },
});

const postRefresh = plainRoute({
  ...self,
  operation: 'refreshToken',
  person: true,
  method: 'POST',
  path: '/auth/refresh',
  summary: 'Refresh the access token',
  description:
    'A new access token for a valid one, bound to the same session. A session that was signed out or is older than ' +
    'SESSION_MAX_HOURS answers 401 with the reason `revoked_session`, one by cookie 403.',
  answer: AccessToken,
  examples: { answer: exampleToken },
  handle: refresh,
});

const postSync = plainRoute({
  ...self,
  operation: 'syncProfile',
  person: true,
  method: 'POST',
  path: '/auth/sync',
  summary: 'Synchronise the profile',
  description:
    'Called at the beginning of every session. Moves a pending subscription of the verified email address into the ' +
    'profile, else activates the free plan of a profile that is not active. Repeating it changes nothing. ' +
    '`subscription_waiting` tells of a payment that waits for the address to be verified.',
  body: SyncRequest,
  answer: SyncResult,
  errors: ['AUTHORIZATION_ERROR'],
  examples: {
    body: { id: exampleProfile.id, email: exampleProfile.email, name: exampleProfile.name },
    answer: {
      success: true,
      message: 'The free plan is active.',
      user_id: exampleProfile.id,
      email: exampleProfile.email,
      subscription_migrated: false,
      subscription_waiting: false,
      subscription_plan: 'free',
    },
  },
  handle: (context) => syncProfile(context, context.body),
});

const getMe = readRoute({
  ...self,
  operation: 'getProfile',
  method: 'GET',
  path: '/auth/me',
  summary: 'Read the own profile',
  description: 'The profile of the caller, with role and subscription.',
  etag: true,
  answer: Profile,
  examples: { answer: exampleProfile },
  handle: async ({ caller, read }) => {
    const [row] = await read<repository.ProfileRow>(repository.selectProfile(caller.userId));
    if (!row) throw notFound('profile');
    return toProfile(row);
  },
});

const patchMe = writeRoute({
  ...self,
  operation: 'changeProfile',
  method: 'PATCH',
  path: '/auth/me',
  summary: 'Change the own profile',
  description: 'Changes name, organization or both. Role and subscription are not the caller’s to change.',
  etag: true,
  body: ProfileChange,
  answer: Profile,
  examples: {
    body: { organization: 'Example Mobility' },
    answer: exampleProfile,
  },
  handle: (context) => changeProfile(context, context.body),
});

export const authRoutes: readonly Route[] = [
  getMe,
  patchMe,
  postSync,
  postRefresh,
  postSignUp,
  postSignIn,
  postBrowserSignUp,
  postBrowserSignIn,
  postSignOut,
  postPassword,
];
