import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { animatedGif, animatedWebp, photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import type { z } from 'zod'
import { damagedText, dataUri } from '../../../../test/support/ai-server.ts'
import { caller } from '../../../../test/support/call.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import type { recommendation } from '../../recommend/recommendation.ts'

type Recommendation = z.output<z.ZodObject<typeof recommendation>>
interface Recommendations {
  readonly results: readonly ({
    readonly index: number
    readonly status: 'ok' | 'error'
    readonly error?: { readonly code: string }
  } & Recommendation)[]
  readonly summary: unknown
  readonly model: string
  readonly useCase: string
}

let server: SharedServer
before(async () => {
  server = await shareServer()
})
after(() => server[Symbol.asyncDispose]())

const ask = (images: readonly object[], useCase?: string) =>
  send<Recommendations>(server.url, 'POST /v1/ai/recommend', { body: { images, ...(useCase && { useCase }) }, token: server.key })

async function recommendationFor(bytes: Buffer, useCase: string, claims: object = {}): Promise<Recommendation> {
  const { status, body } = await ask([{ data: dataUri(bytes), ...claims }], useCase)
  assert.equal(status, 200, JSON.stringify(body))
  const [result] = body.results
  assert.ok(result?.status === 'ok')
  return result
}

/** Rectangles of few colours in rows, like letters. */
const screenshot = (width = 900, height = 600): Sharp => {
  const lines = Array.from({ length: 240 }, (_, at) => {
    const x = 30 + (at % 12) * 70
    const y = 40 + Math.floor(at / 12) * 27
    return `<rect x="${x}" y="${y}" width="${20 + ((at * 37) % 40)}" height="9" fill="#${((at * 2_654_435) % 4_096).toString(16).padStart(3, '0')}"/>`
  })
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4f4f6"/>${lines.join('')}</svg>`,
    ),
  ).removeAlpha()
}
/** A photograph that fades out to the right. */
async function fadingPicture(width: number, height: number): Promise<Sharp> {
  const fade = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"><stop stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  )
  return sharp(await photo(width, height).ensureAlpha().png().toBuffer()).composite([{ input: fade, blend: 'dest-in' }])
}

const pictures: Readonly<Record<string, () => Promise<Buffer>>> = {
  'a photograph': () => photo(320, 210).jpeg({ quality: 95 }).toBuffer(),
  'a photograph that is too large': () => photo(2_701, 107).jpeg({ quality: 95 }).toBuffer(),
  'a photograph on its side': () => photo(107, 2_701).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer(),
  'a photograph in grey': () => photo(240, 160).toColourspace('b-w').png().toBuffer(),
  'a photograph of 16 bits': () => photo(240, 160).toColourspace('rgb16').png().toBuffer(),
  'a photograph in inks': () => photo(240, 160).toColourspace('cmyk').jpeg().toBuffer(),
  'a screenshot': () => screenshot().png().toBuffer(),
  'something transparent': async () => (await fadingPicture(300, 180)).png().toBuffer(),
  'one pixel': () => solid(1, 1, '#abcdef').png().toBuffer(),
  'a GIF that moves': () => animatedGif(),
  'a WebP that moves': () => animatedWebp(),
}
for (const [name, draw] of Object.entries(pictures)) {
  test(`of ${name}, each candidate has the bytes that convert then sends`, async () => {
    const bytes = await draw()
    const { candidates, recommended: best } = await recommendationFor(bytes, 'web')
    // GIF is no format to convert to, and WebP is not converted to without loss.
    const convertible = candidates.filter(({ format, quality }) => format !== 'gif' && (quality !== null || format === 'png'))
    const { width, height } = best
    for (const { format, quality, bytes: size } of convertible) {
      const fields = { format, width, height, ...(quality !== null && { quality }) }
      const { bytes: sentBytes, headers } = await caller(server).post('convert', fields, { image: bytes })
      // A file that encoding would make larger is not encoded.
      if (headers.get('x-kept-source') === 'true') assert.ok(sentBytes.length <= size)
      else assert.equal(sentBytes.length, size, `${format} at ${quality}`)
    }
    assert.ok(candidates.length > 0)
  })
}

test('a photograph becomes a lossy file of the size that the use needs', async () => {
  const bytes = await photo(3_000, 300).jpeg({ quality: 95 }).toBuffer()
  const { current, recommended: best, candidates, reasons } = await recommendationFor(bytes, 'web')
  assert.deepEqual(current, { format: 'jpeg', width: 3_000, height: 300, bytes: bytes.length })
  assert.deepEqual([best.quality, best.width, best.height], [75, 2_560, 256])
  assert.deepEqual(candidates.map(({ format }) => format).toSorted(), ['avif', 'jpeg', 'webp'])
  const [first] = candidates
  assert.deepEqual([first?.format, first?.bytes, first?.savedPercent], [best.format, best.bytes, best.savedPercent])
  assert.equal(best.savedPercent, Math.round((1 - best.bytes / bytes.length) * 1_000) / 10)
  for (const { ssim } of candidates) assert.ok(ssim > 0.8 && ssim < 1, `${ssim}`)
  assert.ok(
    reasons.some((reason) => reason.includes('2560 on the longer side')),
    reasons.join('\n'),
  )
})

test('a screenshot keeps every pixel, and its size on dense screens', async () => {
  const { recommended: best, candidates, reasons } = await recommendationFor(await screenshot(2_700, 200).png().toBuffer(), 'web')
  assert.deepEqual([best.format, best.quality, best.width, best.height], ['webp', null, 2_700, 200])
  assert.equal(candidates.find(({ quality }) => quality === null)?.ssim, 1)
  assert.match(reasons.join(' '), /drawn or typeset.*every pixel stays/)
})

test('a transparent picture is offered in formats with transparency only; an opaque alpha channel does not count', async () => {
  const fading = await recommendationFor(await (await fadingPicture(300, 200)).png().toBuffer(), 'web')
  assert.deepEqual(
    fading.candidates.filter(({ format }) => format === 'jpeg'),
    [],
  )
  assert.match(fading.reasons.join(' '), /transparent/)
  const opaque = await recommendationFor(await photo(300, 200).ensureAlpha().png().toBuffer(), 'social-media')
  assert.equal(opaque.recommended.format, 'jpeg')
  const forNetworks = await recommendationFor(
    await (await fadingPicture(300, 200)).webp({ lossless: true }).toBuffer(),
    'social-media',
  )
  assert.equal(forNetworks.recommended.format, 'png')
})

test('an animation is offered only in formats that move', async () => {
  const { current, candidates, reasons } = await recommendationFor(await animatedGif(400, 300), 'general')
  assert.deepEqual([current.width, current.height], [400, 300])
  assert.deepEqual([...new Set(candidates.map(({ format }) => format))].toSorted(), ['gif', 'png', 'webp'])
  const forNetworks = await recommendationFor(await animatedGif(400, 300), 'social-media')
  assert.deepEqual([...new Set(forNetworks.candidates.map(({ format }) => format))], ['gif'])
  assert.match(reasons.join(' '), /3 frames/)
})

for (const [name, width, height, colours] of [
  ['frames that repeat', 40, 30, ['#f00', '#f00', '#0f0', '#0f0', '#0f0', '#00f', '#f00']],
  ['frames that are all alike', 40, 30, ['#f00', '#f00', '#f00']],
  ['frames of three pixels', 1, 3, ['#f00', '#f00', '#0f0']],
] as const) {
  test(`of ${name}, which WebP writes as fewer, what is shown is compared`, async () => {
    const frames = await Promise.all(colours.map((colour) => solid(width, height, colour).png().toBuffer()))
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif({ keepDuplicateFrames: true, delay: colours.map((_, frame) => (frame % 3) * 50) })
      .toBuffer()
    assert.equal((await sharp(bytes).metadata()).pages, colours.length)
    const archivedValue = await recommendationFor(bytes, 'archive')
    assert.deepEqual(
      archivedValue.candidates.map(({ format, quality, ssim }) => [format, quality, ssim]),
      [
        ['webp', null, 1],
        ['png', null, 1],
      ],
    )
    const { candidates, reasons } = await recommendationFor(bytes, 'general')
    const lossy = candidates.find(({ format, quality }) => format === 'webp' && quality !== null)
    assert.ok(lossy && lossy.ssim > 0.95, JSON.stringify(candidates))
    assert.doesNotMatch(reasons.join(' '), /looks worse/)
  })
}

test('a file of which conversion would lose something is left as it is', async () => {
  const left = async (bytes: Buffer, useCase: string) => {
    const { current, recommended: best, reasons } = await recommendationFor(bytes, useCase)
    assert.deepEqual(best, { ...current, quality: null, savedPercent: 0 })
    return reasons.join(' ')
  }
  assert.match(await left(await photo(300, 200).toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(), 'print'), /inks/)
  assert.match(await left(await photo(300, 200).toColourspace('rgb16').png().toBuffer(), 'archive'), /16 bits/)
  const frames = await sharp([await solid(9, 9, '#f00').png().toBuffer(), await solid(9, 9, '#00f').png().toBuffer()], {
    join: { animated: true },
  })
    .tiff()
    .toBuffer()
  assert.match(await left(frames, 'web'), /pages/)
})

test('a file is left as it is where nothing that was tried is smaller', async () => {
  const photograph = await photo(300, 200).avif({ quality: 20 }).toBuffer()
  const drawing = await screenshot(450, 300).webp({ lossless: true, effort: 6 }).toBuffer()
  const lossy = await photo(300, 200).jpeg({ quality: 60 }).toBuffer()
  for (const [bytes, useCase] of [
    [photograph, 'web'],
    [drawing, 'ecommerce'],
    [lossy, 'archive'],
  ] as const) {
    const { current, recommended: best, candidates, reasons } = await recommendationFor(bytes, useCase)
    assert.deepEqual(best, { ...current, quality: null, savedPercent: 0 })
    assert.ok(candidates.length > 0)
    assert.match(reasons.join(' '), /can stay as it is/)
  }
})

test('a file that the use cannot show is converted, though that makes it larger', async () => {
  const bytes = await photo(300, 200).avif({ quality: 20 }).toBuffer()
  const { recommended: best, reasons } = await recommendationFor(bytes, 'print')
  assert.equal(best.format, 'jpeg')
  assert.ok(best.savedPercent < 0)
  assert.match(reasons.join(' '), /AVIF is not for print/)
})

test('an archive keeps every pixel', async () => {
  const { recommended: best, candidates } = await recommendationFor(
    await photo(300, 200).tiff({ compression: 'none' }).toBuffer(),
    'archive',
  )
  assert.deepEqual(
    candidates.map(({ format, quality, ssim }) => [format, quality, ssim]),
    [
      ['webp', null, 1],
      ['png', null, 1],
    ],
  )
  assert.equal(best.format, 'webp')
})

test('the file counts, not what the request says of it, and the reasons name the difference', async () => {
  const bytes = await photo(60, 40).png().toBuffer()
  const claims = { filename: 'holiday.JPG', width: 999, height: 40, fileSize: 5, mimeType: 'image/webp' }
  const { filename, current, reasons } = await recommendationFor(bytes, 'web', claims)
  assert.equal(filename, 'holiday.JPG')
  assert.deepEqual(current, { format: 'png', width: 60, height: 40, bytes: bytes.length })
  assert.equal(
    reasons.filter((reason) => /ends like JPEG|calls it WEBP|60 × 40 pixels, not|bytes, not/.test(reason)).length,
    4,
    reasons.join('\n'),
  )
  const right = { filename: 'holiday.png', width: 60, height: 40, fileSize: bytes.length, mimeType: 'image/png' }
  assert.equal((await recommendationFor(bytes, 'web', right)).reasons.length, reasons.length - 4)
})

test('twenty images at once, some of them broken, each with its own result', async () => {
  const one = dataUri(await photo(60, 40).png().toBuffer())
  const images = Array.from({ length: 20 }, (_, index) => ({
    data: index % 7 === 3 ? damagedText : one,
    filename: `${index}.png`,
  }))
  const { status, body } = await ask(images)
  assert.equal(status, 200)
  assert.deepEqual([body.useCase, body.model, body.summary], ['general', 'local', { total: 20, succeeded: 17, failed: 3 }])
  assert.deepEqual(
    body.results.map(({ index, error, filename }) => [index, error?.code ?? filename]),
    images.map(({ filename }, index) => [index, index % 7 === 3 ? 'invalid_image' : filename]),
  )
})
