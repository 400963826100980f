import { resultName } from '../../shown/file-names.ts'
import type { Size } from './geometry.ts'
import { type Preview, previewOf } from './preview.ts'
import { type Params, type Rendered, sendImage } from './send-image.ts'

/** A picture made by the API, for display and download. Release it with `releasePicture`. */
export interface MadePicture extends Rendered {
  readonly preview: Preview
  /** An object URL of the bytes, for the download. */
  readonly url: string
}

/** @throws ApiFailure; AbortError */
export async function makePicture(
  path: string,
  files: Readonly<Record<string, File>> & { readonly image: File },
  params: Params,
  signal: AbortSignal,
): Promise<MadePicture> {
  const response = await sendImage(path, files, params, signal)
  const fileName = resultName(files.image.name, response.fileName)
  const preview = await previewOf(new File([response.blob], fileName, { type: response.blob.type }), signal)
  return { ...response, fileName, preview, url: URL.createObjectURL(response.blob) }
}

export function releasePicture({ url, preview }: Pick<MadePicture, 'url' | 'preview'>): void {
  URL.revokeObjectURL(url)
  URL.revokeObjectURL(preview.url)
}

/** Equal within a pixel of rounding: only then can two pictures be overlaid. */
export const isSameShape = (one: Size, other: Size): boolean =>
  Math.abs(one.width * other.height - one.height * other.width) <= Math.max(one.width, other.width)
