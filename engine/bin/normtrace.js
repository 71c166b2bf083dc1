#!/usr/bin/env node
// Stands outside dist, because npm links a command only when its file is there before the build.
const { programOf } = await import('../dist/scheduling/program.js');
await import(programOf('cli/main').href);
