import type { Route } from '../../platform/http/route.js';
import { artifactRoutes } from './artifacts.routes.js';
import { linkRoutes } from './links.routes.js';
import { traceAnalysisRoutes } from './trace-analysis.routes.js';
import { traceViewRoutes } from './trace-views.routes.js';

export const traceabilityRoutes: readonly Route[] = [
  ...traceViewRoutes,
  ...traceAnalysisRoutes,
  ...artifactRoutes,
  ...linkRoutes,
];
