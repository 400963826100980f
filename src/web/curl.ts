import { forCurlForm, forShell, forShellFile } from './quoting.ts'
import { hasBody, type Json, mediaTypeOf, Picture, placeholders, type SampleRequest } from './sample-request.ts'

/** Double quotes where the shell expands a variable. */
function address({ origin, path }: SampleRequest): string {
  const whole = origin + path
  const filled = placeholders(path).reduce((text, name) => text.replace(`{${name}}`, `$${name.toUpperCase()}`), whole)
  return filled.includes('$') ? `"${filled}"` : forShell(filled)
}

/** Files of a JSON body, in order. */
const picturesIn = (json: Json): readonly Picture[] => {
  if (json instanceof Picture) return [json]
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(picturesIn) : []
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

/** A call as a shell command for curl 7.82 or newer. */
export function curlLines(request: SampleRequest): string {
  const { method, bearer, files = {}, params = {}, json, output, isStream } = request
  const fields = [
    ...Object.entries(files).map(([name, file]) => `-F ${forShell(`${name}=@${forCurlForm(file)}`)}`),
    ...Object.entries(params).map(([name, value]) => `-F ${forShell(`${name}=${value}`)}`),
  ]
  const pictures = json === undefined ? [] : picturesIn(json)
  const own = [
    ...(output === undefined ? [] : ['-f']),
    ...(isStream ? ['-N'] : []),
    ...(method === (hasBody(request) ? 'POST' : 'GET') ? [] : [`-X ${method}`]),
  ]
  const call = [
    ['curl', ...own, address(request)].join(' '),
    ...(bearer ? [`-H "Authorization: Bearer $${bearer}"`] : []),
    ...(fields.length > 0 ? [fields.join(' ')] : []),
    ...(json === undefined ? [] : [pictures.length > 0 ? '--json @-' : `--json ${forShell(JSON.stringify(json))}`]),
    ...(output === undefined ? [] : [`-o ${forShell(output)}`]),
  ].join(' \\\n  ')
  return pictures.length > 0 && json !== undefined ? `${printf(json)}\n${call}` : call
}
