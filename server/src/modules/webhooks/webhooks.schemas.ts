import { z } from 'zod';
import {
  Id,
  listOf,
  PageQuery,
  sortedBy,
  Timestamp,
  text,
  UpdatedSince,
  withOneField,
} from '../../platform/http/schemas.js';
import { WEBHOOK_EVENTS, type WebhookEventType } from './webhook-events.js';

const EVENTS = Object.keys(WEBHOOK_EVENTS) as [WebhookEventType, ...WebhookEventType[]];
const Event = z.enum(EVENTS).meta({
  description: Object.entries(WEBHOOK_EVENTS)
    .map(([event, meaning]) => `\`${event}\`: ${meaning}`)
    .join(' '),
});
const Url = z
  .string()
  .max(2048)
  .meta({
    description:
      'An https address of the public internet; the operator can allow plain HTTP and networks of the house.',
    examples: ['https://builds.example.org/normtrace'],
  });
const description = text({ max: 200 });

export const Webhook = z
  .object({
    id: Id,
    workspace_id: Id,
    url: z.string(),
    description: z.string(),
    events: z.array(Event),
    active: z.boolean(),
    disabled_reason: z.enum(['failing', 'gone']).nullable().meta({
      description:
        'Why the service switched it off: nothing arrived for five days, or the receiver answered 410. Null otherwise.',
    }),
    failing_since: Timestamp.nullable(),
    previous_secret_until: Timestamp.nullable().meta({
      description: 'Until then the secret before the last rotation signs as well.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'An endpoint that is told of events of a workspace.' });
export type Webhook = z.infer<typeof Webhook>;
export const WebhookList = listOf('WebhookList', Webhook);

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().nullable().meta({
    description: '`whsec_…`, shown this once; null when the answer is repeated for an `Idempotency-Key`.',
  }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const NewWebhook = z
  .strictObject({ url: Url, description: description.default(''), events: z.array(Event).min(1).max(20) })
  .meta({ id: 'NewWebhook' });
export const WebhookChange = withOneField(
  z.strictObject({
    url: Url.optional(),
    description: description.optional(),
    events: z.array(Event).min(1).max(20).optional(),
    active: z.boolean().optional(),
  }),
).meta({ id: 'WebhookChange' });

export const WorkspaceParams = z.strictObject({ id: Id });
export const WebhookParams = z.strictObject({ id: Id, webhook_id: Id });
export const DeliveryParams = z.strictObject({ id: Id, webhook_id: Id, delivery_id: Id });
export const WebhookQuery = PageQuery.extend({
  ...sortedBy('created_at', 'updated_at', 'url'),
  updated_since: UpdatedSince,
});

const DELIVERY_STATUS = ['queued', 'delivered', 'failed'] as const;
export const Delivery = z
  .object({
    id: Id.meta({ description: 'The `webhook-id` of every attempt.' }),
    webhook_id: Id,
    event: Event,
    status: z.enum(DELIVERY_STATUS).meta({
      description: '`failed`: no further attempt is made unless it is asked for.',
    }),
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
    response_status: z.int().nullable().meta({ description: 'Of the last attempt.' }),
    error: z
      .string()
      .nullable()
      .meta({
        description:
          'Of the last attempt: `status`, `redirect`, `timeout`, `dns`, `connect`, `tls`, `protocol`, `refused_address`, ' +
          '`refused_scheme`, `endpoint_disabled`, `internal`.',
      }),
    data: z.record(z.string(), z.unknown()),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type Delivery = z.infer<typeof Delivery>;
export const DeliveryList = listOf('WebhookDeliveryList', Delivery);

export const DeliveryWithAttempts = Delivery.extend({
  log: z.array(
    z.object({
      attempt: z.int(),
      response_status: z.int().nullable(),
      error: z.string().nullable(),
      milliseconds: z.int(),
      created_at: Timestamp,
    }),
  ),
}).meta({ id: 'WebhookDeliveryWithAttempts' });
export type DeliveryWithAttempts = z.infer<typeof DeliveryWithAttempts>;

export const DeliveryQuery = PageQuery.extend({
  ...sortedBy('created_at'),
  status: z.enum(DELIVERY_STATUS).optional(),
  event: z.enum(EVENTS).optional(),
});
