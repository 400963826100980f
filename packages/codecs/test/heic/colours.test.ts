import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { heicReader } from '../../src/heic/reader.ts'
import { codecs } from '../../src/index.ts'
import { readHeader } from '../../src/pixels/header.ts'
import { openImage } from '../../src/pixels/open.ts'
import { at } from '../support/corners.ts'
import * as heif from '../support/heif.ts'
import { nativeHeic, withoutHeifEnc } from '../support/heif-enc.ts'
import { near, solid } from '../support/pictures.ts'

/** The colour of a HEIC, in sRGB, as an operation sees it. */
async function shownColour(file: Buffer): Promise<readonly number[]> {
  const { pixels } = await openImage(file, await readHeader(file), codecs.png)
  const { data, info } = await pixels.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return at({ ...info, data }, info.width >> 1, info.height >> 1)
}

/** The numbers that a colour has in Display P3, by the profile that libvips brings. */
async function inP3(background: string): Promise<{ readonly numbers: readonly number[]; readonly icc: Buffer }> {
  const png = await solid(64, 48, background).withIccProfile('p3').png().toBuffer()
  const { icc } = await sharp(png).metadata()
  // Without its profile the numbers are taken as they are.
  const { data, info } = await sharp(png, { ignoreIcc: true }).raw().toBuffer({ resolveWithObject: true })
  if (!icc) throw new Error('libvips wrote no profile')
  return { numbers: at({ ...info, data }, 0, 0), icc }
}

const codedColour = ([r = 0, g = 0, b = 0]: readonly number[]) =>
  heif.encode(sharp({ create: { width: 64, height: 48, channels: 3, background: { r, g, b } } }))

for (const [name, colour] of [
  ['orange', [220, 120, 40]],
  ['green', [60, 190, 70]],
  ['blue', [40, 60, 200]],
  ['grey', [128, 128, 128]],
] as const) {
  const { numbers, icc } = await inP3(`#${Buffer.from(colour).toString('hex')}`)
  const codedPicture = await codedColour(numbers)
  const file = (...colours: readonly Buffer[]) => heif.heif([heif.picture(codedPicture, ...colours)])

  test(`${name} in Display P3 is itself by its ICC profile, which the reader returns unchanged`, async () => {
    assert.ok(near(await shownColour(file(heif.profile(icc))), colour, 4))
    assert.deepEqual((await heicReader.decode(file(heif.profile(icc)))).icc, icc)
  })
  test(`${name} in Display P3 is itself by code points alone`, async () => {
    assert.ok(
      near(await shownColour(file(heif.codePoints(12, 13))), colour, 4),
      String(await shownColour(file(heif.codePoints(12, 13)))),
    )
    assert.ok((await heicReader.decode(file(heif.codePoints(12, 13)))).icc)
  })
  test(`${name}: a profile is believed before code points, and neither is sRGB`, async () => {
    assert.ok(near(await shownColour(file(heif.codePoints(9, 16), heif.profile(icc))), colour, 4))
    assert.ok(near(await shownColour(file()), numbers, 3))
    assert.equal((await heicReader.decode(file(heif.codePoints(1, 13)))).icc, undefined)
  })
}

test('a profile that is not of RGB is left aside', async () => {
  const cmyk = Buffer.alloc(200)
  cmyk.write('CMYK', 16, 'latin1')
  const file = heif.heif([heif.picture(await codedColour([10, 200, 100]), heif.profile(cmyk))])
  assert.equal((await heicReader.decode(file)).icc, undefined)
  assert.ok(near(await shownColour(file), [10, 200, 100], 3))
})

test('white of an HDR picture, 203 cd/m² in PQ, is bright but not burnt', async () => {
  const white = await shownColour(heif.heif([heif.picture(await codedColour([148, 148, 148]), heif.codePoints(9, 16))]))
  assert.ok(near(white, [237, 237, 237], 4), String(white))
})

test('ten bits stay more than eight', { skip: withoutHeifEnc }, async () => {
  const width = 512
  const height = 16
  const ramp = Uint16Array.from({ length: width * height * 3 }, (_, index) => ((Math.floor(index / 3) % width) / width) * 65_535)
  const png = await sharp(ramp, { raw: { width, height, channels: 3 } })
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const file = nativeHeic(png, '-b', '10', '-q', '95')
  const { deep } = await readHeader(file)
  const { data } = await heicReader.decode(file)
  assert.ok(deep && data instanceof Uint16Array)
  assert.ok(new Set(data).size > 400, String(new Set(data).size))
  const error = data.reduce((sum, value, index) => sum + Math.abs(value - (ramp[index] ?? 0)), 0) / data.length
  assert.ok(error < 300, String(error))
})

/** Pictures of 16 × 16 pixels of one grey, whose box says that its range is limited, by x265. */
const limitedGreys = [
  [
    0,
    'AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA' +
      'AAAERAAAEAAQAAAAABmgABAAAAAAAAACQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA9mlwcnAA' +
      'AADWaXBjbwAAAHFodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAYQABACZCAQEECAAAAwCf+A' +
      'AAAwAAHsCCBBZbqrprmwIAAAMAMgAAAwACEGIAAQAGRAHBc8GJAAAAE2NvbHJuY2x4AAEADQAGAAAAABRpc3BlAAAAAAAAAEAAAABAAAAAKGNs' +
      'YXAAAAAQAAAAAQAAABAAAAAB////0AAAAAL////QAAAAAgAAAA5waXhpAAAAAAEIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAALG1kYXQAAA' +
      'AgKAGuDWQkokC/Fs/6ffmUHT9Afe7av2KGDAiZQDDzVV8=',
  ],
  [
    128,
    'AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA' +
      'AAAERAAAEAAQAAAAABmgABAAAAAAAAACIAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA9mlwcnAA' +
      'AADWaXBjbwAAAHFodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAYQABACZCAQEECAAAAwCf+A' +
      'AAAwAAHsCCBBZbqrprmwIAAAMAMgAAAwACEGIAAQAGRAHBc8GJAAAAE2NvbHJuY2x4AAEADQAGAAAAABRpc3BlAAAAAAAAAEAAAABAAAAAKGNs' +
      'YXAAAAAQAAAAAQAAABAAAAAB////0AAAAAL////QAAAAAgAAAA5waXhpAAAAAAEIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAKm1kYXQAAA' +
      'AeKAGuDWQjokC/Fs6rmUHT9H3u2r9ihgwImUAw81Vf',
  ],
  [
    255,
    'AAAAHGZ0eXBoZWl4AAAAAG1pZjFoZWl4bWlhZgAAAXZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA' +
      'AAAERAAAEAAQAAAAABmgABAAAAAAAAACQAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA9mlwcnAA' +
      'AADWaXBjbwAAAHFodmNDAQQIAAAAn/gAAAAAHvAA/Pz4+AAADwNgAAEAF0ABDAH//wQIAAADAJ/4AAADAAAeugJAYQABACZCAQEECAAAAwCf+A' +
      'AAAwAAHsCCBBZbqrprmwIAAAMAMgAAAwACEGIAAQAGRAHBc8GJAAAAE2NvbHJuY2x4AAEADQAGAAAAABRpc3BlAAAAAAAAAEAAAABAAAAAKGNs' +
      'YXAAAAAQAAAAAQAAABAAAAAB////0AAAAAL////QAAAAAgAAAA5waXhpAAAAAAEIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAALG1kYXQAAA' +
      'AgKAGuDWQkokC/FRf6RvmUHT9Afe7av2KGDAiZQDDzVV8=',
  ],
] as const

for (const [value, base64] of limitedGreys) {
  test(`grey in limited range is stretched: ${value}`, async () => {
    const { data } = await heicReader.decode(Buffer.from(base64, 'base64'))
    assert.deepEqual([...data.subarray(0, 3)], [value, value, value])
  })
}
