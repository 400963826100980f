import { forCurlForm, forShell, forShellFile } from './quoting.ts'
import { hasBody, type Json, mediaTypeOf, Picture, picturesIn, placeholders, type SampleRequest } from './sample-request.ts'

/** Double quotes where the shell expands a variable. */
function address({ origin, path }: SampleRequest): string {
  const whole = origin + path
  const addressWithVariables = placeholders(path).reduce(
    (text, name) => text.replace(`{${name}}`, `$${name.toUpperCase()}`),
    whole,
  )
  return addressWithVariables.includes('$') ? `"${addressWithVariables}"` : forShell(addressWithVariables)
}

/** A body with pictures is piped from printf: a photograph is too long for a command line. */
function printf(json: Json): string {
  const format = JSON.stringify(json, (_, value) => (value instanceof Picture ? `\0${mediaTypeOf(value.file)}` : value))
    .replaceAll('%', '%%')
    .replaceAll('\\', '\\\\')
    .replace(/\\\\u0000([^"]+)/g, 'data:$1;base64,%s')
  const values = picturesIn(json).map(({ file }) => `"$(base64 < ${forShellFile(file)} | tr -d '\\n')"`)
  return `printf ${forShell(format)} ${values.join(' ')} |`
}

/** In a plain field, curl takes `;` for the end of the value, and `@`, `<` and `"` at its start for something else. */
const field = (name: string, value: string): string =>
  `${/^[@<"]|;/.test(value) ? '--form-string' : '-F'} ${forShell(`${name}=${value}`)}`

/** A call as a shell command for curl 7.82 or newer. */
export function curlLines(request: SampleRequest): string {
  const { method, bearer, files = {}, params = {}, json, body, headers = {}, output, answer } = request
  const fields = [
    ...Object.entries(files).map(([name, file]) => `-F ${forShell(`${name}=@${forCurlForm(file)}`)}`),
    ...Object.entries(params).map(([name, value]) => field(name, String(value))),
  ]
  const pictures = picturesIn(json)
  const own = [
    ...(output === undefined ? [] : ['-f']),
    ...(answer === 'events' ? ['-N'] : []),
    ...(answer === 'headers' ? ['-i'] : []),
    ...(method === (hasBody(request) ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
  ]
  const call = [
    ['curl', ...own, address(request)].join(' '),
    ...(bearer ? [`-H "Authorization: Bearer $${bearer}"`] : []),
    ...Object.entries({ ...headers, ...(body && { 'Content-Type': body.type }) }).map(
      ([name, value]) => `-H ${forShell(`${name}: ${value}`)}`,
    ),
    ...(body ? [`--data-binary @${forShell(body.file)}`] : []),
    ...(fields.length > 0 ? [fields.join(' ')] : []),
    ...(json === undefined ? [] : [pictures.length > 0 ? '--json @-' : `--json ${forShell(JSON.stringify(json))}`]),
    ...(output === undefined ? [] : [`-o ${forShell(output)}`]),
  ].join(' \\\n  ')
  return pictures.length > 0 && json !== undefined ? `${printf(json)}\n${call}` : call
}
