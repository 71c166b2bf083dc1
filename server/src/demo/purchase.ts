import { type ApiClient, ApiFailure } from './api-client.js';

interface Buyer {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/**
 * Buys the plan `pro` through the test checkout, as a browser would, and returns the plan that the profile has then.
 * Undefined where the service takes payments otherwise.
 */
export async function purchase(api: ApiClient, url: string, buyer: Buyer): Promise<string | undefined> {
  let session: { readonly session_id: string; readonly url: string };
  try {
    session = await api.post('/payments/create-checkout-session', {
      plan: 'pro',
      email: buyer.email,
      success_url: `${url}/`,
      cancel_url: `${url}/`,
    });
  } catch (error) {
    if (error instanceof ApiFailure && [409, 503].includes(error.status)) return undefined;
    throw error;
  }
  if (!session.url.startsWith(url)) return undefined;
  const form = new URLSearchParams({ action: 'pay', email: buyer.email });
  const paid = await fetch(session.url, { method: 'POST', redirect: 'manual', body: form });
  if (paid.status !== 303) throw new ApiFailure('The checkout', paid.status, await paid.text());
  const { status } = await api.get<{ status: string }>(`/payments/session-info/${session.session_id}`);
  if (status !== 'completed') throw new Error(`The purchase is ${status}.`);
  await api.post('/auth/sync', { ...buyer });
  const profile = await api.get<{ subscription_plan: string | null }>('/auth/me');
  return profile.subscription_plan ?? undefined;
}
