import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { type PlainApng, type PlainFrame, plainApng } from '@pixelmill/codecs/test/support/apng'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { chunk } from '@pixelmill/engine/test/support/png'
import type { Browser, Page } from 'playwright-core'
import { inTime, noBrowser, openBrowser } from '../support/browser.ts'

let browser: Browser | undefined
let page: Page
before(async () => {
  if (noBrowser) return
  browser = await openBrowser()
  page = await browser.newPage()
  // Image decoders are for secure pages alone.
  await page.route('http://127.0.0.1/', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto('http://127.0.0.1/')
})
after(() => browser?.close())

interface Shown {
  readonly width: number
  readonly height: number
  /** RGBA of each frame. */
  readonly frames: readonly Buffer[]
  readonly milliseconds: readonly number[]
}

const SHOW = `async (base64) => {
  const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  const decoder = new ImageDecoder({ data, type: 'image/png' })
  await decoder.tracks.ready
  await decoder.completed
  const frames = []
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const decoded = await decoder.decode({ frameIndex }).catch(() => undefined)
    if (!decoded) break
    const { codedWidth: width, codedHeight: height, duration } = decoded.image
    const pixels = new Uint8Array(decoded.image.allocationSize({ format: 'RGBA' }))
    await decoded.image.copyTo(pixels, { format: 'RGBA' })
    frames.push({ width, height, duration, pixels: pixels.toBase64() })
    decoded.image.close()
  }
  return frames
}`

interface BrowserFrame {
  readonly width: number
  readonly height: number
  /** Microseconds. */
  readonly duration: number | null
  readonly pixels: string
}

async function shownByChromium(file: Buffer): Promise<Shown> {
  const frames = await inTime(page.evaluate<BrowserFrame[]>(`(${SHOW})('${file.toString('base64')}')`), 'frames')
  const [{ width, height } = { width: 0, height: 0 }] = frames
  const milliseconds = frames.map(({ duration }) => Math.round((duration ?? 0) / 1_000))
  return { width, height, frames: frames.map(({ pixels }) => Buffer.from(pixels, 'base64')), milliseconds }
}

async function decodedHere(file: Buffer) {
  const header = await readHeader(file)
  const image = await openImage(file, header, codecs.png)
  const { data, info } = await image.pixels
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const height = info.height / image.frames
  const frameBytes = info.width * height * 4
  const frames = Array.from({ length: image.frames }, (_, frame) => data.subarray(frame * frameBytes, (frame + 1) * frameBytes))
  return { width: info.width, height, frames, milliseconds: header.delay ?? [], image }
}

/** Of a channel, multiplied by its alpha as browsers keep it: their arithmetic rounds several times. */
const MOST_APART = 3

function assertAlike(ours: Buffer, theirs: Buffer, where: string): void {
  assert.equal(ours.length, theirs.length, where)
  for (let at = 0; at < ours.length; at++) {
    const alphaAt = at | 3
    const value = (bytes: Buffer) => (at === alphaAt ? (bytes[at] ?? 0) : ((bytes[at] ?? 0) * (bytes[alphaAt] ?? 0)) / 255)
    const apart = Math.abs(value(ours) - value(theirs))
    if (apart > MOST_APART) assert.fail(`${where}, byte ${at}: ${value(ours)} here, ${value(theirs)} in Chromium`)
  }
}

async function assertAsInChromium(file: Buffer, name: string): Promise<void> {
  const here = await decodedHere(file)
  const there = await shownByChromium(file)
  assert.deepEqual([here.width, here.height, here.frames.length], [there.width, there.height, there.frames.length], name)
  for (const [index, frame] of here.frames.entries()) assertAlike(frame, there.frames[index] as Buffer, `${name}, frame ${index}`)
  for (const [index, ms] of here.milliseconds.entries())
    assert.ok(Math.abs(ms - (there.milliseconds[index] ?? 0)) <= 1, `${name}: frame ${index} for ${ms} ms, ${there.milliseconds}`)
}

const kinds = [
  { colourType: 0, bits: 1 },
  { colourType: 0, bits: 4, interlaced: true },
  { colourType: 0, bits: 8, transparency: [0, 7] },
  { colourType: 0, bits: 16 },
  { colourType: 2, bits: 8 },
  { colourType: 2, bits: 8, interlaced: true, transparency: [0, 0, 0, 0, 0, 0] },
  { colourType: 2, bits: 16 },
  { colourType: 3, bits: 2, transparency: [0, 128] },
  { colourType: 3, bits: 8 },
  { colourType: 4, bits: 8 },
  { colourType: 4, bits: 16, interlaced: true },
  { colourType: 6, bits: 8 },
  { colourType: 6, bits: 8, interlaced: true },
  { colourType: 6, bits: 16 },
] as const

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const WIDTH = 21
const HEIGHT = 13

/** Frames of random places, ways and pixels, in one of the kinds of PNG. */
function randomApng(seed: number, kind: (typeof kinds)[number]): PlainApng {
  const random = seededRandom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const rowsOf = (width: number, height: number) => {
    const rowBytes = Math.ceil((width * kind.bits * (channelsOf[kind.colourType] ?? 1)) / 8)
    // A few values, so that pixels repeat, are transparent, and are opaque.
    return Uint8Array.from({ length: rowBytes * height }, () => [0, 255, 128, below(256)][below(4)] ?? 0)
  }
  const frames = Array.from({ length: 2 + below(5) }, (_, index): PlainFrame => {
    const isWhole = index === 0 || random() < 0.2
    const width = isWhole ? WIDTH : 1 + below(WIDTH)
    const height = isWhole ? HEIGHT : 1 + below(HEIGHT)
    const place = { width, height, left: below(WIDTH - width + 1), top: below(HEIGHT - height + 1) }
    const delay = [
      [1, 10],
      [1, 60],
      [5, 0],
      [0, 100],
      [1_001, 30_000],
    ][below(5)] as [number, number]
    return { ...place, rows: rowsOf(width, height), delay, disposal: below(3), blend: below(2) }
  })
  const palette = chunk('PLTE', Buffer.from(Array.from({ length: 3 << kind.bits }, () => below(256))))
  const chunks = [
    ...(kind.colourType === 3 ? [palette] : []),
    ...('transparency' in kind ? [chunk('tRNS', Buffer.from(kind.transparency))] : []),
  ]
  const fallback = random() < 0.3 ? { fallback: rowsOf(WIDTH, HEIGHT) } : {}
  return { width: WIDTH, height: HEIGHT, ...kind, chunks, ...fallback, frames }
}

const seeds = Array.from({ length: times({ seldom: 4, often: 60 }) }, (_, seed) => seed)

for (const kind of kinds) {
  test(`the frames of APNGs of ${JSON.stringify(kind)} are those of Chromium, and so are those of the files written of them`, {
    skip: noBrowser,
  }, async () => {
    for (const seed of seeds) {
      const name = `seed ${seed}`
      const file = plainApng(randomApng(seed, kind))
      await assertAsInChromium(file, name)
      const { image, frames } = await decodedHere(file)
      const { delay = [], alpha } = image.header
      const settings = { quality: undefined, megapixels: 0.01, alpha, animation: { delay, loop: 2 } }
      const { pixels } = await openImage(file, image.header, codecs.png)
      const { bytes } = await codecs.png.encode(pixels, settings)
      await assertAsInChromium(bytes, `${name}, written`)
      const again = await decodedHere(bytes)
      for (const [index, frame] of frames.entries())
        assertAlike(frame, again.frames[index] as Buffer, `${name}, frame ${index} read again`)
    }
  })
}
