// Builds on every change and starts the service anew. Output of the compiler and of the service on one terminal.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = spawn(`${root}node_modules/.bin/tsc`, ['-b', '--watch', '--preserveWatchOutput'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  // In a group of its own: the compiler is a process behind this one, and has to end with it.
  detached: true,
});
let service;
let wanted = Promise.resolve();

/** The next service starts when the one before has given the data directory back. */
const restart = () => {
  wanted = wanted.then(stopService).then(() => {
    service = spawn(process.execPath, [`${root}server/dist/start/all.js`], { stdio: 'inherit' });
  });
};
const stopService = () =>
  new Promise((resolve) => {
    if (!service || service.exitCode !== null || service.signalCode !== null) return resolve();
    service.once('exit', resolve);
    service.kill('SIGTERM');
  });

createInterface({ input: compiler.stdout }).on('line', (line) => {
  console.log(line);
  const errors = /Found (\d+) errors?\. Watching/.exec(line)?.[1];
  if (errors === '0') restart();
});
let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  if (compiler.exitCode === null) process.kill(-compiler.pid);
  wanted.then(stopService).then(() => process.exit(0));
};
process.on('SIGINT', end).on('SIGTERM', end);
compiler.on('exit', end);
