import type { Bitmap } from '../bitmap.ts'
import { type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { decodeLayout } from './decode.ts'
import { readDirectory } from './directory.ts'
import { compressions, type Layout, layoutOf, photometrics } from './layout.ts'
import { jpegInside } from './old-jpeg.ts'
import { isTurned } from './orient.ts'
import { libvipsReads, obstacle, ownReads } from './support.ts'

function open(file: Buffer): Layout {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  if (!layout) throw new UnreadableError('it is cut, or says nothing of its size')
  if (!ownReads(layout)) throw new UnreadableError(obstacle(layout))
  return layout
}

async function header(file: Buffer): Promise<PictureHeader> {
  const layout = open(file)
  const { width, height, bits, photometric, orientation } = layout
  return {
    ...(isTurned(orientation) ? { width: height, height: width } : { width, height }),
    alpha: layout.alpha !== 'none',
    grey: photometric === photometrics.minIsBlack || photometric === photometrics.minIsWhite,
    deep: bits > 8,
  }
}

const decode = async (file: Buffer): Promise<Bitmap> => decodeLayout(file, open(file))

/** Depths, number formats and layouts that libvips refuses, or shows wrongly. */
const unusual: Reader = { header, decode }

/** Who reads a file: libvips where this is undefined, which then also says what is wrong with a damaged one. */
export function tiffReader(file: Buffer): Reader | undefined {
  const directory = readDirectory(file)
  const layout = directory && layoutOf(directory)
  if (!layout || libvipsReads(layout)) return undefined
  const embedded = layout.compression === compressions.oldJpeg ? jpegInside(file, directory) : undefined
  if (!embedded) return unusual
  const size = { width: layout.width, height: layout.height }
  return { header: async () => ({ ...size, alpha: false, grey: false, deep: false, embedded }), decode }
}
