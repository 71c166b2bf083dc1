import { describedWebhooks } from '../modules/webhooks/webhook-events.js';
import { openApiDocument } from '../platform/http/openapi/document.js';
import { loadPermissionTable } from '../platform/identity/permissions.js';
import { productVersion } from '../platform/product-version.js';
import { routes } from '../routes.js';
import { describeProperties } from './property-descriptions.js';

const TAGS = {
  Auth: 'Profile, session and the identity provider inside the service.',
  Administration: 'Users of the installation, and the audit log.',
  Payments: 'Purchase of a plan, and the callbacks of the payment provider.',
  Me: 'What waits for the caller, and how they want things.',
  Workspaces: 'Containers of standards, work products and analyses, and who belongs to them.',
  Models: 'Which language model there is, and what a workspace lets be sent to it.',
  Webhooks: 'Where a workspace wants to be told of events, and how that went.',
  Standards: 'What is demanded: the catalog, adopted standards and own ones.',
  'Work products': 'The engineering documents that are analysed.',
  Search: 'Everything of a workspace by its words.',
  Analysis: 'Runs, their gaps and evidence.',
  Comments: 'What people say about gaps, criteria, artifacts, items of checklists and documents.',
  Compliance: 'Completeness of documents against templates, and the templates of a workspace.',
  Traceability: 'Artifacts and links of the documents, their gaps, matrix and coverage.',
  Reports: 'Results as documents to hand on, and exports of one analysis.',
  Export: 'The newest result of a type as a file, at once.',
  Uploads: 'Files sent to signed addresses.',
  Installation: 'What this installation is and takes.',
  Health: 'Probes for load balancers and orchestrators.',
} as const;

/** The description of all routes as text, as it is committed in `server/openapi.json` (`npm run generate`). */
export function describeApi(): string {
  const version = productVersion();
  const document = openApiDocument({
    routes,
    permissions: loadPermissionTable(),
    version,
    tags: TAGS,
    webhooks: describedWebhooks,
    describe: describeProperties,
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}
