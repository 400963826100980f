import { VERSION } from '@pixelmill/engine/version'
import { acceptedScopes, credentials } from '../admission/index.ts'
import { errors } from '../contract/errors.ts'
import { answerHeaders } from '../http/openapi.ts'
import { errorsOf } from '../http/openapi-errors.ts'
import { formSchema, jsonSchema, requestHeaders, templatePath } from '../http/openapi-request.ts'
import type { Route } from '../http/route.ts'
import { endpointName } from './endpoint-names.ts'
import { codeBlock, codeSample } from './examples.ts'
import { answerType, type FieldSchema, type Fields, fieldList } from './fields.ts'
import { type Guide, pathOf } from './guide-files.ts'
import { guideGroups, tasks } from './guide-groups.ts'
import { type Html, html, prose } from './html.ts'
import { documentOf } from './page.ts'
import { triedAt } from './playground-tools.ts'
import { pageSection } from './section-size.ts'

const basics = html`<div class="basics">
<section id="authentication" aria-labelledby="authentication-title"><h2 id="authentication-title">Authentication</h2>
<p>${prose('Programs send an API key, `sk_` and 48 letters and digits, with every call:')}</p>
<pre tabindex="0" role="region" aria-label="Authorization header"><code>Authorization: Bearer sk_…</code></pre>
<p>${prose('People send the login token, `at_…`, that sign-up and sign-in answer, in the same header; browsers have it in a cookie. It gives access to the account, its keys and its credits; images may be sent with it too, as the playground does.')}</p>
<p>${prose('The samples take the key from `PIXELMILL_KEY` and the login token from `PIXELMILL_TOKEN`')}<span class="without-script">${prose(', and the address of the server from `PIXELMILL_URL`')}</span>.</p></section>
<section id="conventions" aria-labelledby="conventions-title"><h2 id="conventions-title">Conventions</h2>
<p>${prose('Images are sent as `multipart/form-data`; the order of fields does not matter, blank ones count as absent. Files may have 15 MB and 80 megapixels. The first bytes of a file decide its type. Everything else is JSON. Unknown fields are ignored.')}</p>
<p>${prose('Only successful calls count. `X-RateLimit-Remaining` says how many are left this month; a key may start 30 calls in any minute, and a 429 or 503 says in `Retry-After` when to come back.')}</p>
<p>${prose('Every answer has `X-Request-Id`, yours where you send one of 8 to 64 letters, digits, `_` and `-`; name it when you ask for help. Scripts of other sites may call the API where `CORS_ORIGINS` has them.')} <a href="/docs/errors">Errors</a> are JSON and listed on their own page.</p></section>
</div>`

/** Where to begin, and the reference of all endpoints, made from the same routes as the OpenAPI document. */
export function referencePage(routes: readonly Route[], guides: readonly Guide[], script: string | undefined): Html {
  const byTag = [...Map.groupBy(routes, ({ tag }) => tag)]
  return documentOf({
    title: 'Documentation',
    description: 'Guides by task and the reference of every endpoint of Pixelmill, which converts, compresses and edits images.',
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
    body: html`<h1 tabindex="-1">Documentation</h1>
<p class="lead">Send an image, get an image. Version ${VERSION}.</p>
${startOf(guides)}
${basics}<div class="found">${byTag.flatMap(([, rows]) => rows.map(endpoint))}</div>`,
  })
}

/** Where to begin, by what the reader wants to do, and all guides. The script hides it while something is searched for. */
const startOf = (guides: readonly Guide[]): Html => html`<section class="start" aria-labelledby="start-title">
<h2 id="start-title">What do you want to do?</h2>
${cards}
<details><summary>All guides <span class="count">${guides.length}</span></summary>${list(guides)}</details>
</section>`

const cards = html`<ul class="tasks">${tasks.map(
  ({ title, about, guides: [first] }) =>
    html`<li><a href="${pathOf(first)}"><span class="task">${title}</span><span class="soft">${about}</span></a></li>`,
)}</ul>`

const list = (guides: readonly Guide[]): Html =>
  html`<div class="all-guides">${guideGroups(guides).map(
    ({ heading, guides: rows }) =>
      html`<div><h3>${heading}</h3><ul>${rows.map(({ name, title }) => html`<li><a href="${pathOf(name)}">${title}</a></li>`)}</ul></div>`,
  )}</div>`

function inputs(route: Route): readonly Html[] {
  const { form, json, query, name } = route
  const headers = requestHeaders(route)
  return [
    ...(Object.keys(headers).length > 0 ? [fieldList('Headers', name, { properties: headers }, false)] : []),
    ...(query ? [fieldList('Query parameters', name, jsonSchema(query, 'output') as Fields, false)] : []),
    ...(form ? [fieldList('Form fields', name, formSchema(form) as Fields)] : []),
    ...(json ? [fieldList('JSON fields', name, jsonSchema(json, 'input') as Fields)] : []),
  ]
}

function headersList(route: Route): Html {
  const headers = Object.entries(answerHeaders(route))
  if (headers.length === 0) return html``
  const rows = headers.map(
    ([header, meaning]) => html`<div class="field"><dt><code class="named">${header}</code></dt><dd>${prose(meaning)}</dd></div>`,
  )
  return html`<details><summary>Headers of the answer <span class="count">${rows.length}</span></summary><dl class="fields" aria-label="Headers of ${route.name}">${rows}</dl></details>`
}

function answerList({ answer, name }: Route): Html {
  if (!answer) return html``
  const schema = jsonSchema(answer, 'output') as FieldSchema
  const title = schema.items ? 'Fields of each item of the answer' : 'Fields of the answer'
  const fields = schema.items ?? schema
  return fields.properties ? fieldList(title, name, fields, false) : html``
}

const otherAnswers = ({ otherwise = {} }: Route): readonly Html[] =>
  Object.entries(otherwise).map(
    ([status, { description }]) => html`<p><span class="status">${status}</span> ${prose(description)}</p>`,
  )

const credentialNames = { apiKey: 'API key', loginToken: 'login token', session: 'session of a browser' } as const

/** Which credentials an endpoint accepts. */
function callers(route: Route): string {
  const { admission } = route
  const any: readonly (keyof typeof credentialNames)[] = credentials[admission]
  if (any.length === 0) return 'Needs no key.'
  const whose = admission === 'admin' ? ', of an administrator' : ''
  const scopes = acceptedScopes(route)?.join(' or ')
  const names = any.map((each) => credentialNames[each] + (each === 'apiKey' && scopes ? ` (scope ${scopes})` : ''))
  return `With ${names.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${whose}.`
}

function errorList(route: Route): Html {
  const names = errorsOf(route)
  return html`<details><summary>Errors <span class="count">${names.length}</span></summary><ul class="errors">${names.map(
    (name) =>
      html`<li><a href="/docs/errors#${name}"><span class="status">${errors[name].status}</span> <code>${name}</code></a></li>`,
  )}</ul></details>`
}

function answerBlock(route: Route): Html {
  const answer = answerType(route)
  return answer === undefined ? html`` : codeBlock('json', 'Answer', route.name, answer)
}

/** One endpoint: parameters, answer, and code samples. */
export function endpoint(route: Route): Html {
  const { name, method, path, summary, description, produces, success = 200 } = route
  const triedText = triedAt(name)
  return pageSection(
    name,
    html`
<div class="head">
<h2 id="${name}-title"><a href="#${name}">${endpointName(name)}</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${templatePath(path)}</code></p>
<p>${prose(summary)}${description ? html` ${prose(description)}` : ''}</p>
<p class="soft">${callers(route)}</p>
</div>
<div class="sample">${codeSample(route)}${answerBlock(route)}${triedText ? html`<p class="try"><a class="button" href="${triedText}">Try it in the playground</a></p>` : ''}</div>
<div class="text">
${inputs(route)}
<h3>Answer</h3><p><span class="status">${success}</span> ${produces.map((mime, index) => html`${index > 0 ? ', ' : ''}<code>${mime}</code>`)}</p>
${otherAnswers(route)}
${answerList(route)}
${headersList(route)}
${errorList(route)}
</div>
`,
  )
}
