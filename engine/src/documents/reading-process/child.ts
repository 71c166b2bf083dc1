/** Entry of the process that reads one document at a time; it is started by `document-reader.ts` only. */
import { serveReadings } from './serve-readings.js';

serveReadings();
