import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const OfReport = z.strictObject({ workspaceId: z.guid(), reportId: z.guid() });
export type OfReport = z.output<typeof OfReport>;

/** Renders a report. */
export const renderReportJob: JobDefinition<OfReport> = {
  name: 'reports.render',
  parse: (payload) => OfReport.parse(payload),
  retryLimit: 3,
  // Thousands of pages take minutes on a busy machine.
  expireInSeconds: 1800,
};

/** Renders a report again without words that have to be forgotten, and deletes the file that has them. */
export const withdrawReportJob: JobDefinition<OfReport> = {
  name: 'reports.withdraw',
  parse: (payload) => OfReport.parse(payload),
  retryLimit: 20,
  expireInSeconds: 1800,
};
