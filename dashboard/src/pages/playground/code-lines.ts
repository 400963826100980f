import { curlLines } from '../../../../src/web/curl.ts'
import { typescriptLines } from '../../../../src/web/typescript.ts'
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

/** The lines are those of the reference: only what is sent is the reader's own. */
export function formLines(request: ToldForm): CodeLines {
  const { origin, pathname } = new URL(request.url)
  const { files, params } = request
  const told = {
    method: 'POST',
    origin,
    path: pathname,
    bearer: 'PIXELMILL_KEY',
    files,
    params,
    output: outputName(request),
  } as const
  return { curl: curlLines(told), typescript: typescriptLines(told) }
}
