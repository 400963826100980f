import { curlLines } from '@pixelmill/dashboard/web/curl'
import { pythonLines } from '@pixelmill/dashboard/web/python'
import { type Json, mediaTypeOf, Picture, type SampleRequest } from '@pixelmill/dashboard/web/sample-request'
import { typescriptLines } from '@pixelmill/dashboard/web/typescript'
import { EXAMPLE_DATA_URI } from '@pixelmill/engine/crops/inline-image'
import { type OperationName, operations } from '@pixelmill/engine/tasks/index'
import { credentials } from '../admission/index.ts'
import { formSchema, jsonSchema, templatePath } from '../http/openapi-request.ts'
import type { Route } from '../http/route.ts'
import type { FieldSchema, Fields } from './fields.ts'
import { type Html, html } from './html.ts'
import { bodies, fieldSamples, files, formFields, headers, outputs, PHOTO, paths } from './sample-values.ts'

/** The server in the samples: the script of the page replaces it by the page's own origin. */
export const ORIGIN = '$PIXELMILL_URL'

const variables = { apiKey: 'PIXELMILL_KEY', loginToken: 'PIXELMILL_TOKEN', session: 'PIXELMILL_TOKEN' } as const

function sample(field: string, { examples, enum: choices, items, properties, required }: FieldSchema): Json {
  if (examples) return examples[0] === EXAMPLE_DATA_URI ? new Picture(PHOTO) : (examples[0] as Json)
  if (items) return [sample(field, items)]
  if (properties) return sampleObject({ properties, required })
  return fieldSamples[field] ?? (choices?.[0] as Json | undefined) ?? field
}

const sampleObject = ({ properties = {}, required = [] }: Fields): Json =>
  Object.fromEntries(required.map((field) => [field, sample(field, properties[field] ?? {})]))

/** The parts of the request that the route reads: its required fields, unless a call needs others to do something. */
function body({ name, form, json, rawBody, storedBody }: Route): Pick<SampleRequest, 'files' | 'params' | 'json' | 'body'> {
  if (json || rawBody) return { json: bodies[name] ?? (json ? sampleObject(jsonSchema(json, 'input') as Fields) : {}) }
  if (storedBody) return { body: { file: PHOTO, type: storedBody.length > 1 ? mediaTypeOf(PHOTO) : (storedBody[0] ?? '') } }
  if (!form) return {}
  const uploads = form.orUpload ? [...form.files, ...(form.stored ? [form.stored.field] : [])] : []
  // A sample sends a file, where an address would do too.
  const { orUrl: _, ...withFile } = form
  const { required } = formSchema(withFile)
  const isFile = (field: string) => field in files
  const params =
    formFields[name] ??
    Object.fromEntries(required.filter((field) => !isFile(field)).map((field) => [field, fieldSamples[field] ?? 1]))
  return {
    files: Object.fromEntries([...uploads, ...required.filter(isFile)].map((field) => [field, files[field] ?? PHOTO])),
    ...(Object.keys(params).length > 0 && { params }),
  }
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)

/** The file name of the answer: with the first of the formats to choose from, or the format of the sample picture. */
function output({ name, form, produces }: Route): string | undefined {
  const [mime = ''] = produces
  if (outputs[name]) return outputs[name]
  if (mime === 'application/zip') return 'photos-converted.zip'
  if (!mime.startsWith('image/')) return undefined
  const keepsFormat = form && !('format' in form.fields.shape)
  return `${isOperation(name) ? operations[name].stem : 'image'}.${keepsFormat ? 'jpg' : mime.slice('image/'.length)}`
}

/** What is printed of an answer that is no file. */
function answerOf({ method, produces: [mime, ...more], headers }: Route): SampleRequest['answer'] {
  if (mime === undefined) return headers && method !== 'DELETE' ? 'headers' : 'nothing'
  if (mime === 'application/json') return more.includes('text/event-stream') ? 'text' : 'json'
  return mime === 'text/event-stream' ? 'events' : 'text'
}

/** The shortest call that works. */
export function exampleCall(route: Route): SampleRequest {
  const [credential] = credentials[route.admission] as readonly (keyof typeof variables)[]
  return {
    method: route.method,
    origin: ORIGIN,
    path: paths[route.name] ?? templatePath(route.path),
    bearer: credential && variables[credential],
    ...body(route),
    headers: headers[route.name],
    output: output(route),
    answer: answerOf(route),
  }
}

const languages = [
  { name: 'curl', label: 'curl', lines: curlLines },
  { name: 'typescript', label: 'TypeScript', lines: typescriptLines },
  { name: 'python', label: 'Python', lines: pythonLines },
] as const

/** A code block; the script of the page adds a button that copies it. */
export const codeBlock = (language: string, title: string, of: string, code: string): Html => html`
<figure class="code" data-language="${language}"><figcaption><span class="title">${title}</span></figcaption>
<pre tabindex="0" role="region" aria-label="${title} for ${of}"><code>${code}</code></pre></figure>`

/** The sample call in every language; with the script of the page the reader chooses one. */
export function codeSample(route: Route): Html {
  const call = exampleCall(route)
  return html`<div class="languages">${languages.map(({ name, label, lines }) => codeBlock(name, label, route.name, lines(call)))}</div>`
}
