import { iccName } from '../icc-name.ts'
import { profileOf as matrixProfile } from '../icc-profile.ts'
import type { Bitmap, PictureHeader, Reader } from '../reader.ts'
import { UnreadableError } from '../reader.ts'
import { rgbSpaceOf } from '../rgb-space.ts'
import { codestreamOf } from './boxes.ts'
import { type Engine, inEngine, type VipsImage, withImages } from './engine.ts'

/** Reads JPEG XL; orientation is applied, and extra channels other than alpha are not shown. */
export const jxlReader: Reader = { header, decode }

async function header(file: Buffer): Promise<PictureHeader> {
  return inEngine((engine) => withImages((own) => headerOf(own(openFrames(engine, file, -1)))))
}

function headerOf(image: VipsImage): PictureHeader {
  const frames = intOf(image, 'n-pages') ?? 1
  const { width } = image
  const height = intOf(image, 'page-height') ?? image.height
  const delay = image.getTypeof('delay') ? image.getArrayInt('delay') : undefined
  return {
    width,
    height,
    alpha: image.hasAlpha(),
    grey: image.bands < 3,
    deep: image.format !== 'uchar',
    bitDepth: Math.min(32, Math.max(1, intOf(image, 'bits-per-sample') ?? (image.format === 'uchar' ? 8 : 16))),
    ...(frames > 1 && { frames, ...(delay && { delay }), loop: intOf(image, 'loop') ?? 0 }),
  }
}

async function decode(file: Buffer, _decodeJpeg: unknown, frames = 1): Promise<Bitmap> {
  return inEngine((engine) => withImages((own) => pixelsOf(own(openFrames(engine, file, frames)), own, frames)))
}

type Own = (image: VipsImage) => VipsImage

function pixelsOf(image: VipsImage, own: Own, frames: number): Bitmap {
  const icc = profileOf(image)
  const samples = own(wholeSamples(image))
  const pixels =
    samples.bands === 2 ? own(inColour(samples, own)) : samples.bands > 4 ? own(samples.extractBand(0, { n: 4 })) : samples
  const { width, height, bands } = pixels
  const data = pixels.writeToMemory()
  return {
    width,
    height,
    frames,
    channels: bands as Bitmap['channels'],
    data: data instanceof Uint16Array ? data : Uint8Array.from(data),
    ...(icc && { icc }),
  }
}

/** libjxl's names of the profiles that it makes for sRGB. */
const SRGB: readonly (string | undefined)[] = ['RGB_D65_SRG_Rel_SRG', 'RGB_D65_SRG_Per_SRG', 'Gra_D65_Rel_SRG', 'Gra_D65_Per_SRG']

/** The primaries of BT.709's curve by libjxl's names of profiles, as H.273 numbers them. */
const PRIMARIES: Readonly<Record<string, number>> = { SRG: 1, DCI: 12, '202': 9 }
const BT709 = 1
const CAMERA_CURVE = /^(?:RGB|Gra)_D65_(?:(SRG|DCI|202)_)?(?:Per|Rel|Sat|Abs)_709$/

/** Undefined for sRGB. */
function profileOf(image: VipsImage): Buffer | undefined {
  const icc = attachedProfile(image)
  const name = icc && iccName(icc)
  if (name !== undefined && SRGB.includes(name)) return undefined
  const camera = CAMERA_CURVE.exec(name ?? '')
  if (!camera) return icc
  // As of other formats, the curve of cameras is shown like sRGB's.
  const space = rgbSpaceOf({ primaries: PRIMARIES[camera[1] ?? 'SRG'] ?? 1, transfer: BT709 })
  return space && matrixProfile(space)
}

const attachedProfile = (image: VipsImage): Buffer | undefined =>
  image.getTypeof('icc-profile-data') ? Buffer.from(image.getBlob('icc-profile-data')) : undefined

/** @throws UnreadableError where there is no codestream; libvips' errors */
function openFrames(engine: Engine, file: Buffer, frames: number): VipsImage {
  const codestream = codestreamOf(file)
  if (!codestream) throw new UnreadableError('it is cut, or holds no picture')
  return engine.Image.jxlloadBuffer(codestream, { n: frames })
}

const intOf = (image: VipsImage, name: string): number | undefined => (image.getTypeof(name) ? image.getInt(name) : undefined)

/**
 * Floating-point samples, of which 0–1 is shown, in 16 bits. They are coded as the profile says, whatever libvips calls their space;
 * libjxl makes a profile for every file.
 */
const wholeSamples = (image: VipsImage): VipsImage =>
  image.format === 'uchar' || image.format === 'ushort' ? image.copy() : image.linear(65_535, 0).cast('ushort')

/** Grey with alpha as RGBA. */
function inColour(image: VipsImage, own: Own): VipsImage {
  const grey = own(image.extractBand(0))
  const alpha = own(image.extractBand(1))
  return grey.bandjoin([grey, grey, alpha])
}
