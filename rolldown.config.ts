import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';
import { thirdParty } from './.ci/third-party.ts';

/*
 * Builds what `node` runs without its packages: dist/main.js (the program peyk), and its stand-ins
 * dist/sandbox.js and dist/telegram.js; dist/file-worker.js is a thread of dist/main.js.
 * dist/THIRD-PARTY.md names what of others is in them.
 * Files found at run time lie as they do from src: drizzle/ beside dist/, the pages beside the code that serves them.
 */
const notices = thirdParty('dist/THIRD-PARTY.md');

export default defineConfig([
  { ...bundle('src/main.ts', 'dist/main.js'), plugins: [withoutWhatwgUrl(), withPages(), notices] },
  bundle('src/app/file-worker.ts', 'dist/file-worker.js'),
  bundle('src/sandbox/main.ts', 'dist/sandbox.js'),
  bundle('src/playground/main.ts', 'dist/telegram.js'),
]);

function bundle(input: string, file: string) {
  return {
    input,
    platform: 'node' as const,
    // A compiled program that draws pictures: no bundle can hold it.
    external: ['@resvg/resvg-js'],
    plugins: [notices],
    output: {
      file,
      format: 'esm' as const,
      codeSplitting: false,
      // grammY tells its errors apart by the names of their classes.
      keepNames: true,
    },
  };
}

/**
 * grammY brings node-fetch, which brings a URL parser for a Node without one; that parser warns of a
 * deprecated module as soon as it is loaded. The runtime's own URL is what node-fetch uses.
 */
function withoutWhatwgUrl(): Plugin {
  const empty = '\0empty';
  return {
    name: 'without-whatwg-url',
    resolveId: (id) => (id === 'whatwg-url' ? empty : null),
    load: (id) => (id === empty ? 'export {};' : null),
  };
}

/** Pages are served from files, each from a folder of its own name beside the running code. */
function withPages(): Plugin {
  return {
    name: 'with-pages',
    writeBundle() {
      for (const folder of ['playground/page', 'sandbox/phone', 'pages/common'])
        cpSync(`src/${folder}`, `dist/${basename(folder)}`, { recursive: true });
    },
  };
}
