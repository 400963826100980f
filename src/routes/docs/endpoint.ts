import { answerHeaders } from '../../http/openapi/answers.ts'
import { errorsOf } from '../../http/openapi/errors.ts'
import { formSchema, requestHeaders, templated } from '../../http/openapi/request.ts'
import { jsonSchema } from '../../http/openapi/schema.ts'
import type { Route } from '../../http/route.ts'
import { exampleCall } from './example-call.ts'
import { type FieldSchema, type Fields, fieldTable } from './field-table.ts'
import { type Html, html, prose } from './html.ts'

function inputTables(route: Route): readonly Html[] {
  const { form, json, query, name } = route
  const headers = requestHeaders(route)
  return [
    ...(Object.keys(headers).length > 0 ? [fieldTable('Headers', name, { properties: headers }, false)] : []),
    ...(query ? [fieldTable('Query parameters', name, jsonSchema(query, 'output') as Fields, false)] : []),
    ...(form ? [fieldTable('Form fields', name, formSchema(form) as Fields)] : []),
    ...(json ? [fieldTable('JSON fields', name, jsonSchema(json, 'input') as Fields)] : []),
  ]
}

function headersTable(route: Route): Html {
  const headers = answerHeaders(route)
  if (Object.keys(headers).length === 0) return html``
  const rows = Object.entries(headers).map(
    ([header, meaning]) => html`<tr><th scope="row"><code>${header}</code></th><td>${meaning}</td></tr>`,
  )
  return html`<h3>Headers of the answer</h3><div class="scroll" tabindex="0" role="region" aria-label="Headers of ${route.name}"><table>
<thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function answerTable({ answer, name }: Route): Html {
  if (!answer) return html``
  const schema = jsonSchema(answer, 'output') as FieldSchema
  const title = schema.items ? 'Fields of each item of the answer' : 'Fields of the answer'
  return fieldTable(title, name, schema.items ?? schema, false)
}

const otherAnswers = ({ otherwise = {} }: Route): readonly Html[] =>
  Object.entries(otherwise).map(([status, { description }]) => html`<p>${status}: ${prose(description)}</p>`)

/** One endpoint: what it takes, what it answers, and an example. */
export const endpoint = (route: Route): Html => html`
<section id="${route.name}" aria-labelledby="${route.name}-title">
<h2 id="${route.name}-title">${route.summary}</h2>
<p class="call"><span class="method">${route.method}</span> ${templated(route.path)}</p>
${route.description ? html`<p>${prose(route.description)}</p>` : ''}
<pre tabindex="0" aria-label="Example call of ${route.name}"><code>${exampleCall(route)}</code></pre>
${inputTables(route)}
<h3>Answers</h3><p>${route.success ?? 200} with ${route.produces.map((mime, index) => html`${index > 0 ? ', ' : ''}<code>${mime}</code>`)}</p>
${otherAnswers(route)}
${answerTable(route)}
${headersTable(route)}
<h3>Errors</h3><ul class="errors">${errorsOf(route).map((name) => html`<li><a href="/docs/errors#${name}">${name}</a></li>`)}</ul>
</section>`
