import type { NotFoundPage } from '../../http/request-state.ts'
import { html } from '../docs/html.ts'
import { MARK, STYLE_HASH, style } from '../docs/style.ts'

/** In the look of the documentation: it needs no script, and stands where the dashboard was not built. */
const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page · Pixelmill</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(MARK).toString('base64')}">
<style>${{ html: style }}</style>
</head>
<body>
<main class="lost">
<a class="brand" href="/"><span class="mark" aria-hidden="true">${{ html: MARK }}</span>Pixelmill</a>
<h1>No such page</h1>
<p class="soft">There is nothing at this address. It may be mistyped, or the page may have moved.</p>
<p class="row"><a class="button primary" href="/">To the dashboard</a><a class="button" href="/docs">To the reference</a></p>
</main>
</body>
</html>
`

/** What a browser is shown, with status 404, at an address that does not exist. */
export const notFoundPage: NotFoundPage = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
  },
  body: page.html,
}
