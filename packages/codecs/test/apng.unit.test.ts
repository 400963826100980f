import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { readApng } from '../src/apng/read-apng.ts'
import { orientationOnly } from '../src/exif.ts'
import { codecs } from '../src/index.ts'
import { pngContainer } from '../src/metadata/containers/png.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'
import { chunk, SIGNATURE } from '../src/png-file.ts'
import { apngChunks, type PlainApng, type PlainFrame, plainApng } from './support/apng.ts'

const R = [255, 0, 0, 255]
const G = [0, 255, 0, 255]
const HALF_BLUE = [0, 0, 255, 128]
const NONE = [0, 0, 0, 0]

async function openFile(file: Buffer) {
  const header = await readHeader(file)
  const { pixels, frames, warnings } = await openImage(file, header, codecs.png)
  const data = await pixels.clone().toColourspace('srgb').ensureAlpha().raw().toBuffer()
  return { header, frames, warnings, pixels, data }
}

/** The pixels of each frame of a screen of two, as RGBA. */
async function shownFrames(frames: readonly PlainFrame[], more: Partial<PlainApng> = {}) {
  const { data } = await openFile(plainApng({ width: 2, height: 1, frames, ...more }))
  const pixels = Array.from({ length: data.length / 4 }, (_, at) => [...data.subarray(4 * at, 4 * at + 4)])
  return Array.from({ length: pixels.length / 2 }, (_, frame) => pixels.slice(2 * frame, 2 * frame + 2))
}

const first = { rows: [...R, ...G] }
const left = { left: 0, top: 0, width: 1, height: 1 }
const keep = 0
const clear = 1
const restore = 2
const source = 0
const over = 1
const last = { ...left, left: 1, rows: R }

const ways = [
  ['takes the place of what is there', { disposal: keep, blend: source }, HALF_BLUE, HALF_BLUE],
  ['is laid over it', { disposal: keep, blend: over }, [127, 0, 128, 255], [127, 0, 128, 255]],
  ['is cleared', { disposal: clear, blend: source }, HALF_BLUE, NONE],
  ['is laid over it and cleared', { disposal: clear, blend: over }, [127, 0, 128, 255], NONE],
  ['gives way to what was there', { disposal: restore, blend: source }, HALF_BLUE, R],
  ['is laid over it and gives way', { disposal: restore, blend: over }, [127, 0, 128, 255], R],
] as const

for (const [name, way, during, afterwards] of ways) {
  test(`a frame ${name}`, async () => {
    const frames = await shownFrames([first, { ...left, rows: HALF_BLUE, ...way }, last])
    assert.deepEqual(frames, [
      [R, G],
      [during, G],
      [afterwards, R],
    ])
  })
}

test('there is nothing to which the first frame could give way', async () => {
  assert.deepEqual(await shownFrames([{ ...first, disposal: restore }, last]), [
    [R, G],
    [NONE, R],
  ])
})

test('image data without a control chunk is no frame', async () => {
  assert.deepEqual(await shownFrames([last, { ...left, rows: G }], { fallback: [...G, ...G] }), [
    [NONE, R],
    [G, R],
  ])
  assert.deepEqual(await shownFrames([{ rows: [...R, ...R] }], { fallback: [...G, ...G] }), [[R, R]])
})

test('delays are fractions, whose sum is kept in milliseconds', async () => {
  const delays = [
    [1, 60],
    [1, 60],
    [1, 60],
    [7, 0],
    [0, 100],
  ] as const
  const { header } = await openFile(
    plainApng({ width: 1, height: 1, plays: 100_000, frames: delays.map((delay) => ({ rows: R, delay })) }),
  )
  assert.deepEqual([header.delay, header.loop], [[17, 16, 17, 70, 0], 65_535])
})

test('an animation is turned upright', async () => {
  const exif = chunk('eXIf', orientationOnly(6))
  const { header, data } = await openFile(
    plainApng({ width: 2, height: 1, frames: [first, { rows: [...G, ...R] }], chunks: [exif] }),
  )
  assert.deepEqual([header.width, header.height, [...data]], [1, 2, [...R, ...G, ...G, ...R]])
})

/** What is decoded of three frames after a change of the file's chunks, the data of a chunk at its eighth byte. */
async function readDamaged(change: (chunks: Buffer[]) => void, frames: readonly PlainFrame[] = [first, last, last]) {
  const chunks = apngChunks({ width: 2, height: 1, frames }).map((one) => Buffer.from(one))
  change(chunks)
  const { frames: count, warnings } = await openFile(Buffer.concat([SIGNATURE, ...chunks]))
  return [count, warnings]
}
const CUT = ['later_frames_damaged']
const CONTROL = 4
const PIXELS = 5

test('damage ends an animation before the frame that has it', async () => {
  assert.deepEqual(await readDamaged(() => {}), [3, []])
  const changes: readonly ((chunks: Buffer[]) => unknown)[] = [
    (chunks) => chunks[CONTROL]?.writeUInt8(9, 12),
    (chunks) => chunks[PIXELS]?.writeUInt8(9, 14),
    (chunks) => chunks.splice(CONTROL, 1),
    (chunks) => chunks.splice(PIXELS, 1),
    (chunks) => chunks.splice(CONTROL, 0, chunks[CONTROL] as Buffer),
    (chunks) => chunks.push(...chunks.splice(CONTROL, 1)),
  ]
  for (const [index, change] of changes.entries()) assert.deepEqual(await readDamaged(change), [1, CUT], `change ${index}`)
  const beyond = { ...last, width: 2, rows: [...R, ...R] }
  assert.deepEqual(await readDamaged(() => {}, [first, beyond, last]), [1, CUT])
  assert.deepEqual(await readDamaged(() => {}, [first, last, { ...last, disposal: 3 }]), [2, CUT])
})

test('a first frame that is not there leaves the picture of the image data', async () => {
  assert.deepEqual(await readDamaged((chunks) => chunks.splice(2, 1)), [1, CUT])
  assert.deepEqual(await readDamaged((chunks) => chunks.splice(1, 1)), [1, []])
})

/** Frames written and read again; those of the file, their data left out. */
async function readAgain(frames: readonly Uint8Array[], width: number, channels: 3 | 4, delay = frames.map(() => 40)) {
  const data = Buffer.concat(frames)
  const height = data.length / channels / width
  const raw = { width, height, channels, pageHeight: height / frames.length }
  const pixels = sharp(data, { raw, animated: true })
  const settings = { megapixels: 0.01, alpha: channels === 4, animation: { delay, loop: 0 }, quality: undefined }
  const { bytes } = await codecs.png.encode(pixels, settings)
  const again = await openFile(bytes)
  const expected = await sharp(data, { raw }).ensureAlpha().raw().toBuffer()
  assert.ok(again.data.equals(expected), 'other pixels')
  assert.equal(again.frames, frames.length)
  return readApng(bytes)
}

const SIDE = 32
/** Noise in thousands of colours, with a square of one colour. */
function noisy(x: number, y: number, side: number, channels: 3 | 4): Uint8Array {
  const samples = new Uint8Array(SIDE * SIDE * channels)
  for (let at = 0; at < samples.length; at++) samples[at] = at % channels === 3 ? 255 : (at * at * 2_654_435_761) >>> 24
  for (let row = y; row < y + side; row++) samples.fill(255, (row * SIDE + x) * channels, (row * SIDE + x + side) * channels)
  return samples
}

test('what is written of a frame is the rectangle that changed', async () => {
  const empty = noisy(0, 0, 0, 3)
  const square = noisy(20, 9, 3, 3)
  const apng = await readAgain([empty, noisy(4, 6, 5, 3), square, square, empty], SIDE, 3)
  const areas = apng?.frames.map(({ left, top, width, height }) => [left, top, width, height])
  // The third stands where the second has given way; the fourth is as the third.
  assert.deepEqual(areas, [
    [0, 0, 32, 32],
    [4, 6, 5, 5],
    [20, 9, 3, 3],
    [0, 0, 1, 1],
    [20, 9, 3, 3],
  ])
})

test('changes at both ends of a picture do not write what is between them', async () => {
  const both = noisy(0, 0, 2, 3)
  both.set(noisy(30, 30, 2, 3).subarray(-SIDE * 3 * 2), both.length - SIDE * 3 * 2)
  const apng = await readAgain([noisy(0, 0, 0, 3), both], SIDE, 3)
  const bytes = apng?.frames[1]?.data.reduce((sum, part) => sum + part.length, 0) ?? 0
  assert.ok(bytes < 300, `${bytes} bytes`)
})

test('what disappears is cleared', async () => {
  const clear = new Uint8Array(SIDE * SIDE * 4)
  const apng = await readAgain([noisy(0, 0, 0, 4), clear, noisy(3, 3, 9, 4)], SIDE, 4)
  assert.equal(apng?.frames[0]?.disposal, 1)
})

test('256 colours and 16 of them are written as a palette, greys with transparency as two channels', async () => {
  const ramp = (count: number) =>
    Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, at) => (at % 3 === 1 ? 0 : Math.floor(at / 3) % count))
  const backwards = (count: number) => ramp(count).map((value, at) => (at % 3 === 1 ? 0 : count - 1 - value))
  for (const [count, bits] of [
    [256, 8],
    [16, 4],
    [2, 1],
  ] as const) {
    const apng = await readAgain([ramp(count), backwards(count), ramp(count)], SIDE, 3)
    assert.deepEqual([apng?.fields[9], apng?.fields[8]], [3, bits], `${count} colours`)
  }
  const veil = (shift: number) =>
    Uint8Array.from({ length: SIDE * SIDE * 4 }, (_, at) => (at % 4 === 3 ? 1 + ((at >> 2) % 200) : (at >> 6) + shift))
  assert.equal((await readAgain([veil(0), veil(9)], SIDE, 4))?.fields[9], 4)
})

test('delays beyond a minute are written in larger parts', async () => {
  const apng = await readAgain([noisy(0, 0, 0, 3), noisy(0, 0, 1, 3), noisy(0, 0, 2, 3)], SIDE, 3, [60_000, 66_000, 700_000])
  assert.deepEqual(
    apng?.frames.map(({ seconds }) => seconds),
    [60, 66, 700],
  )
})

test('metadata precedes the frames, and they stay', async () => {
  const file = plainApng({ width: 2, height: 1, frames: [first, last] })
  const xmp = Buffer.from('<x/>')
  const whole = pngContainer.write(file, { xmp }, { width: 2, height: 1 })
  assert.deepEqual([readApng(whole)?.frames.length, pngContainer.read(whole).xmp], [2, xmp])
  assert.deepEqual(codecs.png.strip?.(whole), file)
})

test('more frames or chunks than a decoder is given are counted beforehand', async () => {
  const part = (number: number) => chunk('fdAT', Buffer.from([number >> 24, number >> 16, number >> 8, number]))
  const chunks = apngChunks({ width: 2, height: 1, frames: [first, last] })
  const more = Array.from({ length: 100_000 }, (_, number) => part(3 + number))
  await assert.rejects(
    readHeader(Buffer.concat([SIGNATURE, ...chunks.slice(0, -1), ...more])),
    ({ message }: Error) => message === 'Send a simpler image; it has more than 100000 chunks.',
  )
  await assert.rejects(readHeader(plainApng({ width: 2, height: 1, frames: Array(1_001).fill(first) })), /more than 1000 frames/)
})
