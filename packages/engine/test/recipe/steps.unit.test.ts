import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { animatedGif, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

/** One PNG of some steps. */
async function make(source: Buffer, steps: readonly object[], files: Readonly<Record<string, Buffer>> = {}, output: object = {}) {
  const recipe = recipeSchema.parse({ steps, outputs: [{ format: 'png', ...output }] })
  const params = { recipe, files: Object.keys(files), accepts: [], allows: [] }
  const [image] = writtenImages(await runTask('recipe', params, source, ...Object.values(files)))
  return image ?? assert.fail()
}

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) => [width, height]

/** A field of one colour with a rectangle of another. */
const withMark = async (width: number, height: number, at: { left: number; top: number; width: number; height: number }) =>
  sharp({ create: { width, height, channels: 4, background: '#204060' } })
    .composite([
      {
        input: { create: { width: at.width, height: at.height, channels: 4, background: '#ff8000' } },
        left: at.left,
        top: at.top,
      },
    ])
    .png()
    .toBuffer()

const ORANGE = [255, 128, 0]
const BLUE = [32, 64, 96]

describe('gravity', async () => {
  // Nine fields, each with a colour of its own.
  const cells = ['northwest', 'north', 'northeast', 'west', 'center', 'east', 'southwest', 'south', 'southeast'] as const
  const colours = cells.map((_, nth) => [nth * 28, 255 - nth * 28, (nth * 97) % 256] as const)
  const nine = await sharp({ create: { width: 90, height: 90, channels: 3, background: '#000' } })
    .composite(
      colours.map(([r, g, b], nth) => ({
        input: { create: { width: 30, height: 30, channels: 3 as const, background: { r, g, b } } },
        left: (nth % 3) * 30,
        top: Math.floor(nth / 3) * 30,
      })),
    )
    .png()
    .toBuffer()

  for (const [nth, gravity] of cells.entries()) {
    test(`${gravity}: a crop by size and a cover show that part`, async () => {
      const crop = await make(nine, [{ crop: { width: 30, height: 30, gravity } }])
      assert.ok(near(await pixel(crop.bytes, 15, 15), colours[nth] ?? []))
      const row = Math.floor(nth / 3)
      const column = nth % 3
      const across = await make(nine, [{ resize: { width: 90, height: 30, fit: 'cover', gravity } }])
      assert.ok(near(await pixel(across.bytes, column * 30 + 15, 15), colours[row * 3 + column] ?? []))
      assert.deepEqual(sizeOf(across), [90, 30])
    })
  }

  test('a focal point comes as near to the middle as the edges allow', async () => {
    const at = async (x: number, y: number) =>
      pixel((await make(nine, [{ crop: { width: 30, height: 30, gravity: { x, y } } }])).bytes, 15, 15)
    assert.ok(near(await at(0.5, 0.17), colours[1] ?? []))
    assert.ok(near(await at(0, 1), colours[6] ?? []))
  })

  test('subject keeps what differs from the rest', async () => {
    const source = await withMark(300, 100, { left: 230, top: 30, width: 40, height: 40 })
    const subjectCrop = await make(source, [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'subject' } }])
    const { data } = await sharp(subjectCrop.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    let orange = 0
    for (let at = 0; at < data.length; at += 3) if ((data[at] ?? 0) > 200) orange++
    assert.ok(orange > 1_400, String(orange))
  })

  test('the middle is that of the fit without it, also when it enlarges', async () => {
    for (const [width, height] of [
      [40, 21],
      [200, 151],
    ]) {
      const cover = { width, height, fit: 'cover' }
      assert.deepEqual(
        (await make(nine, [{ resize: { ...cover, gravity: 'center' } }])).bytes,
        (await make(nine, [{ resize: cover }])).bytes,
      )
      assert.deepEqual(sizeOf(await make(nine, [{ resize: { ...cover, gravity: 'north' } }])), [width, height])
    }
  })
})

test('enlarge: false keeps the size of a smaller picture', async () => {
  const source = await solid(40, 20, '#123456').png().toBuffer()
  const sizeIn = async (box: object) => sizeOf(await make(source, [{ resize: { ...box, enlarge: false } }]))
  assert.deepEqual(await sizeIn({ width: 100 }), [40, 20])
  assert.deepEqual(await sizeIn({ width: 100, height: 100, fit: 'cover' }), [40, 20])
  assert.deepEqual(await sizeIn({ width: 20 }), [20, 10])
})

test('enlarge: false with cover cuts a picture that is smaller in one direction', async () => {
  const source = await withMark(60, 40, { left: 0, top: 0, width: 10, height: 40 })
  const cover = async (width: number, height: number, gravity: string, dpr = 1) => {
    const steps = [{ resize: { width, height, fit: 'cover', enlarge: false, gravity } }]
    return make(source, [], {}, { steps, dpr })
  }
  assert.deepEqual(sizeOf(await cover(30, 100, 'center')), [30, 40])
  assert.deepEqual(sizeOf(await cover(100, 30, 'center')), [60, 30])
  assert.ok(near(await pixel((await cover(30, 100, 'west')).bytes, 0, 0), ORANGE))
  assert.ok(!near(await pixel((await cover(30, 100, 'east')).bytes, 0, 0), ORANGE))
  // It covers the box, but not twice: the ratio is that of the box.
  assert.deepEqual(sizeOf(await cover(30, 30, 'center', 2)), [40, 40])
  assert.deepEqual(sizeOf(await cover(20, 10, 'center', 2)), [40, 20])
  assert.deepEqual(sizeOf(await cover(30, 100, 'center', 2)), [30, 40])
})

describe('trim', () => {
  const box = { left: 12, top: 7, width: 30, height: 20 }

  test('removes the border, whatever comes after it', async () => {
    const source = await withMark(80, 60, box)
    const cut = await make(source, [{ trim: {} }])
    assert.deepEqual(sizeOf(cut), [30, 20])
    assert.ok(near(await pixel(cut.bytes, 0, 0), ORANGE))
    assert.deepEqual(sizeOf(await make(source, [{ trim: {} }, { resize: { width: 60 } }])), [60, 40])
    const error = await make(source, [{ trim: {} }, { crop: { x: 0, y: 0, width: 31, height: 20 } }]).catch(
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ImageError && error.code === 'invalid_params')
    assert.deepEqual(error.issues?.[0]?.path, ['steps', 1, 'crop', 'width'])
  })

  test('keeps a picture of one colour, and one whose border differs by more than the threshold', async () => {
    assert.deepEqual(sizeOf(await make(await solid(9, 5, '#777').png().toBuffer(), [{ trim: {} }])), [9, 5])
    const noisy = await sharp(Buffer.from([100, 120, 100, 100]), { raw: { width: 2, height: 2, channels: 1 } })
      .png()
      .toBuffer()
    assert.deepEqual(sizeOf(await make(noisy, [{ trim: { threshold: 30 } }])), [2, 2])
    assert.deepEqual(sizeOf(await make(noisy, [{ trim: { threshold: 5 } }])), [1, 1])
  })

  test('takes transparent pixels as alike, and of an animation what all frames need', async () => {
    const clear = await sharp({ create: { width: 50, height: 40, channels: 4, background: '#ff00ff00' } })
      .composite([{ input: { create: { width: 10, height: 10, channels: 4, background: '#0f0' } }, left: 20, top: 5 }])
      .png()
      .toBuffer()
    assert.deepEqual(sizeOf(await make(clear, [{ trim: {} }])), [10, 10])
    const moving = await animatedGif(40, 30)
    const { bytes, width, height } =
      writtenImages(
        await runTask(
          'recipe',
          { recipe: recipeSchema.parse({ steps: [{ trim: {} }] }), files: [], accepts: [], allows: [] },
          moving,
        ),
      )[0] ?? assert.fail()
    const { pages, pageHeight } = await sharp(bytes, { animated: true }).metadata()
    assert.deepEqual([pages, pageHeight, width, height], [3, height, 40, 30])
  })
})

test('rotate fills the corners that it opens with a background, and is transparent only where that is', async () => {
  const blue = await solid(40, 30, '#0000ff').png().toBuffer()
  const grey = await solid(40, 30, '#808080').grayscale().png().toBuffer()
  const cut = await solid(40, 30, '#00000000').png().toBuffer()
  const turn = async (source: Buffer, background?: string, angle = 30, output: object = {}) => {
    const { bytes } = await make(source, [{ rotate: { angle, background } }], {}, output)
    const { width, height, hasAlpha } = await sharp(bytes).metadata()
    return {
      hasAlpha,
      corner: await pixel(bytes, 0, 0),
      middle: await pixel(bytes, Math.floor(width / 2), Math.floor(height / 2)),
    }
  }
  for (const [source, middle] of [
    [blue, [0, 0, 255]],
    [grey, [128, 128, 128]],
  ] as const) {
    const red = await turn(source, '#f00')
    assert.equal(red.hasAlpha, false)
    assert.ok(near(red.corner, [255, 0, 0]) && near(red.middle, middle))
    const half = await turn(source, '#ff000080')
    assert.ok(half.hasAlpha && near(half.corner, [255, 0, 0, 128]))
    assert.equal((await turn(source)).corner.at(-1), 0)
    const quarter = await turn(source, '#f00', 90)
    assert.ok(!quarter.hasAlpha && near(quarter.corner, quarter.middle))
  }
  const turnedCut = await turn(cut, '#f00')
  assert.deepEqual([turnedCut.corner, turnedCut.middle.at(-1)], [[255, 0, 0, 255], 0])
  assert.ok(near((await turn(blue, undefined, 30, { format: 'jpeg' })).corner, [255, 255, 255]))
})

test('extend adds a border in its colour, and transparency only where it has some', async () => {
  const source = await solid(10, 10, '#808080').grayscale().png().toBuffer()
  const red = await make(source, [{ extend: { left: 5, top: 3, background: '#f00' } }])
  assert.deepEqual(sizeOf(red), [15, 13])
  assert.ok(near(await pixel(red.bytes, 1, 1), [255, 0, 0]))
  assert.ok(near(await pixel(red.bytes, 12, 10), [128, 128, 128]))
  assert.equal((await sharp(red.bytes).metadata()).hasAlpha, false)
  const clear = await make(source, [{ extend: { right: 5 } }])
  assert.equal((await pixel(clear.bytes, 12, 5)).at(-1), 0)
})

test('a format without transparency shows an added border on white, or in the colour of the background', async () => {
  const source = await solid(40, 40, '#0000ff').jpeg().toBuffer()
  const cornerOf = async (...steps: readonly object[]) =>
    (await pixel((await make(source, [{ extend: { right: 20 } }, ...steps], {}, { format: 'jpeg' })).bytes, 50, 20)).slice(0, 3)
  assert.ok(near(await cornerOf(), [255, 255, 255]))
  assert.ok(near(await cornerOf({ background: { color: '#f00' } }), [255, 0, 0]))
  const clear = await solid(40, 40, '#00000000').png().toBuffer()
  const { bytes } = await make(clear, [{ background: { color: '#f00' } }], {}, { format: 'jpeg' })
  assert.ok(near(await pixel(bytes, 20, 20), [255, 0, 0]))
})

test('background is what transparency becomes', async () => {
  const clear = await solid(6, 6, '#00000000').png().toBuffer()
  const blue = await make(clear, [{ background: { color: '#00f' } }])
  assert.ok(near(await pixel(blue.bytes, 3, 3), [0, 0, 255]))
  assert.equal((await sharp(blue.bytes).metadata()).hasAlpha, false)
})

test('sharpen raises the contrast of an edge, the more the larger its amount', async () => {
  const source = await withMark(60, 20, { left: 30, top: 0, width: 30, height: 20 })
  const soft = (await make(source, [{ blur: { sigma: 2 } }])).bytes
  const step = async (amount: number) => {
    const { bytes } = await make(soft, [{ sharpen: { amount } }])
    return ((await pixel(bytes, 31, 10))[0] ?? 0) - ((await pixel(bytes, 28, 10))[0] ?? 0)
  }
  const none = await step(0)
  const some = await step(1)
  const much = await step(5)
  assert.ok(none < some && some < much, String([none, some, much]))
})

test('shades of grey keep their transparency, whatever comes next', async () => {
  const source = await solid(40, 30, '#ff000080').png().toBuffer()
  const deep = await solid(40, 30, '#ff000080').toColourspace('rgb16').png().toBuffer()
  for (const from of [source, deep])
    for (const step of [{ flip: {} }, { resize: { width: 20 } }, { blur: { sigma: 2 } }])
      for (const format of ['same', 'webp']) {
        const { bytes } = await make(from, [{ grayscale: {} }, step], {}, { format })
        const [red = 0, green = 0, blue = 0, alpha] = await pixel(bytes, 10, 10)
        assert.ok(red === green && green === blue && Math.abs(red - 127) < 3, `${red}`)
        assert.ok(Math.abs((alpha ?? 0) - 128) <= 1, `${JSON.stringify(step)} ${alpha}`)
      }
})

describe('watermark', async () => {
  const base = await solid(200, 100, '#204060').png().toBuffer()
  const mark = await solid(40, 20, '#ff8000').png().toBuffer()
  const watermark = async (params: object) =>
    make(base, [{ watermark: { image: 'mark', opacity: 100, scale: 0.2, ...params } }], { mark })
  const isOrange = async (bytes: Buffer, x: number, y: number) => near(await pixel(bytes, x, y), ORANGE)

  test('the longest text, and one on a picture wider than letters can be drawn', async () => {
    const longest = await make(base, [{ watermark: { text: 'M'.repeat(500), weight: 'bold', opacity: 100, scale: 1 } }])
    assert.deepEqual([longest.width, longest.height], [200, 100])
    const lines = await make(base, [{ watermark: { text: `${'\n'.repeat(250)}${'M'.repeat(250)}`, scale: 1 } }])
    assert.deepEqual([lines.width, lines.height], [200, 100])
    const wide = await solid(40_000, 100, '#204060').png().toBuffer()
    const longMark = await make(wide, [{ watermark: { text: 'M'.repeat(400), scale: 1 } }])
    assert.deepEqual([longMark.width, longMark.height], [40_000, 100])
  })

  for (const [position, x, y] of [
    ...([
      ['top-left', 10, 10],
      ['top', 100, 10],
      ['top-right', 190, 10],
    ] as const),
    ...([
      ['left', 10, 50],
      ['center', 100, 50],
      ['right', 190, 50],
    ] as const),
    ...([
      ['bottom-left', 10, 90],
      ['bottom', 100, 90],
      ['bottom-right', 190, 90],
    ] as const),
  ] as const) {
    test(`${position}, with and without a margin`, async () => {
      assert.ok(await isOrange((await watermark({ position })).bytes, x, y))
      const { bytes } = await watermark({ position, margin: 0.1 })
      const inset = (at: number, length: number) => at + 10 * Math.sign(length / 2 - at)
      assert.ok(await isOrange(bytes, inset(x, 200), inset(y, 100)))
      assert.ok(!(position.includes('left') && (await isOrange(bytes, 5, y))))
    })
  }

  test('tiles with spaces between', async () => {
    const { bytes } = await watermark({ tile: true, spacing: 0.5 })
    for (const [left, top] of [
      [0, 0],
      [60, 0],
      [120, 40],
      [180, 80],
    ] as const) {
      assert.ok(await isOrange(bytes, left + 5, top + 5), String([left, top]))
      assert.ok(near(await pixel(bytes, Math.min(199, left + 50), top + 5), left === 180 ? ORANGE : BLUE), String([left, top]))
    }
  })

  test('turned by 90 degrees it stands upright, and never exceeds the base', async () => {
    const { bytes } = await watermark({ angle: 90, position: 'top-left' })
    assert.ok(await isOrange(bytes, 10, 35))
    assert.ok(!(await isOrange(bytes, 30, 10)))
    assert.deepEqual(sizeOf(await watermark({ angle: 90, scale: 1 })), [200, 100])
  })

  const ink = async (params: object) => {
    const { bytes } = await make(base, [{ watermark: { opacity: 100, position: 'center', ...params } }])
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    let count = 0
    let left = info.width
    let right = -1
    let top = info.height
    let bottom = -1
    for (let at = 0; at < data.length; at += 3) {
      if (Math.abs((data[at] ?? 0) - 32) + Math.abs((data[at + 2] ?? 0) - 96) < 40) continue
      count++
      const x = (at / 3) % info.width
      left = Math.min(left, x)
      right = Math.max(right, x)
      const y = Math.floor(at / 3 / info.width)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y)
    }
    return { count, width: right - left + 1, height: bottom - top + 1 }
  }

  test('a text is as wide as its scale says, in its colour, and bolder or outlined where that is asked for', async () => {
    const plain = await ink({ text: 'Pixelmill', scale: 0.5 })
    assert.ok(Math.abs(plain.width - 100) <= 6, String(plain.width))
    const bold = await ink({ text: 'Pixelmill', scale: 0.5, weight: 'bold' })
    assert.ok(bold.count > plain.count)
    const withStroke = await ink({ text: 'Pixelmill', scale: 0.5, stroke: '#000' })
    assert.ok(withStroke.count > plain.count)
    const { bytes } = await make(base, [
      { watermark: { text: '█', color: '#f00', opacity: 100, scale: 0.3, position: 'center' } },
    ])
    assert.ok(near(await pixel(bytes, 100, 50), [255, 0, 0]))
  })

  test('markup is drawn as it is written, and other scripts have letters of their own', async () => {
    const [tag, letter] = await Promise.all([ink({ text: '<b>&amp;</b>', scale: 0.5 }), ink({ text: 'b', scale: 0.5 })])
    // Twelve characters are wide, one is not.
    assert.ok(tag && letter && tag.width > 5 * tag.height && letter.width < letter.height, JSON.stringify([tag, letter]))
    const words = ['مرحبا', 'שלום', 'Ωλ', 'Привет']
    const inks = await Promise.all(words.map((text) => ink({ text, scale: 0.3 })))
    assert.equal(new Set(inks.map(({ count }) => count)).size, words.length)
  })

  test('a mark that is larger than its base, or whose spaces are, is made to fit', async () => {
    const tiny = await solid(1, 12, '#204060').png().toBuffer()
    for (const params of [{ text: '© Ana' }, { text: 'a', stroke: '#000', tile: true }, { text: 'a', angle: 45 }]) {
      assert.deepEqual(sizeOf(await make(tiny, [{ watermark: params }])), [1, 12])
    }
    assert.deepEqual(sizeOf(await watermark({ tile: true, spacing: 5, scale: 1 })), [200, 100])
  })

  test('a text of which nothing is visible is refused at its place', async () => {
    const error = await make(base, [{ watermark: { text: '\u200b' } }]).catch((reason: unknown) => reason)
    assert.ok(error instanceof ImageError)
    assert.deepEqual(
      [error.code, error.issues?.map(({ path }) => path.join('.'))],
      ['invalid_params', ['steps.0.watermark.text']],
    )
  })

  for (const [says, params, place] of [
    ['neither image nor text', {}, 'image'],
    ['both', { image: 'mark', text: 'a' }, 'text'],
    ['a colour of an image', { image: 'mark', color: '#fff' }, 'color'],
    ['a colour that is none', { text: 'a', color: 'red' }, 'color'],
    ['a text of 501 characters', { text: 'a'.repeat(501) }, 'text'],
    ['a control character', { text: 'a\u0007' }, 'text'],
    ['spaces alone', { text: ' \n ' }, 'text'],
  ] as const) {
    test(`${says} is refused`, () => {
      const { error } = recipeSchema.safeParse({ steps: [{ watermark: params }] })
      assert.deepEqual(
        error?.issues.map(({ path }) => path.join('.')),
        [`steps.0.watermark.${place}`],
      )
    })
  }
})

describe('removeBackground and enhance', async () => {
  const subject = await sharp({ create: { width: 200, height: 150, channels: 3, background: '#dddddd' } })
    .composite([{ input: Buffer.from(await solid(80, 70, '#a01020').png().toBuffer()), left: 60, top: 40 }])
    .png()
    .toBuffer()

  test('the subject stays, what is behind it is transparent, and steps can follow', async () => {
    const cut = await make(subject, [{ removeBackground: {} }])
    assert.equal((await pixel(cut.bytes, 5, 5)).at(-1), 0)
    assert.ok(near(await pixel(cut.bytes, 100, 75), [160, 16, 32]))
    const cutOut = await make(subject, [{ removeBackground: {} }, { background: { color: '#00f' } }, { trim: {} }])
    assert.ok(cutOut.width < 100 && cutOut.width >= 80, String(cutOut.width))
  })

  test('a picture that cannot be separated is an error', async () => {
    const noise = Buffer.from(Uint8Array.from({ length: 120 * 120 * 3 }, (_, at) => (at * 7919 + (at >> 3) * 104729) % 256))
    const busy = await sharp(noise, { raw: { width: 120, height: 120, channels: 3 } })
      .png()
      .toBuffer()
    const error = await make(busy, [{ removeBackground: {} }]).catch((reason: unknown) => reason)
    assert.ok(error instanceof ImageError && error.code === 'background_not_separable', String(error))
  })

  test('upscale doubles both sides, auto keeps them; animations are refused at their place', async () => {
    assert.deepEqual(sizeOf(await make(subject, [{ enhance: { operation: 'upscale' } }])), [400, 300])
    assert.deepEqual(sizeOf(await make(subject, [{ enhance: {} }])), [200, 150])
    const recipe = recipeSchema.parse({ steps: [{ enhance: {} }] })
    const moving = await animatedGif()
    const error = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, moving).catch(
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ImageError && error.code === 'invalid_params')
    assert.deepEqual(error.issues?.[0]?.path, ['steps', 0, 'enhance', 'frames'])
  })
})
