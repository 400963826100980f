import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import type { StepRow } from '../../src/recipe/step.ts'
import { steps } from '../../src/recipe/steps/index.ts'
import { writtenImages } from '../../src/tasks/task.ts'
import { runTask } from '../support/run-task.ts'

/** A PNG whose samples are read without libvips gives what libvips makes of the same pixels, interlaced. */

const plain = await photo(120, 80).png().toBuffer()
const interlacedFile = await sharp(plain).png({ progressive: true }).toBuffer()

async function render(source: Buffer, list: readonly object[], outputs: readonly object[]): Promise<readonly Buffer[]> {
  const recipe = recipeSchema.parse({ steps: list, outputs })
  return writtenImages(await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source)).map(({ bytes }) => bytes)
}

async function assertAlike(list: readonly object[], outputs: readonly object[] = [{ format: 'png' }]): Promise<void> {
  const ours = await render(plain, list, outputs)
  const theirs = await render(interlacedFile, list, outputs)
  assert.ok(Buffer.concat(ours).equals(Buffer.concat(theirs)), JSON.stringify(list))
}

test('the two sources are read in two ways', () => {
  assert.ok(codecs.png.samplesOf?.(plain))
  assert.equal(codecs.png.samplesOf?.(interlacedFile), undefined)
})

// No subject stands out from the background of the picture.
const rows = Object.entries(steps as Readonly<Record<string, StepRow>>).filter(
  ([name, { files }]) => !files && name !== 'removeBackground',
)
for (const [name, { example }] of rows)
  test(`resized after ${name}, before it, and twice`, async () => {
    const step = { [name]: example }
    const resize = { resize: { width: 100 } }
    await assertAlike([step, resize])
    await assertAlike([resize, step])
    await assertAlike([step, resize, { resize: { width: 40 } }])
  })

test('sides, windows, enlarging, several outputs and formats', async () => {
  for (const resize of [
    { width: 30, height: 60, fit: 'cover' },
    { width: 30, height: 60, fit: 'contain' },
    { width: 30, height: 60, fit: 'cover', gravity: 'subject' },
    { width: 300, height: 20, fit: 'fill' },
    { width: 200 },
    { width: 200, enlarge: false },
  ]) {
    await assertAlike([{ resize }])
    const small = { name: 'small', format: 'png', steps: [{ resize: { width: 20 } }] }
    await assertAlike([{ resize }], [{ name: 'png', format: 'png' }, { name: 'webp', format: 'webp' }, small])
  }
})
