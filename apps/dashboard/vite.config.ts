import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

/** The first picture is drawn by the script: until it has run nothing is shown, so that no theme flashes up before the chosen one. */
const blockRendering: Plugin = {
  name: 'block-rendering',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

// The framework's tools want the default export here.
// biome-ignore lint/style/noDefaultExport: vite reads it
export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } }), blockRendering],
  // All browsers of the last two years, and what the policy of the pages allows: nothing in data: URLs.
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The second is a script alone: it stands in the documentation, which the server writes.
    rolldownOptions: { input: { index: 'index.html', reference: 'src/reference/main.ts' } },
  },
  // Compiled kernels are awaited at the top of a module.
  worker: { format: 'es' },
  // Work on the pages needs `npm start` beside `npm run dev -w apps/dashboard`.
  server: { proxy: { '^/(api|v1|docs|openapi.json|healthz|readyz)': { target: 'http://127.0.0.1:3000', changeOrigin: false } } },
})
