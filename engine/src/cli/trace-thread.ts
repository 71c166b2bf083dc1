/** Worker thread: reads one file at a time and takes it apart for the trace. */
import { parentPort } from 'node:worker_threads';
import { createDocumentReader } from '../documents/document-reader.js';
import { packStatements } from '../facts/artifacts/packed-statements.js';
import { orNotAssessed } from './read-files.js';
import { type FileToTrace, type ThreadAnswer, traceFile } from './trace-file.js';

const port = parentPort!;
const reader = createDocumentReader();

port.on('message', async (file: FileToTrace) => {
  const read = await orNotAssessed(file, () => traceFile(file, reader));
  if ('reason' in read) {
    port.postMessage(read satisfies ThreadAnswer);
    return;
  }
  const { statements, ...rest } = read;
  const bytes = packStatements(statements);
  port.postMessage({ file: rest, statements: bytes } satisfies ThreadAnswer, [bytes.buffer]);
});
