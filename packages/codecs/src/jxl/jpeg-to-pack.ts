import { iccName } from '../icc-name.ts'
import { stripJpeg } from '../jpeg-segments.ts'
import { jpegContainer } from '../metadata/containers/jpeg.ts'
import { readBlocks } from '../metadata/read-blocks.ts'

/**
 * The JPEG without metadata, as cjxl packs it into JPEG XL; undefined where its colours are to be converted: those of another profile than
 * sRGB's.
 * @param whole the source with its end, without which cjxl takes no JPEG
 */
export function jpegToPack(source: Buffer, whole: Buffer, colours: 'srgb' | 'keep' = 'srgb'): Buffer | undefined {
  const { icc } = readBlocks(source, { container: jpegContainer })
  const staysAsItIs = !icc || colours === 'keep' || (iccName(icc) ?? '').startsWith('sRGB')
  return staysAsItIs ? stripJpeg(whole) : undefined
}
