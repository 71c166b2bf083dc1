import { z } from 'zod';
import { Id, Timestamp, wholeNumber } from '../../platform/http/schemas.js';

/** What a client announces before it sends a file. As form fields or as JSON. */
export const UploadInit = z.strictObject({
  filename: z
    .string()
    .min(1)
    .max(1000)
    .meta({
      description: 'Name of the file. Path parts and control characters are dropped.',
      examples: ['Functional Safety Concept.docx'],
    }),
  size: wholeNumber({ min: 1 }).meta({ description: 'Bytes; at most MAX_UPLOAD_BYTES.' }),
  content_type: z
    .string()
    .min(3)
    .max(200)
    .meta({ examples: ['application/pdf'] }),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'Write 64 hexadecimal digits.')
    .optional()
    .meta({ description: 'Checked when the upload is completed.' }),
});
export type UploadInit = z.output<typeof UploadInit>;

export const UploadSession = z
  .object({
    upload_id: Id,
    upload_url: z.url().meta({ description: 'Send the file here with PUT; valid until `expires_at`.' }),
    headers: z.record(z.string(), z.string()).meta({ description: 'Send these headers with the file.' }),
    expires_at: Timestamp,
  })
  .meta({ id: 'UploadSession' });

export const uploadExample = {
  upload_id: '5a0f7c7e-0a3e-4d7e-9a0b-0d6a6a3b9c11',
  upload_url:
    'https://normtrace.example.org/uploads/0f8e1c9a/uploads/5a0f7c7e?expires=1790000000&signature=4f1c9e',
  headers: { 'Content-Type': 'application/pdf' },
  expires_at: '2026-01-31T09:45:00.000Z',
};
