/** A reading process for tests: says how long a document is, or does something that nobody wants. */
import { serveReadings } from '../reading-process/serve-readings.js';

serveReadings(async ({ text }, request) => {
  const { doing } = request as { readonly doing: 'count' | 'throw' | 'hang' };
  if (doing === 'throw') throw new TypeError('Nobody expected this.');
  while (doing === 'hang');
  return { head: { letters: text.length }, body: Buffer.from(text.toUpperCase()) };
});
