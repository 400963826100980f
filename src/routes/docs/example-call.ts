import { credentials } from '../../admission/index.ts'
import { formSchema } from '../../http/openapi/request.ts'
import { jsonSchema } from '../../http/openapi/schema.ts'
import type { Route } from '../../http/route.ts'
import type { Fields } from './field-table.ts'

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
}

const variables = { apiKey: 'KEY', loginToken: 'TOKEN', session: 'TOKEN' } as const

function body({ form, json }: Route): readonly string[] {
  if (form) return formSchema(form).required.map((field) => `-F ${field}=${samples[field] ?? '1'}`)
  if (!json) return []
  const { required = [] } = jsonSchema(json, 'input') as Fields
  return [`--json '${JSON.stringify(Object.fromEntries(required.map((field) => [field, samples[field] ?? field])))}'`]
}

/** The shortest call that works. curl sends POST where there is a body, and GET where there is none. */
export function exampleCall(route: Route): string {
  const [credential] = credentials[route.admission] as readonly (keyof typeof variables)[]
  const bearer = credential && variables[credential]
  const usual = route.form || route.json ? 'POST' : 'GET'
  return [
    'curl',
    ...(route.method === usual ? [] : [`-X ${route.method}`]),
    ...(bearer ? [`-f -H "Authorization: Bearer $${bearer}"`] : []),
    ...body(route),
    ...(route.produces.some((type) => FILE.test(type)) ? ['-OJ'] : []),
    `$URL${route.path.replaceAll(/:(\w+)/g, (_, name: string) => `$${name.toUpperCase()}`)}`,
  ].join(' ')
}
