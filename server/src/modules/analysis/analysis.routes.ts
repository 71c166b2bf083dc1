import type { Route } from '../../platform/http/route.js';
import { analysesRoutes } from './analyses.routes.js';
import { eventRoutes } from './events.routes.js';
import { gapRoutes } from './gaps.routes.js';
import { viewRoutes } from './views.routes.js';

export const analysisRoutes: readonly Route[] = [
  ...viewRoutes,
  ...analysesRoutes,
  ...gapRoutes,
  ...eventRoutes,
];
