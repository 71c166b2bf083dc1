import type { Route } from '../../platform/http/route.js';
import { artifactRoutes } from './artifacts.routes.js';
import { bulkRoutes } from './bulk.routes.js';
import { extractionRoutes } from './extraction.routes.js';
import { linkRoutes } from './links.routes.js';
import { traceAnalysisRoutes } from './trace-analysis.routes.js';
import { traceLevelRoutes } from './trace-levels.routes.js';
import { traceMapRoutes } from './trace-map.routes.js';
import { traceMatrixRoutes } from './trace-matrix.routes.js';
import { traceViewRoutes } from './trace-views.routes.js';

export const traceabilityRoutes: readonly Route[] = [
  ...traceMatrixRoutes,
  ...traceViewRoutes,
  ...traceLevelRoutes,
  ...traceMapRoutes,
  ...extractionRoutes,
  ...traceAnalysisRoutes,
  ...artifactRoutes,
  ...linkRoutes,
  ...bulkRoutes,
];
