import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { heic, heicToFinish } from '../../src/heic/index.ts'
import { heicReader } from '../../src/heic/reader.ts'
import { writeHeic, writeSmallerHeic } from '../../src/heic/write-heic.ts'
import { recognise } from '../../src/index.ts'
import { at, corners, cornersOf } from '../support/corners.ts'
import { near, photo, solid } from '../support/pictures.ts'

/** Alone, odd, one pixel, just over a tile, over two tiles both ways. */
const sizes = [
  [64, 48],
  [101, 67],
  [1, 1],
  [7, 300],
  [1026, 20],
  [1030, 1040],
] as const
for (const [width, height] of sizes) {
  test(`${width} × ${height} is written and read again, the edges too`, async () => {
    const { bytes, ...size } = await writeHeic(solid(width, height, '#c86432'))
    assert.equal(recognise(bytes), heic)
    assert.deepEqual(size, { width, height })
    const read = await heicReader.decode(bytes)
    assert.deepEqual([read.width, read.height, read.channels], [width, height, 3])
    for (const [x, y] of [
      [0, 0],
      [width - 1, 0],
      [0, height - 1],
      [width - 1, height - 1],
      [width >> 1, height >> 1],
    ] as const)
      assert.ok(near(at(read, x, y), [200, 100, 50], 4), `${x}, ${y}: ${at(read, x, y)}`)
  })
}

test('a picture of several tiles stays the right way up', async () => {
  assert.equal(cornersOf(await heicReader.decode((await writeHeic(corners(1030, 1040))).bytes)), 'RGBW')
})

test('an encoder that cannot beat a smaller file gives up, elheif and heif-enc alike', async () => {
  const busy = sharp(await photo(1030, 1040).png().toBuffer())
  const { bytes } = await writeHeic(busy.clone())
  assert.equal(await writeSmallerHeic(busy.clone(), bytes.length >> 2), undefined)
  assert.equal((await writeSmallerHeic(busy.clone(), bytes.length))?.bytes.length, bytes.length)
  const settings = { quality: 75, megapixels: 1, animation: undefined, plain: true, deep: false, source: undefined }
  const [attempt] = heicToFinish.candidates(busy, settings)
  assert.ok(typeof attempt === 'function')
  assert.equal(await attempt(bytes.length >> 3), undefined)
  assert.ok(await attempt(bytes.length))
})

test('transparency is kept, and where all is opaque none is written', async () => {
  const veil = sharp(await corners(1200, 64).ensureAlpha(0.25).png().toBuffer())
  const half = await heicReader.decode((await writeHeic(veil)).bytes)
  assert.equal(half.channels, 4)
  for (const x of [10, 1190]) assert.ok(near([at(half, x, 10)[3] ?? 0], [64], 3))
  assert.equal(cornersOf(half), 'RGBW')
  const opaque = sharp(await corners().ensureAlpha(1).png().toBuffer())
  assert.equal((await heicReader.decode((await writeHeic(opaque)).bytes)).channels, 3)
})

test('grey and 16-bit pixels are written as what they show', async () => {
  const grey = sharp(await solid(40, 40, '#808080').toColourspace('b-w').png().toBuffer())
  assert.ok(near(at(await heicReader.decode((await writeHeic(grey)).bytes), 20, 20), [128, 128, 128], 3))
  const deep = sharp(await corners().toColourspace('rgb16').png().toBuffer())
  assert.equal(cornersOf(await heicReader.decode((await writeHeic(deep)).bytes)), 'RGBW')
})

test('optimize tries no HEIC above the quality of the encoder', () => {
  const settings = { megapixels: 1, animation: undefined, plain: true, deep: false, source: undefined }
  assert.equal(heic.candidates(photo(), { ...settings, quality: 80 }).length, 1)
  assert.equal(heic.candidates(photo(), { ...settings, quality: 81 }).length, 0)
  assert.equal(heicToFinish.candidates(photo(), { ...settings, quality: 99 }).length, 1)
  assert.equal(heicToFinish.candidates(photo(), { ...settings, quality: 100 }).length, 0)
})

const withoutConvert = spawnSync('heif-convert', ['--help'], { stdio: 'ignore' }).error !== undefined
test('another reader of HEIC, the program heif-convert, sees the same', {
  skip: withoutConvert && 'heif-convert is not on the PATH',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-test-'))
  try {
    const input = join(folder, 'in.heic')
    const output = join(folder, 'out.png')
    const veil = sharp(await corners(1200, 64).ensureAlpha(0.25).png().toBuffer())
    writeFileSync(input, (await writeHeic(veil)).bytes)
    execFileSync('heif-convert', [input, output], { stdio: 'ignore' })
    const { data, info } = await sharp(output).raw().toBuffer({ resolveWithObject: true })
    const bitmap = { width: info.width, height: info.height, channels: info.channels, data }
    assert.deepEqual([bitmap.width, bitmap.height, bitmap.channels], [1200, 64, 4])
    assert.equal(cornersOf(bitmap), 'RGBW')
    assert.ok(near([at(bitmap, 600, 30)[3] ?? 0], [64], 3))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
