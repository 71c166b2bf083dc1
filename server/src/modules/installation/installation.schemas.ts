import { z } from 'zod';
import { LANGUAGES } from '../../platform/http/language.js';
import { Timestamp } from '../../platform/http/schemas.js';
import { ROLES } from '../../platform/identity/permissions.js';
import { PLANS } from '../payments/plans.js';

export const Installation = z
  .object({
    name: z.string(),
    version: z.string(),
    languages: z.array(z.enum(LANGUAGES)),
    identity: z.object({
      kind: z.enum(['embedded', 'external']).meta({
        description: 'Whether people sign in at the service itself or at an issuer outside.',
      }),
      issuer: z.string().nullable().meta({ description: 'Null where people sign in here, or none is set.' }),
      sign_in: z
        .object({
          address: z
            .string()
            .meta({ description: 'Where a browser goes; `return_to` is where it comes back to.' }),
          label: z.string().meta({ description: 'What the issuer is called.' }),
          sign_out: z.string().nullable().meta({
            description:
              'Where a browser goes after `POST /auth/sign-out`, to end the session at the issuer as well; null: nowhere.',
          }),
        })
        .nullable()
        .meta({
          description: 'How people sign in at the issuer from a page of ours; null where they do not.',
        }),
      sign_up: z.enum(['open', 'invited', 'closed']).nullable().meta({
        description: 'Who can make an account here; `open` while there is none. Null with an issuer outside.',
      }),
      has_accounts: z.boolean().meta({
        description: 'False: whoever signs up first administers the installation.',
      }),
      mails: z
        .boolean()
        .meta({ description: 'Links are mailed; otherwise an administrator hands them out.' }),
    }),
    billing: z.boolean().meta({ description: 'An active subscription is needed.' }),
    plans: z.array(
      z.object({
        id: z.enum(PLANS),
        workspaces: z.int().nullable().meta({ description: 'That a person may own; null: any number.' }),
        analyses_a_month: z
          .int()
          .nullable()
          .meta({ description: 'That a person may start; null: any number.' }),
        price_label: z.string().nullable().meta({
          description:
            'What it costs, in the words of who operates the installation. Null: not said here, and for the free plan.',
        }),
      }),
    ),
    uploads: z.object({
      max_bytes: z.int(),
      origin: z.string().meta({ description: 'Where files are sent to: a scheme, host and port.' }),
      formats: z.array(
        z.object({
          format: z.string(),
          label: z
            .object({ en: z.string(), de: z.string() })
            .meta({ description: 'What people call it, in both languages.' }),
          endings: z.array(z.string()).meta({ description: 'Of file names, without the dot.' }),
          media_types: z.array(z.string()).meta({ description: 'The first is the usual one.' }),
        }),
      ),
    }),
    features: z.object({
      ai: z.boolean().meta({
        description: 'A language model is configured; what it is sent, each workspace decides.',
      }),
      embeddings: z.boolean().meta({ description: 'Passages are found by meaning, too.' }),
      demo_workspace: z.boolean().meta({
        description:
          'A workspace can be tried with sample documents: `/samples/index.json` is the list of their names, beside which they lie.',
      }),
    }),
  })
  .meta({ id: 'Installation', description: 'What this installation is, for who is not signed in yet.' });
export type Installation = z.infer<typeof Installation>;

const Holdings = z.record(z.string(), z.string()).meta({
  description:
    'By the id of the permission, as the descriptions of operations name it: `allowed`; `own`: for own things only; ' +
    '`denied`; else the name of the condition under which it is held.',
});
export const OwnPermissions = z
  .object({ role: z.enum(ROLES), permissions: Holdings })
  .meta({ id: 'OwnPermissions', description: 'What the caller may do in the installation.' });
export const OwnWorkspacePermissions = z
  .object({
    role: z.enum(ROLES).meta({ description: 'That of the membership.' }),
    is_owner: z.boolean(),
    permissions: Holdings,
  })
  .meta({ id: 'OwnWorkspacePermissions', description: 'What the caller may do in a workspace.' });

export const InstallationState = z
  .object({
    version: z.string().meta({ description: 'Of the service.' }),
    node_version: z.string().meta({ description: 'Of Node.js, in the process that answers.' }),
    started_at: Timestamp.meta({ description: 'When that process was started.' }),
    users: z
      .object({
        total: z.int().meta({ description: 'Accounts, guests included.' }),
        active: z.int().meta({ description: 'Those that may sign in.' }),
      })
      .meta({ description: 'How many accounts there are.' }),
    database: z.object({
      version: z.string().meta({ description: 'Of PostgreSQL.' }),
      bytes: z.int().meta({ description: 'Size of the database.' }),
    }),
    storage: z.object({
      kind: z.enum(['disk', 's3']).meta({ description: 'Where documents and reports lie.' }),
      free_bytes: z.int().nullable().meta({
        description:
          'What may still be written to the disk of the data; null where none of it lies on a disk of this process.',
      }),
    }),
    jobs: z
      .array(
        z.object({
          job: z.string().meta({ description: 'Kind of job.' }),
          waiting: z.int().meta({ description: 'Due, and not taken by a worker yet.' }),
          running: z.int().meta({ description: 'Being done.' }),
          later: z.int().meta({ description: 'Not due yet.' }),
          failed: z.int().meta({ description: 'Given up, as long as the queue keeps them.' }),
          oldest_seconds: z.int().meta({ description: 'How long the oldest has waited.' }),
        }),
      )
      .meta({ description: 'Kinds of jobs of which there are any.' }),
  })
  .meta({ id: 'InstallationState', description: 'How the installation is, for those who operate it.' });
