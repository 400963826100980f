import { imageOperations } from '../../api/image-operations.ts'
import type { Params } from './send-image.ts'
import type { OperationName } from './tools.ts'

/** A request as a program would send it. */
export interface ToldRequest {
  readonly origin: string
  readonly operation: OperationName
  /** By form field. */
  readonly files: Readonly<Record<string, string>>
  readonly params: Params
}

const PLAIN = /^[\w@%+=:,./-]+$/

/** For a shell: what is not plain stands between single quotes. */
const shell = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
/** For curl's -F, in which `;` and `,` end a file's name unless it is quoted. */
const formFile = (name: string): string =>
  PLAIN.test(name) && !/[,]/.test(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`
const script = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`

const EXTENSION = /\.\w+$/

/** The name of the answer's file: that of the format asked for, or of the picture. */
function outputName({ operation, files, params }: ToldRequest): string {
  const { stem } = imageOperations[operation]
  const extension =
    params.format === undefined
      ? (EXTENSION.exec(files.image ?? '')?.[0] ?? '')
      : `.${params.format === 'jpeg' ? 'jpg' : params.format}`
  return `${stem}${extension}`
}

export function curlLines(request: ToldRequest): string {
  const { origin, operation, files, params } = request
  const fields = [
    ...Object.entries(files).map(([name, file]) => `-F ${shell(`${name}=@${formFile(file)}`)}`),
    ...Object.entries(params).map(([name, value]) => `-F ${shell(`${name}=${value}`)}`),
  ]
  return [
    `curl -f ${shell(`${origin}/api/v1/${operation}`)}`,
    '-H "Authorization: Bearer $PIXELMILL_KEY"',
    fields.join(' '),
    `-o ${shell(outputName(request))}`,
  ].join(' \\\n  ')
}

export function typescriptLines(request: ToldRequest): string {
  const { origin, operation, files, params } = request
  return `import { readFile, writeFile } from 'node:fs/promises'

const form = new FormData()
${Object.entries(files)
  .map(([name, file]) => `form.append(${script(name)}, new Blob([await readFile(${script(file)})]), ${script(file)})\n`)
  .join('')}${Object.entries(params)
  .map(([name, value]) => `form.append(${script(name)}, ${script(String(value))})\n`)
  .join('')}
const response = await fetch(${script(`${origin}/api/v1/${operation}`)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.PIXELMILL_KEY}\` },
  body: form,
})
if (!response.ok) throw new Error((await response.json()).message)
await writeFile(${script(outputName(request))}, Buffer.from(await response.arrayBuffer()))`
}
