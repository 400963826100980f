import { credentials } from '../../admission/index.ts'
import { EXAMPLE_DATA_URI } from '../../contract/inline-image.ts'
import { formSchema, jsonSchema, templated } from '../../http/openapi-request.ts'
import type { Route } from '../../http/route.ts'
import { type OperationName, operations } from '../../tasks/index.ts'
import { curlLines } from '../../web/curl.ts'
import { type Json, Picture, type SampleRequest } from '../../web/sample-request.ts'
import { typescriptLines } from '../../web/typescript.ts'
import type { FieldSchema, Fields } from './fields.ts'
import { type Html, html } from './html.ts'

/** The server in the samples: the script of the page replaces it by the page's own origin. */
export const ORIGIN = '$PIXELMILL_URL'

/** The picture of the examples. */
const PHOTO = 'photo.jpg'

/** Files of the examples, by form field. */
const files: Readonly<Record<string, string>> = { image: PHOTO, watermark: 'logo.png', file: 'photos.zip' }

/** Values for the required fields of the examples. */
const samples: Readonly<Record<string, string | number>> = {
  x: 0,
  y: 0,
  width: 640,
  height: 480,
  email: 'ada@example.com',
  password: 'a long password',
  name: 'My key',
  note: 'a gift',
  credits: 100,
  packageId: 'starter',
  baseUrl: 'https://api.openai.com/v1',
  model: 'gpt-4o-mini',
  apiKey: 'sk-…',
}

const variables = { apiKey: 'PIXELMILL_KEY', loginToken: 'PIXELMILL_TOKEN', session: 'PIXELMILL_TOKEN' } as const

function sample(field: string, { examples, enum: choices, items, properties, required }: FieldSchema): Json {
  if (examples) return examples[0] === EXAMPLE_DATA_URI ? new Picture(PHOTO) : (examples[0] as Json)
  if (items) return [sample(field, items)]
  if (properties) return sampleObject({ properties, required })
  return samples[field] ?? (choices?.[0] as Json | undefined) ?? field
}

const sampleObject = ({ properties = {}, required = [] }: Fields): Json =>
  Object.fromEntries(required.map((field) => [field, sample(field, properties[field] ?? {})]))

function body({ form, json }: Route): Pick<SampleRequest, 'files' | 'params' | 'json'> {
  if (json) return { json: sampleObject(jsonSchema(json, 'input') as Fields) }
  if (!form) return {}
  const { required } = formSchema(form)
  const [uploads, params] = [required.filter((field) => field in files), required.filter((field) => !(field in files))]
  return {
    files: Object.fromEntries(uploads.map((field) => [field, files[field] ?? ''])),
    ...(params.length > 0 && { params: Object.fromEntries(params.map((field) => [field, samples[field] ?? 1])) }),
  }
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)

/** The file name of the answer: with the first of the formats to choose from, or the format of the sample picture. */
function output({ name, form, produces }: Route): string | undefined {
  const [mime = ''] = produces
  if (mime === 'application/zip') return 'photos-converted.zip'
  if (!mime.startsWith('image/')) return undefined
  const keepsFormat = form && !('format' in form.fields.shape)
  return `${isOperation(name) ? operations[name].stem : 'cut-out'}.${keepsFormat ? 'jpg' : mime.slice('image/'.length)}`
}

/** The shortest call that works. */
export function exampleCall(route: Route): SampleRequest {
  const [credential] = credentials[route.admission] as readonly (keyof typeof variables)[]
  return {
    method: route.method,
    origin: ORIGIN,
    path: templated(route.path),
    bearer: credential && variables[credential],
    ...body(route),
    output: output(route),
    isStream: route.produces.includes('text/event-stream'),
  }
}

const languages = [
  { name: 'curl', label: 'curl', lines: curlLines },
  { name: 'typescript', label: 'TypeScript', lines: typescriptLines },
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
