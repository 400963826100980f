import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { runTask } from '@pixelmill/engine/test/support/run-task'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import { cloudinaryDialect } from '../cloudinary/dialect.ts'
import { imgixDialect } from '../imgix/dialect.ts'
import type { RunTask } from '../preparation.ts'

/** What lies over a picture, and around it: colours at places of pictures that are made by the recipes. */

const RED = [255, 0, 0]
const GREEN = [0, 128, 0]
const BLUE = [0, 0, 255]
const WHITE = [255, 255, 255]

/** 200 × 100 of blue; a mark of 20 × 10 of red; and blue with a white border of 30 pixels on the left and 10 below. */
const originals: Readonly<Record<string, Buffer>> = {
  'a.png': await solid(200, 100, '#0000ff').png().toBuffer(),
  'marks/red.png': await solid(20, 10, '#ff0000').png().toBuffer(),
  'bordered.png': await solid(100, 80, '#0000ff').extend({ left: 30, bottom: 10, background: '#ffffff' }).png().toBuffer(),
}

const source = deliverySource('shop', { type: 'web', baseUrl: 'https://example.com/' })
const access = { secrets: new Map(), openSources: ['shop'] }
const dialects = { imgix: imgixDialect(access), cloudinary: cloudinaryDialect(access) }
const run: RunTask = (task, params, files) => runTask(task, params, ...files)
const readFile = async (path: string) => {
  const file = originals[path]
  if (!file) throw new ApiError('source_image_not_found')
  return file
}

async function render(url: string): Promise<Buffer> {
  const dialect = url.startsWith('/imgix/') ? dialects.imgix : dialects.cloudinary
  const order = await dialect.read(url, source, async () => recipeSchema.parse({}))
  const original = await readFile(order.path.join('/'))
  const preparation = await order.prepare?.(original, run, readFile)
  if (!preparation || preparation === 'original') return assert.fail('nothing was planned')
  const { recipe, files } = preparation
  const params = { recipe, files: [...files.keys()], accepts: [], allows: [] }
  const [image] = writtenImages(await run('recipe', params, [original, ...files.values()]))
  return image?.bytes ?? assert.fail()
}

type Place = readonly [x: number, y: number, colour: readonly number[]]

const looks: Readonly<Record<string, readonly Place[]>> = {
  '/imgix/shop/a.png?mark=/marks/red.png': [
    [170, 80, RED],
    [189, 89, RED],
    [190, 90, BLUE],
    [169, 79, BLUE],
  ],
  '/imgix/shop/a.png?mark=https%3A%2F%2Fexample.com%2Fmarks%2Fred.png&markalign=top,left&markpad=0': [
    [0, 0, RED],
    [19, 9, RED],
    [20, 10, BLUE],
  ],
  '/imgix/shop/a.png?mark=marks/red.png&mark-align=center,middle&mark-scale=50': [
    [50, 25, RED],
    [149, 74, RED],
    [49, 24, BLUE],
    [150, 75, BLUE],
  ],
  '/imgix/shop/a.png?mark=marks/red.png&mark-x=5&mark-y=7&mark-w=40&w=100': [
    [5, 7, RED],
    [44, 26, RED],
    [4, 7, BLUE],
    [45, 27, BLUE],
  ],
  '/imgix/shop/a.png?mark=marks/red.png&mark-alpha=50&mark-pad=0': [[190, 95, [128, 0, 128]]],
  '/imgix/shop/a.png?border=5,f00': [
    [0, 0, RED],
    [4, 50, RED],
    [5, 50, BLUE],
    [199, 99, RED],
  ],
  '/imgix/shop/a.png?mark=marks/red.png&mark-h=40&mark-fit=max&mark-pad=0': [
    [120, 60, RED],
    [119, 60, BLUE],
    [120, 59, BLUE],
  ],
  '/imgix/shop/bordered.png?trim=color&trim-tol=20': [[0, 0, BLUE]],
  '/imgix/shop/bordered.png?trim=auto&trim-md=20': [[0, 0, BLUE]],
  '/imgix/shop/bordered.png?trim=auto': [
    [0, 0, BLUE],
    [99, 79, BLUE],
  ],
  '/imgix/shop/bordered.png?trim=auto&trim-pad=5': [
    [4, 10, WHITE],
    [5, 10, BLUE],
    [50, 84, WHITE],
  ],
  '/shop/image/upload/l_marks:red,g_south_east,x_10,y_10/a.png': [
    [170, 80, RED],
    [189, 89, RED],
    [190, 90, BLUE],
    [169, 79, BLUE],
  ],
  '/shop/image/upload/l_marks:red.png/a.png': [
    [90, 45, RED],
    [109, 54, RED],
    [89, 44, BLUE],
  ],
  '/shop/image/upload/w_100/l_marks:red/c_scale,w_40/o_50/fl_layer_apply,g_north_west,x_3/a.png': [
    [3, 0, [128, 0, 128]],
    [2, 0, BLUE],
  ],
  '/shop/image/upload/l_marks:red,fl_relative,w_0.5,g_north/a.png': [
    [50, 0, RED],
    [149, 49, RED],
    [49, 0, BLUE],
  ],
  '/shop/image/upload/bo_5px_solid_green/a.png': [
    [0, 0, GREEN],
    [5, 5, BLUE],
    [204, 104, BLUE],
    [209, 109, GREEN],
  ],
  '/shop/image/upload/e_trim/c_scale,w_50/bordered.png': [
    [0, 0, BLUE],
    [49, 39, BLUE],
  ],
}
for (const [url, places] of Object.entries(looks))
  test(`looks as it should: ${url}`, async () => {
    const bytes = await render(url)
    for (const [x, y, colour] of places) {
      const actual = await pixel(bytes, x, y)
      assert.ok(near(actual.slice(0, 3), colour), `${x},${y}: ${actual}`)
    }
  })

const refusals: Readonly<Record<string, string>> = {
  '/imgix/shop/a.png?mark=https://other.example.com/a.png': 'mark',
  '/imgix/shop/a.png?mark=marks/red.png&dpr=2': 'mark',
  '/imgix/shop/a.png?border=5,80ff0000': 'border',
  '/imgix/shop/a.png?bg=80ff0000': 'bg',
  '/shop/image/upload/c_fill,w_50,h_50,g_north,x_5/a.png': 'x',
  [`/shop/image/upload/${'f_png/'.repeat(41)}a.png`]: 'url',
  [`/shop/image/upload/${'l_marks:red/'.repeat(9)}a.png`]: 'url',
  '/shop/image/upload/l_text:Arial_40:Hello,g_south/a.png': 'l',
  '/shop/image/upload/l_marks:red,e_blur:300/a.png': 'e_blur',
  '/shop/image/upload/w_100/e_trim/a.png': 'e_trim',
  '/shop/image/upload/fl_layer_apply/a.png': 'fl',
  '/shop/image/upload/l_marks:red,r_5/a.png': 'r',
}
for (const [url, parameter] of Object.entries(refusals))
  test(`is refused: ${url}`, () =>
    assert.rejects(
      () => render(url),
      (error) => isRefusal(error) && error.code === 'invalid_params' && error.message.startsWith(`${parameter}: `),
    ))

test('a mark that is not there is an error', () =>
  assert.rejects(
    () => render('/shop/image/upload/l_marks:none/a.png'),
    (error) => isRefusal(error) && error.code === 'source_image_not_found',
  ))

test('a name under which the picture is saved', async () => {
  const preset = async () => recipeSchema.parse({})
  const imgix = await dialects.imgix.read('/imgix/shop/a.png?dl=poster.jpg&w=5', source, preset)
  const cloudinary = await dialects.cloudinary.read('/shop/image/upload/fl_attachment:poster/a.png', source, preset)
  for (const { disposition } of [imgix, cloudinary]) assert.deepEqual(disposition, { type: 'attachment', stem: 'poster' })
})
