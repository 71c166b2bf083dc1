import { workspaceRoutes } from './modules/workspaces/workspaces.routes.js';
import type { Route } from './platform/http/route.js';

/** Every operation of the API, in the order of the API description. */
export const routes: readonly Route[] = [...workspaceRoutes];
