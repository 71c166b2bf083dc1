import type { Bench } from '../measure.js';
import { analysis } from './analysis.js';
import { api } from './api.js';
import { embeddings } from './embeddings.js';
import { growth } from './growth.js';
import { hour } from './hour.js';
import { pdf } from './pdf.js';
import { queue } from './queue.js';
import { retrieval } from './retrieval.js';
import { serviceQueue } from './service-queue.js';
import { serviceTrace } from './service-trace.js';
import { traceCommand } from './trace-command.js';
import { traceability } from './traceability.js';
import { upload } from './upload.js';

/** Every bench, in the order in which they run. */
export const BENCHES: readonly Bench[] = [
  pdf,
  retrieval,
  analysis,
  embeddings,
  traceability,
  traceCommand,
  serviceTrace,
  queue,
  serviceQueue,
  api,
  upload,
  growth,
  hour,
];
