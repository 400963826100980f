import { credentials } from '../../admission/index.ts'
import { EXAMPLE_DATA_URI } from '../../contract/inline-image.ts'
import { formSchema } from '../../http/openapi/request.ts'
import { jsonSchema } from '../../http/openapi/schema.ts'
import type { Route } from '../../http/route.ts'
import type { FieldSchema, Fields } from './field-table.ts'

/** Answers that are kept under the name they come with; others are read in the terminal. */
const FILE = /^image\/|^application\/zip$/

/** Values for the required fields of the examples. */
const samples: Readonly<Record<string, string | number>> = {
  image: '@photo.jpg',
  watermark: '@logo.png',
  file: '@photos.zip',
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

const variables = { apiKey: 'KEY', loginToken: 'TOKEN', session: 'TOKEN' } as const

function sample(field: string, { examples, enum: choices, items, properties, required }: FieldSchema): unknown {
  if (examples) return examples[0]
  if (items) return [sample(field, items)]
  if (properties) return sampleObject({ properties, required })
  return samples[field] ?? choices?.[0] ?? field
}

const sampleObject = ({ properties = {}, required = [] }: Fields): unknown =>
  Object.fromEntries(required.map((field) => [field, sample(field, properties[field] ?? {})]))

function body({ form, json, images }: Route): readonly string[] {
  if (form) return formSchema(form).required.map((field) => `-F ${field}=${samples[field] ?? '1'}`)
  if (images) return ['--json @-']
  return json ? [`--json '${JSON.stringify(sampleObject(jsonSchema(json, 'input') as Fields))}'`] : []
}

/** What writes the body for curl to send, where it has an image: on a command line a photograph has no room. */
function source({ json, images }: Route): readonly string[] {
  if (!json || !images) return []
  const written = JSON.stringify(sampleObject(jsonSchema(json, 'input') as Fields)).replaceAll('%', '%%')
  const format = written.replace(EXAMPLE_DATA_URI, 'data:image/jpeg;base64,%s')
  return [`printf '${format}' "$(base64 < photo.jpg | tr -d '\\n')" |`]
}

/** The shortest call that works. curl sends POST where there is a body, and GET where there is none. */
export function exampleCall(route: Route): string {
  const [credential] = credentials[route.admission] as readonly (keyof typeof variables)[]
  const bearer = credential && variables[credential]
  const usual = route.form || route.json ? 'POST' : 'GET'
  return [
    ...source(route),
    'curl',
    ...(route.method === usual ? [] : [`-X ${route.method}`]),
    ...(bearer ? [`-f -H "Authorization: Bearer $${bearer}"`] : []),
    ...body(route),
    ...(route.produces.some((type) => FILE.test(type)) ? ['-OJ'] : []),
    `$URL${route.path.replaceAll(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`)}`,
  ].join(' ')
}
