import { z } from 'zod';
import { Id, listOf, PageQuery, sortedBy, Timestamp, text } from '../../platform/http/schemas.js';
import { UploadInit, UploadSession } from '../uploads/uploads.schemas.js';

export const WorkspaceExport = z
  .object({
    id: Id,
    workspace_id: Id,
    status: z
      .enum(['queued', 'running', 'completed', 'failed', 'expired'])
      .meta({ description: '`expired`: the archive was deleted after a week.' }),
    percent: z.int().min(0).max(100),
    error: z.string().nullable(),
    sha256: z.string().nullable(),
    file_size: z.int().nullable(),
    left_out: z.array(z.string()).meta({ description: 'What is not in it, and why.' }),
    created_by: Id,
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable(),
  })
  .meta({ id: 'WorkspaceExport', description: 'Everything that a workspace holds, as one ZIP file.' });
export type WorkspaceExport = z.output<typeof WorkspaceExport>;
export const WorkspaceExportList = listOf('WorkspaceExportList', WorkspaceExport);

export const WorkspaceParams = z.strictObject({ id: Id });
export const ExportParams = z.strictObject({ id: Id, export_id: Id });
export const ExportQuery = PageQuery.extend(sortedBy('created_at', 'expires_at'));

export const NewImport = UploadInit.pick({ size: true, sha256: true })
  .extend({
    name: text({ min: 1, max: 200 }).optional().meta({ description: 'Default: that of the archive.' }),
  })
  .meta({ id: 'NewWorkspaceImport' });
export const ImportParams = z.strictObject({ import_id: Id });

export const WorkspaceImport = z
  .object({
    id: Id,
    status: z.enum(['pending_upload', 'queued', 'running', 'completed', 'failed']),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the archive was not taken; nothing of it is left.' }),
    workspace_id: Id.nullable().meta({ description: 'Once it is completed.' }),
    invited: z.array(z.string()).meta({
      description:
        'Email addresses of the members that it had. Each has an invitation to be sent; whether there is an account here ' +
        'is not told.',
    }),
    remaining: z
      .object({
        analyses: z.int().meta({ description: 'Analyses that have not ended, or wait for their standard.' }),
        gap_decisions: z.int().meta({ description: 'Decisions whose gap no analysis here has found.' }),
        checklist_answers: z.int().meta({ description: 'Answers whose item no analysis here has judged.' }),
      })
      .meta({
        description:
          'What people had decided or asked and what waits: analyses until their standard can be read, decisions and ' +
          'answers until an analysis here finds the same again.',
      }),
    problems: z.array(z.string()).meta({ description: 'Analyses that could not be started again, and why.' }),
    created_at: Timestamp,
    finished_at: Timestamp.nullable(),
  })
  .meta({ id: 'WorkspaceImport' });
export type WorkspaceImport = z.output<typeof WorkspaceImport>;

export const ImportSession = UploadSession.extend({ import_id: Id }).meta({ id: 'WorkspaceImportSession' });
