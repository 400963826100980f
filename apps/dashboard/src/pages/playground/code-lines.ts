import { curlLines } from '../../../web/curl.ts'
import { typescriptLines } from '../../../web/typescript.ts'
import type { Params } from './send-image.ts'

/** The same request in all languages of the page. */
export interface CodeLines {
  readonly curl: string
  readonly typescript: string
}

/** A form with files, as code. */
export interface FormRequest {
  /** The whole address. */
  readonly url: string
  /** The names of files by form field. */
  readonly files: Readonly<Record<string, string>>
  readonly params: Params
  /** The format of the answer, where it is not the parameter of this name. */
  readonly format?: string | undefined
  /** The file name of the answer without the extension, which is that of the requested format, or of the picture. */
  readonly stem: string
}

const EXTENSION = /\.\w+$/

function outputName({ files, params, stem, format = params.format as string | undefined }: FormRequest): string {
  const extension =
    format === undefined ? (EXTENSION.exec(files.image ?? '')?.[0] ?? '') : `.${format === 'jpeg' ? 'jpg' : format}`
  return `${stem}${extension}`
}

/** The code is that of the reference, with the user's own values. */
export function formLines(form: FormRequest): CodeLines {
  const { origin, pathname } = new URL(form.url)
  const { files, params } = form
  const request = {
    method: 'POST',
    origin,
    path: pathname,
    bearer: 'PIXELMILL_KEY',
    files,
    params,
    output: outputName(form),
  } as const
  return { curl: curlLines(request), typescript: typescriptLines(request) }
}
