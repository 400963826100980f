import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileOf } from '@pixelmill/codecs/icc-profile'
import { inEngine, withImages } from '@pixelmill/codecs/jxl/engine'
import { gammaCurve, type RgbSpace, SRGB } from '@pixelmill/codecs/rgb-space'
import { sRgbCoded } from '@pixelmill/kernels/srgb'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** Floating-point samples are coded as the profile says: of the same number, each profile makes another colour. */

const CODED = 128 / 255
const SIDE = 16

/** A lossless JPEG XL of 32-bit floats; libvips names linear light as its space where it gets no profile. */
const floatJxl = (channels: 1 | 3 | 4, icc?: Buffer) =>
  inEngine((engine) =>
    withImages((own) => {
      const samples = new Float32Array(SIDE * SIDE * channels).fill(CODED)
      const raw = own(engine.Image.newFromMemory(samples, SIDE, SIDE, channels, engine.BandFormat.float))
      const image = own(raw.copy({ interpretation: channels === 1 ? 'b-w' : 'scrgb' }))
      if (icc) image.setBlob('icc-profile-data', icc)
      return Buffer.from(image.jxlsaveBuffer({ lossless: true, keep: engine.ForeignKeep.icc }))
    }),
  )

async function shownColour(file: Buffer): Promise<readonly number[]> {
  const recipe = recipeSchema.parse({ outputs: [{ format: 'png' }] })
  const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, file)
  const { data, info } = await sharp(files[0]).raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray(0, info.channels)]
}

const withCurve = (gamma: number): RgbSpace => {
  const curve = gammaCurve(gamma)
  return { ...SRGB, curves: [curve, curve, curve] }
}
const bySrgb = (light: number) => Math.round(255 * sRgbCoded(light))

const rows: readonly (readonly [name: string, file: Promise<Buffer>, expected: readonly number[]])[] = [
  ['RGB with an sRGB profile', floatJxl(3, profileOf(SRGB)), [128, 128, 128]],
  ['RGB with a profile of gamma 1.8', floatJxl(3, profileOf(withCurve(1.8))), new Array(3).fill(bySrgb(CODED ** 1.8))],
  ['RGB with a profile of linear light', floatJxl(3, profileOf(withCurve(1))), new Array(3).fill(bySrgb(CODED))],
  ['RGB without a profile, in linear light', floatJxl(3), new Array(3).fill(bySrgb(CODED))],
  ['RGBA with an sRGB profile', floatJxl(4, profileOf(SRGB)), [128, 128, 128, 128]],
  // By cjxl 0.7: `-d 0 -x color_space=RGB_D65_SRG_Per_709`, and `202` for `SRG`.
  [
    'RGB by the curve of BT.709, shown like sRGB',
    Promise.resolve(
      Buffer.from(
        '0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a0000002c6a786c63ff0a1810720025080802010058004b188b1542fa04f95f200280050202fcd8da46000000',
        'hex',
      ),
    ),
    [128, 128, 128],
  ],
  [
    'RGB by BT.2020 with the same curve',
    Promise.resolve(
      Buffer.from(
        '0000000c4a584c200d0a870a00000014667479706a786c20000000006a786c20000000096a786c6c0a0000002c6a786c63ff0a18107200798a0802010058004b188b1542fa04f95f200280050202fcd8da46000000',
        'hex',
      ),
    ),
    [128, 128, 128],
  ],
]

for (const [name, file, expected] of rows)
  test(`${name}: ${expected.join(', ')}`, async () => {
    const actual = await shownColour(await file)
    assert.equal(actual.length, expected.length)
    for (const [channel, value] of actual.entries()) assert.ok(Math.abs(value - (expected[channel] ?? 0)) <= 1, `${actual}`)
  })
