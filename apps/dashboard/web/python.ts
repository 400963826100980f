import { forPython } from './quoting.ts'
import { type Json, mediaTypeOf, Picture, picturesIn, placeholders, type SampleRequest } from './sample-request.ts'

/** Characters of a line. */
const WIDTH = 79

const inFormat = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll(/[{}]/g, '$&$&')

/** Inside an f-string, quotation marks must be others until Python 3.12. */
const environment = (name: string): string => `{os.environ['${name}']}`

/** Shell variables become environment variables. */
function address({ origin, path }: SampleRequest): string {
  if (!origin.startsWith('$') && placeholders(path).length === 0) return forPython(origin + path)
  const start = origin.startsWith('$') ? environment(origin.slice(1)) : inFormat(origin)
  return `f"${start}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${name.toUpperCase()}}`)}"`
}

/** A value as formatted source code. */
function literal(json: Json, indent: string, before: number): string {
  if (json instanceof Picture) return `f"data:${mediaTypeOf(json.file)};base64,{${variableOf(json.file)}}"`
  if (typeof json === 'string') return forPython(json)
  if (json === null) return 'None'
  if (typeof json === 'boolean') return json ? 'True' : 'False'
  if (typeof json === 'number') return String(json)
  const [open, close] = Array.isArray(json) ? ['[', ']'] : ['{', '}']
  const parts = (inner: string): readonly string[] =>
    Array.isArray(json)
      ? json.map((each: Json) => literal(each, inner, inner.length))
      : Object.entries(json as Record<string, Json>).map(([name, value]) => {
          const key = `${forPython(name)}: `
          return key + literal(value, inner, inner.length + key.length)
        })
  const line = `${open}${parts(indent).join(', ')}${close}`
  if (before + line.length < WIDTH && !line.includes('\n')) return line
  const inner = `${indent}    `
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}

/** photo.jpg is read into `photo`. */
const variableOf = (file: string): string => {
  const word = file
    .replace(/\.\w+$/, '')
    .replaceAll(/\W+/g, '_')
    .toLowerCase()
  return /^[a-z_]/.test(word) ? word : `picture_${word}`
}

const openCall = (file: string): string => `open(${forPython(file)}, "rb")`

/** Named arguments of the call. */
function options({ bearer, headers: own = {}, files, params, json, body, answer }: SampleRequest): readonly string[] {
  const headers = [
    ...(bearer ? [`"Authorization": f"Bearer ${environment(bearer)}"`] : []),
    ...Object.entries({ ...own, ...(body && { 'Content-Type': body.type }) }).map(
      ([name, value]) => `${forPython(name)}: ${forPython(value)}`,
    ),
  ]
  const withName = (name: string, entries: readonly string[]): readonly string[] => {
    if (entries.length === 0) return []
    const line = `    ${name}={${entries.join(', ')}},`
    return [line.length <= WIDTH ? line : `    ${name}={\n${entries.map((each) => `        ${each},\n`).join('')}    },`]
  }
  const pairs = (of: Readonly<Record<string, string | number | boolean>> = {}, write: (value: string) => string) =>
    Object.entries(of).map(([name, value]) => `${forPython(name)}: ${write(String(value))}`)
  return [
    ...withName('headers', headers),
    // Without a file, the package would send another kind of form.
    ...withName('files', files ? pairs(files, openCall) : pairs(params, (value) => `(None, ${forPython(value)})`)),
    ...(files ? withName('data', pairs(params, forPython)) : []),
    ...(json === undefined ? [] : [`    json=${literal(json, '    ', '    json='.length)},`]),
    ...(body ? [`    data=${openCall(body.file)},`] : []),
    ...(answer === 'events' ? ['    stream=True,'] : []),
  ]
}

function imports({ origin, bearer, json, output }: SampleRequest): readonly string[] {
  const encodes = picturesIn(json).length > 0
  const own = [
    ...(encodes ? ['import base64'] : []),
    ...(bearer || origin.startsWith('$') ? ['import os'] : []),
    ...(encodes || output !== undefined ? ['from pathlib import Path'] : []),
  ]
  return [...own, ...(own.length > 0 ? [''] : []), 'import requests', '']
}

const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']

function calling(request: SampleRequest): readonly string[] {
  const { method } = request
  const start = METHODS.includes(method) ? `requests.${method.toLowerCase()}(` : `requests.request("${method}", `
  const more = options(request)
  const line = `response = ${start}${address(request)})`
  if (more.length === 0 && line.length <= WIDTH) return [line]
  return [`response = ${start}`, `    ${address(request)},`, ...more, ')']
}

const readings = {
  json: ['print(response.json())'],
  text: ['print(response.text)'],
  events: ['for line in response.iter_lines(decode_unicode=True):', '    print(line)'],
  headers: ['print(dict(response.headers))'],
  nothing: [],
} as const

function reading({ output, answer = 'json' }: SampleRequest): readonly string[] {
  return output === undefined ? readings[answer] : [`Path(${forPython(output)}).write_bytes(response.content)`]
}

/** A call for Python 3.9 or newer with the package requests. */
export function pythonLines(request: SampleRequest): string {
  const pictures = [...new Set(picturesIn(request.json).map(({ file }) => file))]
  return [
    ...imports(request),
    ...placeholders(request.path).map((name) => `${name.toUpperCase()} = "…"`),
    ...pictures.map((file) => `${variableOf(file)} = base64.b64encode(Path(${forPython(file)}).read_bytes()).decode()`),
    ...calling(request),
    'if not response.ok:',
    '    raise RuntimeError(response.json()["message"])',
    ...reading(request),
  ].join('\n')
}
