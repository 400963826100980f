import { credentials } from '../../admission/index.ts'
import { errors } from '../../contract/errors.ts'
import { answerHeaders } from '../../http/openapi.ts'
import { errorsOf } from '../../http/openapi-errors.ts'
import { formSchema, jsonSchema, requestHeaders, templated } from '../../http/openapi-request.ts'
import type { Route } from '../../http/route.ts'
import { answerType } from './answer-type.ts'
import { codeBlock, codeSample } from './code-sample.ts'
import { endpointName } from './endpoint-name.ts'
import { type FieldSchema, type Fields, fieldList } from './field-list.ts'
import { type Html, html, prose } from './html.ts'
import { triedAt } from './playground-tools.ts'

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

const called = { apiKey: 'API key', loginToken: 'login token', session: 'session of a browser' } as const

/** Who may call it, in words. */
function callers({ admission }: Route): string {
  const any: readonly (keyof typeof called)[] = credentials[admission]
  if (any.length === 0) return 'Needs no key.'
  const whose = admission === 'admin' ? ', of an administrator' : ''
  return `With ${any
    .map((each) => called[each])
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}${whose}.`
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

/** One endpoint: what it takes, what it answers, and lines that call it. */
export function endpoint(route: Route): Html {
  const { name, method, path, summary, description, produces, success = 200 } = route
  const tried = triedAt(name)
  return html`
<section id="${name}" aria-labelledby="${name}-title">
<div class="head">
<h2 id="${name}-title"><a href="#${name}">${endpointName(name)}</a></h2>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${templated(path)}</code></p>
<p>${prose(summary)}${description ? html` ${prose(description)}` : ''}</p>
<p class="soft">${callers(route)}</p>
</div>
<div class="sample">${codeSample(route)}${answerBlock(route)}${tried ? html`<p class="try"><a class="button" href="${tried}">Try it in the playground</a></p>` : ''}</div>
<div class="text">
${inputs(route)}
<h3>Answer</h3><p><span class="status">${success}</span> ${produces.map((mime, index) => html`${index > 0 ? ', ' : ''}<code>${mime}</code>`)}</p>
${otherAnswers(route)}
${answerList(route)}
${headersList(route)}
${errorList(route)}
</div>
</section>`
}
