import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The secret as the specification writes it. */
export const showSecret = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

/**
 * The three headers of Standard Webhooks 1.0: the id of the message, the moment of the attempt, and one signature for
 * each secret over `id.timestamp.body`.
 */
export function signedHeaders(
  message: { readonly id: string; readonly body: string; readonly at: Date },
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(message.at.getTime() / 1000));
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${message.id}.${timestamp}.${message.body}`).digest('base64'),
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}
