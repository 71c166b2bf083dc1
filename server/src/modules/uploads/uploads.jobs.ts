import { z } from 'zod';
import type { JobDefinition } from '../../platform/queue/queue.js';

const ProcessDocument = z.strictObject({
  workspaceId: z.guid(),
  workProductId: z.guid(),
  version: z.string().regex(/^\d+$/),
});
const ProcessStandard = z.strictObject({ workspaceId: z.guid(), standardId: z.guid(), fileId: z.guid() });
const DiscardUpload = z.strictObject({ workspaceId: z.guid(), uploadId: z.guid() });
const DeleteObjects = z.strictObject({ workspaceId: z.guid(), prefix: z.string().regex(/^[a-z0-9./-]+\/$/) });

/** On a machine that is very busy a reading takes three minutes; the rest is fetching, packing and storing. */
const READING_SECONDS = 600;

/** Reads one version of a work product. */
export const processDocument: JobDefinition<z.output<typeof ProcessDocument>> = {
  name: 'documents.process',
  parse: (payload) => ProcessDocument.parse(payload),
  retryLimit: 4,
  expireInSeconds: READING_SECONDS,
};

/** Reads the criteria out of an uploaded standard. */
export const processStandard: JobDefinition<z.output<typeof ProcessStandard>> = {
  name: 'standards.process',
  parse: (payload) => ProcessStandard.parse(payload),
  retryLimit: 4,
  expireInSeconds: READING_SECONDS,
};

/** Deletes the objects of something that is gone. */
export const deleteObjects: JobDefinition<z.output<typeof DeleteObjects>> = {
  name: 'objects.delete',
  isUpkeep: true,
  parse: (payload) => DeleteObjects.parse(payload),
  retryLimit: 20,
  expireInSeconds: 600,
};

/** Deletes what was sent to an upload address, when the address is no longer valid. */
export const discardUpload: JobDefinition<z.output<typeof DiscardUpload>> = {
  name: 'uploads.discard',
  isUpkeep: true,
  parse: (payload) => DiscardUpload.parse(payload),
  retryLimit: 20,
  expireInSeconds: 60,
};
