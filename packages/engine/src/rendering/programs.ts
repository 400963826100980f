import { limits } from '@pixelmill/codecs/contract/limits'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { x265Quality } from '@pixelmill/codecs/heic/writers'
import type { HeicWriter } from '@pixelmill/codecs/programs'
import { type Encoder, type ExternalProgram, SYSTEM_FOLDERS, workingProgram } from './external-program.ts'
import type { Grants } from './sandbox/confinement.ts'

/** How HEIC is written on this machine. */
export interface HeicWriting {
  readonly heicWriter: HeicWriter
  /** Present if heif-enc is used. */
  readonly encodeHeif?: Encoder
}

/**
 * Chooses how HEIC is written, and the sandbox of heif-enc.
 * @param folders of programs, as in PATH
 * @throws StartError if heif-enc is requested and does not work
 */
export async function chooseHeicWriter(
  choice: HeicWriter | 'auto',
  grants: Grants,
  folders = SYSTEM_FOLDERS,
): Promise<HeicWriting> {
  if (choice === 'elheif' || choice === 'none') return { heicWriter: choice }
  // Newer packages have x265 in a separate plug-in, which may be missing.
  const encodeHeif = await workingProgram(heifEnc, grants, folders)
  if (encodeHeif) return { heicWriter: 'heif-enc', encodeHeif }
  if (choice === 'auto') return { heicWriter: 'elheif' }
  throw new StartError('HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC.')
}

/**
 * x265's preset ultrafast takes a third of the time of veryfast, for 10–20 % more bytes at the same SSIM; docs/heic.md has the
 * table.
 * One thread: there are as many renderers as cores.
 */
const options = ['preset=ultrafast', 'tune=ssim', 'x265:pools=none', 'x265:frame-threads=1'].flatMap((option) => ['-p', option])

/** Encodes one of our PNGs as HEIC with libheif's program. */
const heifEnc: ExternalProgram = {
  name: 'heif-enc',
  arguments(input, output, png, quality = limits.quality.default) {
    return ['-q', String(x265Quality(quality, pngMegapixels(png))), ...options, '-o', output, input]
  },
  // One grey pixel.
  trial: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64'),
}

/** Width and height are the first fields of a PNG's first chunk, IHDR (PNG, 11.2.1). */
const pngMegapixels = (png: Buffer): number => (png.readUInt32BE(16) * png.readUInt32BE(20)) / 1e6

/**
 * Packs a JPEG into JPEG XL with libjxl's program: about 20 % smaller, and the JPEG can be restored byte for byte. 12 megapixels take
 * 0.2 s, and higher efforts save nothing.
 */
export const cjxl: ExternalProgram = {
  name: 'cjxl',
  arguments: (input, output) => ['--lossless_jpeg=1', '--effort=5', '--num_threads=0', '--quiet', input, output],
  // 8 × 8 grey pixels.
  trial: Buffer.from(
    [
      '/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBD',
      'Af//////////////////////////////////////////////////////////////////////////////////////wAARCAAIAAgD',
      'ASIAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA',
      '/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AAA//2Q==',
    ].join(''),
    'base64',
  ),
}
