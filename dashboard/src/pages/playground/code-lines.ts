import { forCurlForm, forScript, forShell } from './quoting.ts'
import type { Params } from './send-image.ts'

/** The same request in the languages that the page shows. */
export interface CodeLines {
  readonly curl: string
  readonly typescript: string
}

/** A form with files, as a program would send it. */
export interface ToldForm {
  /** The whole address. */
  readonly url: string
  /** By form field. */
  readonly files: Readonly<Record<string, string>>
  readonly params: Params
  /** The answer's file: its name without the extension, which is that of the format asked for, or of the picture. */
  readonly stem: string
}

const EXTENSION = /\.\w+$/

function outputName({ files, params, stem }: ToldForm): string {
  const extension =
    params.format === undefined
      ? (EXTENSION.exec(files.image ?? '')?.[0] ?? '')
      : `.${params.format === 'jpeg' ? 'jpg' : params.format}`
  return `${stem}${extension}`
}

function curlLines(request: ToldForm): string {
  const { url, files, params } = request
  const fields = [
    ...Object.entries(files).map(([name, file]) => `-F ${forShell(`${name}=@${forCurlForm(file)}`)}`),
    ...Object.entries(params).map(([name, value]) => `-F ${forShell(`${name}=${value}`)}`),
  ]
  return [
    `curl -f ${forShell(url)}`,
    '-H "Authorization: Bearer $PIXELMILL_KEY"',
    fields.join(' '),
    `-o ${forShell(outputName(request))}`,
  ].join(' \\\n  ')
}

function typescriptLines(request: ToldForm): string {
  const { url, files, params } = request
  const readFiles = Object.entries(files).map(
    ([name, file]) => `form.append(${forScript(name)}, new Blob([await readFile(${forScript(file)})]), ${forScript(file)})\n`,
  )
  const fields = Object.entries(params).map(([name, value]) => `form.append(${forScript(name)}, ${forScript(String(value))})\n`)
  return `import { readFile, writeFile } from 'node:fs/promises'

const form = new FormData()
${readFiles.join('')}${fields.join('')}
const response = await fetch(${forScript(url)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${process.env.PIXELMILL_KEY}\` },
  body: form,
})
if (!response.ok) throw new Error((await response.json()).message)
await writeFile(${forScript(outputName(request))}, Buffer.from(await response.arrayBuffer()))`
}

export const formLines = (request: ToldForm): CodeLines => ({ curl: curlLines(request), typescript: typescriptLines(request) })
