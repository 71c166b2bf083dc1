import type { Route } from '../../platform/http/route.js';
import { completenessRoutes } from './completeness.routes.js';
import { templateRoutes } from './templates.routes.js';

export const complianceRoutes: readonly Route[] = [...completenessRoutes, ...templateRoutes];
