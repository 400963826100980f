import { forScript } from './quoting.ts'
import { type Json, mediaTypeOf, Picture, placeholders, type SampleRequest } from './sample-request.ts'

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
      : Object.entries(json as Record<string, Json>).map(
          ([name, value]) => `${NAME.test(name) ? name : forScript(name)}: ${literal(value, inner)}`,
        )
  const line = `${open}${parts(indent).join(', ')}${close}`
  if (parts(indent).length === 0) return open.trim() + close.trim()
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line
  const inner = `${indent}  `
  return `${open.trim()}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close.trim()}`
}

const hasPicture = (json: Json): boolean =>
  json instanceof Picture || (typeof json === 'object' && json !== null && Object.values(json).some(hasPicture))

function imports({ files, json, output }: SampleRequest): readonly string[] {
  const names = [
    ...(files || (json !== undefined && hasPicture(json)) ? ['readFile'] : []),
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

function fetching(request: SampleRequest): string {
  const { method, bearer, files, params, json } = request
  const headers = [
    ...(bearer ? [`authorization: \`Bearer \${process.env.${bearer}}\``] : []),
    ...(json === undefined ? [] : ["'content-type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(files || params ? ['body: form'] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json, '  ')})`]),
  ]
  if (options.length === 0) return `const response = await fetch(${address(request)})`
  const [short] = options.length === 1 ? options : []
  if (short && short.length < WIDTH / 2) return `const response = await fetch(${address(request)}, { ${short} })`
  return `const response = await fetch(${address(request)}, {\n${options.map((option) => `  ${option},\n`).join('')}})`
}

function reading({ output, isStream }: SampleRequest): string {
  if (output !== undefined) return `await writeFile(${forScript(output)}, Buffer.from(await response.arrayBuffer()))`
  if (isStream) return 'for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text)'
  return 'console.log(await response.json())'
}

/** A call as an ES module for Node 22 or newer. */
export function typescriptLines(request: SampleRequest): string {
  return [
    ...imports(request),
    ...placeholders(request.path).flatMap((name) => [`const ${name} = '…'`]),
    ...form(request),
    fetching(request),
    'if (!response.ok) throw new Error((await response.json()).message)',
    reading(request),
  ].join('\n')
}
