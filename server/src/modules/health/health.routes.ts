import { type Context, openRoute, type Route } from '../../platform/http/route.js';
import { Alive, Health } from './health.schemas.js';
import { checkHealth } from './health.service.js';

const common = {
  tag: 'Health',
  method: 'GET',
  because: 'Load balancers and orchestrators have no token.',
  probe: true,
  alsoAtRoot: true,
} as const;

const example = {
  status: 'ok',
  version: '0.1.0',
  checks: { database: 'ok', storage: 'ok', queue: 'ok', disk: 'ok' },
};

const answerHealth = async ({ dependencies, reply, log }: Context): Promise<Health> => {
  const health = await checkHealth({ ...dependencies, log });
  reply.header('cache-control', 'no-store');
  if (health.status === 'down') reply.code(503);
  return health;
};

const getHealth = openRoute({
  ...common,
  operation: 'getHealth',
  path: '/health',
  summary: 'Health',
  description: 'Whether the service and what it needs are there. 503 with the same body when it is down.',
  answer: Health,
  otherAnswers: { 503: Health },
  examples: { answer: example },
  handle: answerHealth,
});

const getLive = openRoute({
  ...common,
  operation: 'getLiveness',
  path: '/health/live',
  summary: 'Liveness',
  description:
    'The process answers. Asks nothing else, so that a lost database does not restart the service.',
  answer: Alive,
  examples: { answer: { status: 'ok' } },
  handle: async () => ({ status: 'ok' }),
});

const getReady = openRoute({
  ...common,
  operation: 'getReadiness',
  path: '/health/ready',
  summary: 'Readiness',
  description:
    'Requests can be sent here: database and storage answer, and there is room to write. 503 otherwise.',
  answer: Health,
  otherAnswers: { 503: Health },
  examples: { answer: example },
  handle: answerHealth,
});

export const healthRoutes: readonly Route[] = [getHealth, getLive, getReady];
