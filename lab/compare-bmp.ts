import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bmpReader } from '@pixelmill/codecs/bmp/reader'
import { limits } from '@pixelmill/codecs/contract/limits'
import { UnreadableError } from '@pixelmill/codecs/reader'
import sharp from 'sharp'

/**
 * Decodes the files of a folder and compares them with their reference pictures, pixel for pixel. BMP_PAIRS.tsv in it has
 * the columns bmp, class (bmpsuite's g, q and b: good, questionable, bad), name and reference_png.
 */

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: node lab/compare-bmp.ts FOLDER')
  process.exit(2)
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

async function decode(bytes: Buffer): Promise<Picture> {
  const { width, height, embedded } = await bmpReader.header(bytes)
  if (embedded) return reference(embedded)
  if (width * height > limits.pixels) throw new UnreadableError('it is too large')
  const { channels, data } = await bmpReader.decode(bytes)
  const rgba = new Uint8Array(width * height * 4).fill(255)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const at = pixel * channels
    const grey = data[at] ?? 0
    rgba.set(channels === 1 ? [grey, grey, grey] : data.subarray(at, at + channels), pixel * 4)
  }
  return { width, height, rgba }
}

async function reference(file: string | Buffer): Promise<Picture> {
  const { data, info } = await sharp(file).toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

function difference(actual: Picture, expected: Picture): string {
  if (actual.width !== expected.width || actual.height !== expected.height)
    return `differs in size: ${actual.width} × ${actual.height}`
  let pixels = 0
  let most = 0
  for (let at = 0; at < expected.rgba.length; at += 4) {
    // Fully transparent pixels have no colour.
    const from = expected.rgba[at + 3] === 0 && actual.rgba[at + 3] === 0 ? at + 3 : at
    let worst = 0
    for (let sample = from; sample < at + 4; sample++) {
      worst = Math.max(worst, Math.abs((actual.rgba[sample] ?? 0) - (expected.rgba[sample] ?? 0)))
    }
    if (worst > 0) pixels++
    most = Math.max(most, worst)
  }
  return pixels === 0 ? 'the same' : `differs in ${pixels} pixels by up to ${most}`
}

let wrong = false
const [, ...rows] = readFileSync(join(folder, 'BMP_PAIRS.tsv'), 'utf8').trimEnd().split('\n')
for (const row of rows) {
  const [bmp = '', kind = '', name = '', png] = row.split('\t')
  const result = await decode(readFileSync(join(folder, bmp))).then(
    async (picture) => (png ? difference(picture, await reference(join(folder, png))) : 'a picture'),
    (cause: unknown) => {
      if (cause instanceof UnreadableError) return `refused: ${cause.message}`
      throw cause
    },
  )
  const isFailure = kind === 'g' && !['the same', 'a picture'].includes(result)
  wrong ||= isFailure
  console.log([kind, isFailure ? 'WRONG' : '', name.padEnd(20), result, bmp].join('\t'))
}
process.exitCode = wrong ? 1 : 0
