import { formatList } from '@pixelmill/codecs/image-formats'
import { MOST_IMAGE_BYTES } from '../../api/image-limits.ts'
import { shownBytes, shownLimit } from '../../shown/bytes.ts'

const HEAD_BYTES = 1_024
/** An XML prolog, comments and a document type may precede it. */
const SVG = /^\uFEFF?\s*(?:<\?xml[^>]*>|<!--[\s\S]*?-->|<!doctype\s[^>]*>|\s)*<svg[\s>]/i

/** Browsers display SVG, which the API does not accept: detected by name, type or first bytes. */
const isSvg = async (file: File): Promise<boolean> =>
  /\.svgz?$/i.test(file.name) || file.type === 'image/svg+xml' || SVG.test(await file.slice(0, HEAD_BYTES).text())

/**
 * Why a file is not opened, in a sentence; undefined if the API decides. @throws DOMException for a file that no longer exists
 */
export async function refusalOf(file: File): Promise<string | undefined> {
  if (file.size > MOST_IMAGE_BYTES)
    return `“${file.name}” has ${shownBytes(file.size)}; a picture may have ${shownLimit(MOST_IMAGE_BYTES)}.`
  if (await isSvg(file))
    return `“${file.name}” is an SVG drawing, which is not converted here: pictures are ${formatList('and')}.`
  return undefined
}
