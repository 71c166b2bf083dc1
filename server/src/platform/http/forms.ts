import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, invalid } from './api-error.js';

const MAX_FIELDS = 20;
const MAX_FIELD_BYTES = 8 * 1024;

/**
 * Lets the routes that consume forms take their fields as a body of texts. Files are not among them: those go to
 * signed addresses.
 */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: true,
    limits: { fields: MAX_FIELDS, parts: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, files: 1, fileSize: 1 },
  });
  app.addHook('preValidation', async (request) => {
    if (!request.isMultipart()) return;
    const { route } = request.routeOptions.config;
    if (route?.consumes !== 'multipart/form-data') {
      throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'This operation takes no form.');
    }
    request.body = await fieldsOf(request);
  });
}

async function fieldsOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const fields: [string, unknown][] = [];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        part.file.resume();
        throw invalid(`body.${part.fieldname}`, 'Send the file to the upload address, not here.', 'file');
      }
      if (part.valueTruncated || part.fieldnameTruncated) {
        throw invalid('body', `A field may have at most ${MAX_FIELD_BYTES} bytes.`, 'too_big');
      }
      fields.push([part.fieldname, part.value]);
    }
  } catch (error) {
    if (error instanceof ApiError || (error as { statusCode?: number }).statusCode !== undefined) throw error;
    throw new ApiError('BAD_REQUEST', 'The form cannot be read.');
  }
  return Object.fromEntries(fields);
}
