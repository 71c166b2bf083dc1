#!/usr/bin/env node
// Stands outside dist, because npm links a command only when its file is there before the build.
import '../dist/cli/main.js';
