import { activityRoutes } from './modules/activity/activity.routes.js';
import { auditRoutes } from './modules/audit/audit.routes.js';
import { authRoutes } from './modules/auth/auth.routes.js';
import { handedLinkRoutes, recoveryRoutes } from './modules/auth/recovery.routes.js';
import { sessionRoutes } from './modules/auth/sessions.routes.js';
import { tokenRoutes } from './modules/auth/tokens.routes.js';
import { userRoutes } from './modules/auth/users.routes.js';
import { batchRoutes } from './modules/batches/batches.routes.js';
import { checklistAnalysisRoutes } from './modules/checklists/checklist-analysis.routes.js';
import { checklistView } from './modules/checklists/checklist-analysis.view.js';
import { checklistAnswerRoutes } from './modules/checklists/checklist-answers.routes.js';
import { checklistRoutes } from './modules/checklists/checklists.routes.js';
import { commentRoutes } from './modules/comments/comments.routes.js';
import { gapCommentRoutes } from './modules/comments/gap-comments.routes.js';
import { completenessRoutes } from './modules/completeness/completeness.routes.js';
import { completenessView } from './modules/completeness/completeness.view.js';
import { documentViewRoutes } from './modules/document-view/document-view.routes.js';
import { estimateRoutes } from './modules/estimates/estimates.routes.js';
import { conditionRoutes } from './modules/gap-analysis/conditions.routes.js';
import { criterionAnswerRoutes } from './modules/gap-analysis/criterion-answers.routes.js';
import { gapAnalysisRoutes } from './modules/gap-analysis/gap-analysis.routes.js';
import { gapAnalysisView } from './modules/gap-analysis/gap-analysis.view.js';
import { opinionRoutes } from './modules/gap-analysis/opinions.routes.js';
import { gapHistoryRoutes } from './modules/gaps/gap-history.routes.js';
import { gapListRoutes } from './modules/gaps/gap-lists.routes.js';
import { gapRoutes } from './modules/gaps/gaps.routes.js';
import { manyGapsRoutes } from './modules/gaps/many-gaps.routes.js';
import { healthRoutes } from './modules/health/health.routes.js';
import { installationRoutes } from './modules/installation/installation.routes.js';
import { modelRoutes } from './modules/models/models.routes.js';
import { myWorkRoutes } from './modules/my-work/my-work.routes.js';
import { overviewRoutes } from './modules/overview/overview.routes.js';
import { trendRoutes } from './modules/overview/trend.routes.js';
import { paymentRoutes } from './modules/payments/payments.routes.js';
import { preferenceRoutes } from './modules/preferences/preferences.routes.js';
import { firstPageRoutes } from './modules/reports/first-page.routes.js';
import { reportRoutes } from './modules/reports/reports.routes.js';
import { retentionRoutes } from './modules/retention/retention.routes.js';
import { analysesRoutes } from './modules/runs/analyses.routes.js';
import type { AnalysisView } from './modules/runs/analysis-view.js';
import { compareRoutes } from './modules/runs/compare-runs.routes.js';
import { eventRoutes } from './modules/runs/events.routes.js';
import { searchRoutes } from './modules/search/search.routes.js';
import { standardRoutes } from './modules/standards/standards.routes.js';
import { templateRoutes } from './modules/templates/templates.routes.js';
import { traceabilityRoutes } from './modules/traceability/traceability.routes.js';
import { traceabilityView } from './modules/traceability/traceability.view.js';
import { viewRoutes } from './modules/views/views.routes.js';
import { webhookRoutes } from './modules/webhooks/webhooks.routes.js';
import { workProductRoutes } from './modules/work-products/work-products.routes.js';
import { archiveRoutes } from './modules/workspace-archives/archives.routes.js';
import { guestAccessRoutes, guestRoutes } from './modules/workspaces/guests.routes.js';
import { invitationRoutes } from './modules/workspaces/invitations.routes.js';
import { memberRoutes } from './modules/workspaces/members.routes.js';
import { ownInvitationRoutes } from './modules/workspaces/own-invitations.routes.js';
import { workspaceRoutes } from './modules/workspaces/workspaces.routes.js';
import type { Route } from './platform/http/route.js';

/** What `GET /analysis/analyses/{id}` shows, by type. */
const analysisViews: readonly AnalysisView[] = [
  gapAnalysisView,
  completenessView,
  checklistView,
  traceabilityView,
];

/** Every operation of the API, in the order of the API description. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...preferenceRoutes,
  ...recoveryRoutes,
  ...sessionRoutes,
  ...ownInvitationRoutes,
  ...guestAccessRoutes,
  ...tokenRoutes,
  ...userRoutes,
  ...handedLinkRoutes,
  ...paymentRoutes,
  ...auditRoutes,
  ...myWorkRoutes,
  ...workspaceRoutes,
  ...activityRoutes,
  ...viewRoutes,
  ...standardRoutes,
  ...workProductRoutes,
  ...documentViewRoutes,
  ...searchRoutes,
  ...overviewRoutes,
  ...trendRoutes,
  ...gapAnalysisRoutes,
  ...conditionRoutes,
  ...batchRoutes,
  ...estimateRoutes,
  ...analysesRoutes(analysisViews),
  ...gapRoutes,
  ...gapListRoutes,
  ...manyGapsRoutes,
  ...gapCommentRoutes,
  ...commentRoutes,
  ...gapHistoryRoutes,
  ...compareRoutes,
  ...eventRoutes,
  ...completenessRoutes,
  ...templateRoutes,
  ...checklistAnalysisRoutes,
  ...checklistRoutes,
  ...checklistAnswerRoutes,
  ...traceabilityRoutes,
  ...reportRoutes,
  ...firstPageRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...guestRoutes,
  ...modelRoutes,
  ...opinionRoutes,
  ...criterionAnswerRoutes,
  ...webhookRoutes,
  ...retentionRoutes,
  ...archiveRoutes,
  ...installationRoutes,
  ...healthRoutes,
];
