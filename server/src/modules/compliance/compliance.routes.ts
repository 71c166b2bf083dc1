import type { Route } from '../../platform/http/route.js';
import { checklistAnalysisRoutes } from './checklist-analysis.routes.js';
import { checklistAnswerRoutes } from './checklist-answers.routes.js';
import { checklistRoutes } from './checklists.routes.js';
import { completenessRoutes } from './completeness.routes.js';
import { templateRoutes } from './templates.routes.js';

export const complianceRoutes: readonly Route[] = [
  ...completenessRoutes,
  ...templateRoutes,
  ...checklistAnalysisRoutes,
  ...checklistRoutes,
  ...checklistAnswerRoutes,
];
