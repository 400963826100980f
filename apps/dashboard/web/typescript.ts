import { forScript } from './quoting.ts'
import { type Json, mediaTypeOf, Picture, picturesIn, placeholders, type SampleRequest } from './sample-request.ts'

const NAME = /^[A-Za-z_$][\w$]*$/
/** Characters of a line. */
const WIDTH = 72

const inTemplate = (text: string): string => text.replaceAll(/[`\\]|\$\{/g, '\\$&')

/** Shell variables become environment variables. */
function address({ origin, path }: SampleRequest): string {
  if (!origin.startsWith('$') && placeholders(path).length === 0) return forScript(origin + path)
  const start = origin.startsWith('$') ? `\${process.env.${origin.slice(1)}}` : inTemplate(origin)
  return `\`${start}${path.replaceAll(/\{(\w+)\}/g, '$${$1}')}\``
}

const property = (name: string): string => (NAME.test(name) ? name : forScript(name))

/** A value as formatted source code. */
function literal(json: Json, indent = ''): string {
  if (json instanceof Picture)
    return `\`data:${mediaTypeOf(json.file)};base64,\${await readFile(${forScript(json.file)}, 'base64')}\``
  if (typeof json === 'string') return forScript(json)
  if (typeof json !== 'object' || json === null) return String(json)
  const [open, close] = Array.isArray(json) ? ['[', ']'] : ['{ ', ' }']
  const parts = (inner: string) =>
    Array.isArray(json)
      ? json.map((each: Json) => literal(each, inner))
      : Object.entries(json as Record<string, Json>).map(([name, value]) => `${property(name)}: ${literal(value, inner)}`)
  const line = `${open}${parts(indent).join(', ')}${close}`
  if (parts(indent).length === 0) return open.trim() + close.trim()
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line
  const inner = `${indent}  `
  return `${open.trim()}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close.trim()}`
}

function imports({ files, json, body, output }: SampleRequest): readonly string[] {
  const names = [
    ...(files || body || picturesIn(json).length > 0 ? ['readFile'] : []),
    ...(output === undefined ? [] : ['writeFile']),
  ]
  return names.length > 0 ? [`import { ${names.join(', ')} } from 'node:fs/promises'`, ''] : []
}

function form({ files, params }: SampleRequest): readonly string[] {
  if (!files && !params) return []
  return [
    'const form = new FormData()',
    ...Object.entries(files ?? {}).map(
      ([name, file]) => `form.append(${forScript(name)}, new Blob([await readFile(${forScript(file)})]), ${forScript(file)})`,
    ),
    ...Object.entries(params ?? {}).map(([name, value]) => `form.append(${forScript(name)}, ${forScript(String(value))})`),
    '',
  ]
}

function headersIn(headers: readonly string[]): string {
  const line = `headers: { ${headers.join(', ')} }`
  return line.length <= 2 * WIDTH ? line : `headers: {\n${headers.map((each) => `    ${each},\n`).join('')}  }`
}

function fetching(request: SampleRequest): string {
  const { method, bearer, files, params, json, body, headers: own = {} } = request
  const type = json === undefined ? body?.type : 'application/json'
  const headers = [
    ...(bearer ? [`authorization: \`Bearer \${process.env.${bearer}}\``] : []),
    ...Object.entries({ ...own, ...(type !== undefined && { 'content-type': type }) }).map(
      ([name, value]) => `${property(name.toLowerCase())}: ${forScript(value)}`,
    ),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [headersIn(headers)] : []),
    ...(files || params ? ['body: form'] : []),
    ...(body ? [`body: await readFile(${forScript(body.file)})`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json, '  ')})`]),
  ]
  if (options.length === 0) return `const response = await fetch(${address(request)})`
  const [short] = options.length === 1 ? options : []
  if (short && short.length < WIDTH / 2) return `const response = await fetch(${address(request)}, { ${short} })`
  return `const response = await fetch(${address(request)}, {\n${options.map((option) => `  ${option},\n`).join('')}})`
}

const readings = {
  json: ['console.log(await response.json())'],
  text: ['console.log(await response.text())'],
  events: ['for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) process.stdout.write(text)'],
  headers: ['console.log(Object.fromEntries(response.headers))'],
  nothing: [],
} as const

function reading({ output, answer = 'json' }: SampleRequest): readonly string[] {
  if (output === undefined) return readings[answer]
  return [`await writeFile(${forScript(output)}, Buffer.from(await response.arrayBuffer()))`]
}

/** A call as an ES module for Node 22 or newer. */
export function typescriptLines(request: SampleRequest): string {
  return [
    ...imports(request),
    ...placeholders(request.path).flatMap((name) => [`const ${name} = '…'`]),
    ...form(request),
    fetching(request),
    'if (!response.ok) throw new Error((await response.json()).message)',
    ...reading(request),
  ].join('\n')
}
