import type { Route } from '../../http/route.ts'
import { VERSION } from '../../version.ts'
import { endpoint } from './endpoint.ts'
import { endpointName } from './endpoint-name.ts'
import { type Html, html, prose } from './html.ts'
import { documentOf } from './page.ts'

const introduction = html`<h1 tabindex="-1">Reference</h1>
<p class="lead">Send an image, get an image. Version ${VERSION}.</p>
<div class="basics">
<section id="authentication" aria-labelledby="authentication-title"><h2 id="authentication-title">Authentication</h2>
<p>${prose('Programs send an API key, `sk_` and 48 letters and digits, with every call:')}</p>
<pre tabindex="0" role="region" aria-label="Authorization header"><code>Authorization: Bearer sk_…</code></pre>
<p>${prose('People send the login token, `at_…`, that sign-up and sign-in answer, in the same header; browsers have it in a cookie. It is for the account, its keys and its credits; images may be sent with it too, as the playground does.')}</p>
<p>${prose('The lines take the key from `PIXELMILL_KEY` and the login token from `PIXELMILL_TOKEN`')}<span class="without-script">${prose(', and the address of the server from `PIXELMILL_URL`')}</span>.</p></section>
<section id="conventions" aria-labelledby="conventions-title"><h2 id="conventions-title">Conventions</h2>
<p>${prose('Images are sent as `multipart/form-data`; the order of fields does not matter, blank ones count as absent. Files may have 15 MB and 80 megapixels. What a file is, its first bytes decide. Everything else is JSON. Unknown fields are ignored.')}</p>
<p>${prose('Only successful calls count. `X-RateLimit-Remaining` says how many are left this month; a key may start 30 calls in any minute, and a 429 or 503 says in `Retry-After` when to come back.')}</p>
<p>${prose('Every answer has `X-Request-Id`; name it when you ask for help.')} <a href="/docs/errors">Errors</a> are JSON and listed on their own page.</p></section>
</div>`

/** The reference of all endpoints, from the same rows as the OpenAPI document. */
export function referencePage(routes: readonly Route[], script: string | undefined): Html {
  const byTag = [...Map.groupBy(routes, ({ tag }) => tag)]
  return documentOf({
    title: 'Reference',
    path: '/docs',
    script,
    groups: [
      {
        heading: 'Start',
        links: [
          { href: '#authentication', text: 'Authentication' },
          { href: '#conventions', text: 'Conventions' },
        ],
      },
      ...byTag.map(([heading, rows]) => ({
        heading,
        links: rows.map(({ name, method }) => ({ href: `#${name}`, text: endpointName(name), tag: method })),
      })),
    ],
    counted: 'endpoints',
    body: html`${introduction}<div class="found">${byTag.flatMap(([, rows]) => rows.map(endpoint))}</div>`,
  })
}
