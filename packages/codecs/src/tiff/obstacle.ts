import { compressions, hasOneDepth, type Layout, libvipsCompressions } from './layout.ts'

/** Why a file is not supported, to follow "The image cannot be read: ". */
export function obstacle(layout: Layout): string {
  const { bits, compression, format, photometric, planar, tiled, depths } = layout
  if (!libvipsCompressions.has(compression) && compression !== compressions.zstandard) {
    const name = compressionNames[compression]
    return `it is compressed with ${name ? `${name} (${compression})` : `method ${compression}`}, which is not supported`
  }
  if (photometric === undefined) return 'it does not say what its colours are (PhotometricInterpretation is missing)'
  if (!hasOneDepth(layout)) return `its channels differ in depth (${depths.join(', ')} bits), which is not supported`
  const kind = `${bits}-bit ${numberNames[format] ?? ''}${photometricNames[photometric] ?? `colours of kind ${photometric}`}`
  const order = planar ? ` in separate planes${tiled ? ' of tiles' : ''}` : ''
  const packing = compression === compressions.none ? '' : ` compressed with method ${compression}`
  return `it holds ${kind}${order}${packing}, which is not supported`
}

const compressionNames: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  9: 'JBIG',
  10: 'JBIG',
  262: 'Kodak 262',
  32661: 'ISO JBIG',
  32767: 'Sony ARW',
  32867: 'Kodak KDC',
  32909: 'Pixar film log',
  32908: 'Pixar film',
  34661: 'JBIG',
  34663: 'JBIG2',
  34712: 'JPEG 2000',
  34713: 'Nikon NEF',
  34887: 'LERC',
  34892: 'lossy JPEG of raw data',
  34925: 'LZMA',
  50000: 'Zstandard',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
}

const photometricNames: Readonly<Record<number, string>> = {
  0: 'grey',
  1: 'grey',
  2: 'RGB',
  3: 'palette',
  4: 'mask',
  5: 'CMYK',
  6: 'YCbCr',
  8: 'CIELAB',
  9: 'ICC LAB',
  10: 'ITU LAB',
  32803: 'raw camera data',
  34892: 'raw camera data',
}

/** By SampleFormat; integers have no name. */
const numberNames: Readonly<Record<number, string>> = { 3: 'floating-point ', 5: 'complex ', 6: 'complex ' }
