/** A reading process for tests: says how long a document is or what memory (MiB) it took to read it, or does something that nobody wants. */
import { serveReadings } from '../reading-process/serve-readings.js';

serveReadings(async ({ text }, request) => {
  const { doing } = request as { readonly doing: 'count' | 'throw' | 'hang' | 'weigh' };
  if (doing === 'throw') throw new TypeError('Nobody expected this.');
  while (doing === 'hang');
  if (doing === 'weigh') {
    const { rss, heapUsed } = process.memoryUsage();
    return { head: { resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }, body: new Uint8Array() };
  }
  return { head: { letters: text.length }, body: Buffer.from(text.toUpperCase()) };
});
