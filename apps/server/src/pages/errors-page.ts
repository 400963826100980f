import { BATCH_ERROR_CODES } from '../contract/batch-status.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import { errorExample, errorsOf } from '../http/openapi-errors.ts'
import type { Route } from '../http/route.ts'
import { endpointName } from './endpoint-names.ts'
import { codeBlock } from './examples.ts'
import { markdownPathOf } from './guide-files.ts'
import { type Html, html, prose } from './html.ts'
import { documentOf } from './page.ts'
import { pageSection } from './section-size.ts'

const names = Object.keys(errors) as ErrorName[]

/** Of RFC 9110 §15.5 and §15.6, and RFC 6585. */
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  402: 'Payment required',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  416: 'Range not satisfiable',
  422: 'Cannot be processed',
  429: 'Too many requests',
  500: 'Server error',
  502: 'Upstream error',
  503: 'Temporarily unavailable',
  504: 'Upstream timeout',
}

/** The endpoints that may answer with an error. */
function answeredBy(name: ErrorName, routes: readonly Route[]): Html {
  const all = routes.filter((route) => errorsOf(route).includes(name))
  if (all.length === routes.length) return html`<p class="soft">Any endpoint may answer this.</p>`
  if (all.length === 0) return html`<p class="soft">Answered before any endpoint is reached.</p>`
  return html`<details><summary>Answered by <span class="count">${all.length}</span></summary><ul class="errors">${all.map(
    (route) => html`<li><a href="/docs#${route.name}">${endpointName(route.name)}</a></li>`,
  )}</ul></details>`
}

const describe = (name: ErrorName, routes: readonly Route[]): Html =>
  pageSection(
    name,
    html`
<div class="head">
<h2 id="${name}-title"><a href="#${name}"><code>${name}</code></a></h2>
<p class="call"><span class="status">${errors[name].status}</span></p>
<p>${prose(errors[name].when)}</p>
<p class="todo"><strong>What to do.</strong> ${errors[name].message}</p>
</div>
<div class="sample">${codeBlock('json', 'Body', name, JSON.stringify(errorExample(name), null, 2))}</div>
<div class="text">
${answeredBy(name, routes)}
</div>
`,
  )

/** The page that the field `docs` of an error body links to. */
export function errorsPage(routes: readonly Route[], script: string | undefined): Html {
  const byStatus = [...Map.groupBy(names, (name) => errors[name].status)].sort(([a], [b]) => a - b)
  return documentOf({
    title: 'Errors',
    description: 'Every error of the Pixelmill API, what causes it, and what to do.',
    path: '/docs/errors',
    markdown: markdownPathOf('errors'),
    script,
    groups: byStatus.map(([status, rows]) => ({
      heading: `${status} ${phrases[status] ?? ''}`.trim(),
      links: rows.map((name) => ({ href: `#${name}`, text: name })),
    })),
    counted: 'errors',
    body: html`<h1 tabindex="-1">Errors</h1>
<p class="lead">Every error is JSON. Branch on ${prose('`statusMessage`')}: it never changes. A call that fails is not charged.</p>
<p>${prose(BATCH_ERROR_CODES)}</p>
<div class="found">${byStatus.flatMap(([, rows]) => rows.map((name) => describe(name, routes)))}</div>`,
  })
}
