import type { Route } from '../../platform/http/route.js';
import { analysesRoutes } from './analyses.routes.js';
import type { AnalysisView } from './analysis-view.js';
import { compareRoutes } from './compare-runs.routes.js';
import { eventRoutes } from './events.routes.js';
import { gapAnalysisRoutes } from './gap-analysis.routes.js';
import { gapCommentRoutes } from './gap-comments.routes.js';
import { gapHistoryRoutes } from './gap-history.routes.js';
import { gapRoutes } from './gaps.routes.js';
import { viewRoutes } from './views.routes.js';

/** `views`: what each type of analysis shows of its result. */
export const analysisRoutes = (views: readonly AnalysisView[]): readonly Route[] => [
  ...viewRoutes,
  ...gapAnalysisRoutes,
  ...analysesRoutes(views),
  ...gapRoutes,
  ...gapCommentRoutes,
  ...gapHistoryRoutes,
  ...compareRoutes,
  ...eventRoutes,
];
