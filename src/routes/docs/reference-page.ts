import type { Reply, Route } from '../../http/route.ts'
import { VERSION } from '../../version.ts'
import { endpoint } from './endpoint.ts'
import { html, prose } from './html.ts'
import { pageReply } from './page.ts'

const introduction = html`<h1>Pixelmill API</h1>
<p class="lead">Send an image, get an image. Version ${VERSION}.</p>
<section id="authentication"><h2>Authentication</h2>
<p>${prose('Programs send an API key, `sk_` and 48 letters and digits, with every call:')}</p>
<pre tabindex="0" aria-label="Authorization header"><code>Authorization: Bearer sk_…</code></pre>
<p>${prose('People send the login token, `at_…`, that sign-up and sign-in answer, in the same header; browsers have it in a cookie. It is for the account, its keys and its credits; images may be sent with it too, as the playground does.')}</p>
<p>${prose('The examples take the address of the server from `$URL`, the key from `$KEY` and the login token from `$TOKEN`.')}</p></section>
<section id="conventions"><h2>Conventions</h2>
<p>${prose('Images are sent as `multipart/form-data`; the order of fields does not matter, blank ones count as absent. Files may have 15 MB and 80 megapixels. What a file is, its first bytes decide. Everything else is JSON. Unknown fields are ignored.')}</p>
<p>${prose('Only successful calls count. `X-RateLimit-Remaining` says how many are left this month; a key may start 30 calls in any minute, and a 429 or 503 says in `Retry-After` when to come back.')}</p>
<p>Every answer has <code>X-Request-Id</code>; name it when you ask for help. <a href="/docs/errors">Errors</a> are JSON and listed on their own page.</p></section>`

/** The reference of all endpoints, from the same rows as the OpenAPI document. */
export function referencePage(routes: readonly Route[]): Reply {
  const byTag = Map.groupBy(routes, ({ tag }) => tag)
  return pageReply({
    title: 'Reference · Pixelmill',
    sections: [
      {
        heading: 'Start',
        links: [
          { href: '#authentication', text: 'Authentication' },
          { href: '#conventions', text: 'Conventions' },
          { href: '/docs/errors', text: 'Errors' },
          { href: '/openapi.json', text: 'OpenAPI document' },
        ],
      },
      ...[...byTag].map(([heading, rows]) => ({ heading, links: rows.map(({ name }) => ({ href: `#${name}`, text: name })) })),
    ],
    body: html`${introduction}${routes.map(endpoint)}`,
  })
}
