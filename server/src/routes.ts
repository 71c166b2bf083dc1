import { analysisRoutes } from './modules/analysis/analysis.routes.js';
import type { AnalysisView } from './modules/analysis/analysis-view.js';
import { gapAnalysisView } from './modules/analysis/gap-analysis.view.js';
import { archiveRoutes } from './modules/archives/archives.routes.js';
import { auditRoutes } from './modules/audit/audit.routes.js';
import { authRoutes } from './modules/auth/auth.routes.js';
import { handedLinkRoutes, recoveryRoutes } from './modules/auth/recovery.routes.js';
import { sessionRoutes } from './modules/auth/sessions.routes.js';
import { tokenRoutes } from './modules/auth/tokens.routes.js';
import { userRoutes } from './modules/auth/users.routes.js';
import { checklistView } from './modules/compliance/checklist-analysis.view.js';
import { completenessView } from './modules/compliance/completeness.view.js';
import { complianceRoutes } from './modules/compliance/compliance.routes.js';
import { healthRoutes } from './modules/health/health.routes.js';
import { paymentRoutes } from './modules/payments/payments.routes.js';
import { reportRoutes } from './modules/reports/reports.routes.js';
import { retentionRoutes } from './modules/retention/retention.routes.js';
import { standardRoutes } from './modules/standards/standards.routes.js';
import { traceabilityRoutes } from './modules/traceability/traceability.routes.js';
import { traceabilityView } from './modules/traceability/traceability.view.js';
import { webhookRoutes } from './modules/webhooks/webhooks.routes.js';
import { workProductRoutes } from './modules/work-products/work-products.routes.js';
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
  ...recoveryRoutes,
  ...sessionRoutes,
  ...ownInvitationRoutes,
  ...tokenRoutes,
  ...userRoutes,
  ...handedLinkRoutes,
  ...paymentRoutes,
  ...auditRoutes,
  ...workspaceRoutes,
  ...standardRoutes,
  ...workProductRoutes,
  ...analysisRoutes(analysisViews),
  ...complianceRoutes,
  ...traceabilityRoutes,
  ...reportRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...webhookRoutes,
  ...retentionRoutes,
  ...archiveRoutes,
  ...healthRoutes,
];
