/** One person through all examples of the group. */
export const exampleProfile = {
  id: '6b0f5e0e-3f7e-4d0a-8a3f-0a8f2f0c1d11',
  email: 'jo@example.org',
  email_verified: true,
  name: 'Jo Berger',
  organization: 'Example Mobility',
  role: 'engineer',
  created_at: '2026-01-31T09:30:00.000Z',
  last_login: '2026-02-01T07:45:12.000Z',
  subscription_status: 'active',
  subscription_plan: 'free',
};

export const exampleUser = {
  ...exampleProfile,
  active: true,
  updated_at: '2026-02-01T07:45:12.000Z',
};

export const exampleToken = {
  access_token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI2YjBmNWUwZSJ9.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 1800,
};
