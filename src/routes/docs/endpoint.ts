import { errorsOf, formSchema } from '../../http/openapi.ts'
import type { Route } from '../../http/route.ts'
import { type Html, html, prose } from './html.ts'

interface FieldSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly contentMediaType?: string
}

const kind = ({ type = '', contentMediaType }: FieldSchema) => (contentMediaType ? 'file' : type)

function range({ enum: choices, minimum, maximum, default: otherwise }: FieldSchema): string {
  const allowed = choices ? choices.join(', ') : minimum === undefined ? '' : `${minimum} – ${maximum}`
  return [allowed, otherwise === undefined ? '' : `default ${otherwise}`].filter((part) => part !== '').join('; ')
}

function fieldsTable({ form, name }: Route): Html {
  if (!form) return html``
  const { properties, required } = formSchema(form)
  const rows = Object.entries(properties as Record<string, FieldSchema>).map(
    ([
      field,
      schema,
    ]) => html`<tr><th scope="row"><code>${field}</code>${(required as readonly string[]).includes(field) ? html`<span class="required">required</span>` : ''}</th>
<td>${kind(schema)}</td><td>${prose(schema.description ?? '')} <span class="range">${range(schema)}</span></td></tr>`,
  )
  return html`<h3>Form fields</h3><div class="scroll" tabindex="0" role="region" aria-label="Form fields of ${name}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function headersTable({ headers, name }: Route): Html {
  if (!headers) return html``
  const rows = Object.entries(headers).map(
    ([header, meaning]) => html`<tr><th scope="row"><code>${header}</code></th><td>${meaning}</td></tr>`,
  )
  return html`<h3>Headers of the answer</h3><div class="scroll" tabindex="0" role="region" aria-label="Headers of ${name}"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** Values for the required fields of the examples. */
const samples: Readonly<Record<string, string>> = {
  image: '@photo.jpg',
  watermark: '@logo.png',
  x: '0',
  y: '0',
  width: '640',
  height: '480',
}

function curl(route: Route): string {
  if (!route.form) return `curl $URL${route.path}`
  const { required } = formSchema(route.form)
  const fields = required.map((field) => `-F ${field}=${samples[field] ?? '1'}`).join(' ')
  return `curl -f -H "Authorization: Bearer $KEY" ${fields} -OJ $URL${route.path}`
}

export const endpoint = (route: Route): Html => html`
<section id="${route.name}" aria-labelledby="${route.name}-title">
<h2 id="${route.name}-title">${route.summary}</h2>
<p class="call"><span class="method">${route.method}</span> ${route.path}</p>
${route.description ? html`<p>${prose(route.description)}</p>` : ''}
<pre tabindex="0" aria-label="Example call of ${route.name}"><code>${curl(route)}</code></pre>
${fieldsTable(route)}
<h3>Answers</h3><p>200 with ${route.produces.map((mime, index) => html`${index > 0 ? ', ' : ''}<code>${mime}</code>`)}</p>
${headersTable(route)}
<h3>Errors</h3><ul class="errors">${errorsOf(route).map((name) => html`<li><a href="/docs/errors#${name}">${name}</a></li>`)}</ul>
</section>`
