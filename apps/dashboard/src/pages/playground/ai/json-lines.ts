import { forScript, forShell, forShellFile } from '../../../../web/quoting.ts'
import type { CodeLines } from '../code-lines.ts'

/** A request with a JSON body, as code. */
export interface ToldJson {
  /** The whole address. */
  readonly url: string
  readonly file: string
  /** Contains IMAGE in place of the picture. */
  readonly body: object
  /** Output file name for answers too long to read. */
  readonly output?: string
  /** Code that uses `answer`; by default it is printed. */
  readonly use?: string
}

/** The placeholder in a body for the picture as a data URI. */
export const IMAGE = 'IMAGE-AS-DATA-URI'

function curlLines({ url, file, body, output }: ToldJson): string {
  const [head = '', tail = ''] = JSON.stringify(body).split(IMAGE)
  return `{
  printf %s ${forShell(`${head}data:application/octet-stream;base64,`)}
  base64 < ${forShellFile(file)} | tr -d '\\n'
  printf %s ${forShell(tail)}
} | curl -f ${forShell(url)} \\
  -H "Authorization: Bearer $PIXELMILL_KEY" \\
  --json @-${output ? ` -o ${forShell(output)}` : ''}`
}

/** A value as a literal, with unquoted names where possible. */
function literal(value: unknown): string {
  if (value === IMAGE) return 'image'
  if (typeof value === 'string') return forScript(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${name}: ${literal(each)}`)
    .join(', ')} }`.replace('{  }', '{}')
}

function typescriptLines({ url, file, body, use = 'console.log(answer)' }: ToldJson): string {
  const calls = use.includes('writeFile') ? 'readFile, writeFile' : 'readFile'
  return `import { ${calls} } from 'node:fs/promises'

const bytes = await readFile(${forScript(file)})
const image = \`data:application/octet-stream;base64,\${bytes.toString('base64')}\`
const response = await fetch(${forScript(url)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.PIXELMILL_KEY}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${literal(body)}),
})
const answer = await response.json()
if (!response.ok) throw new Error(answer.message)
${use}`
}

export const jsonLines = (request: ToldJson): CodeLines => ({ curl: curlLines(request), typescript: typescriptLines(request) })
