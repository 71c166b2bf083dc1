import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { screenFiles } from './scripts/screen-files.mjs';

// The policy of the pages allows files of our own host only: nothing is inlined as `data:`, nothing is fetched elsewhere.
export default defineConfig({
  plugins: [screenFiles(fileURLToPath(new URL('src/screens', import.meta.url)))],
  build: {
    assetsInlineLimit: 0,
    // What is built in, with its terms: it is delivered with the files.
    license: { fileName: 'licences.md' },
    modulePreload: { polyfill: false },
    // 15 KB for all screens: one request instead of eight for each.
    cssCodeSplit: false,
    // Fonts of other scripts are named in style sheets and fetched when a letter needs them.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'shared', minShareCount: 6 }] },
      },
      // "use client" means something to servers that render React; there is none here.
      onLog: (level, log, tell) => log.code === 'MODULE_LEVEL_DIRECTIVE' || tell(level, log),
    },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/uploads', '/health', '/docs', '/redoc', '/openapi.json'].map((path) => [
        path,
        process.env.BASE_URL ?? 'http://127.0.0.1:8000',
      ]),
    ),
  },
});
