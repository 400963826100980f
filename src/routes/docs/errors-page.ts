import { type ErrorName, errors } from '../../contract/errors.ts'
import { errorExample } from '../../http/openapi/errors.ts'
import type { Reply } from '../../http/route.ts'
import { html, prose } from './html.ts'
import { pageReply } from './page.ts'

const names = Object.keys(errors) as ErrorName[]

const describe = (name: ErrorName) => html`
<section id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title"><code>${name}</code></h2>
<p class="call">HTTP ${errors[name].status}</p>
<p>${prose(errors[name].when)}</p>
<p><strong>What to do:</strong> ${errors[name].message}</p>
<pre tabindex="0" aria-label="Example of ${name}"><code>${JSON.stringify(errorExample(name), null, 2)}</code></pre>
</section>`

/** The page that the field `docs` of an error body points at. */
export const errorsPage = (): Reply =>
  pageReply({
    title: 'Errors · Pixelmill',
    sections: [
      { heading: 'Documentation', links: [{ href: '/docs', text: 'Reference' }] },
      { heading: 'Errors', links: names.map((name) => ({ href: `#${name}`, text: name })) },
    ],
    body: html`<h1>Errors</h1>
<p class="lead">Every error is JSON. Branch on ${prose('`statusMessage`')}: it never changes. A call that fails costs nothing.</p>
${names.map(describe)}`,
  })
