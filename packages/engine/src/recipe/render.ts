import type { Colours, Image } from '@pixelmill/codecs/pixels/open'
import type { OutputFile } from './carried.ts'
import { encodeOutput } from './encode-output.ts'
import { type Picture, pictureOf, settle, stages } from './picture.ts'
import { atPlace, type Plan, type PlannedOutput } from './plan.ts'
import type { NamedStep } from './recipe.ts'
import type { Context, StepRow } from './step.ts'
import { steps } from './steps/index.ts'

/**
 * Carries a planned recipe out: the shared steps are done once, and each output goes on from there.
 * @param again opens the picture again, where it is decoded for each output
 * @param files the further files, in the order of the plan
 * @throws ApiError invalid_params for a size that only the pixels tell, and what the steps throw
 */
export async function renderRecipe(
  plan: Plan,
  image: Image,
  again: (colours: Colours) => Promise<Image>,
  files: readonly Buffer[],
): Promise<readonly OutputFile[]> {
  const start = pictureOf(image)
  const known = contextOf(plan, start, files)
  const [first, ...more] = plan.outputs
  if (!first) throw new Error('a recipe without outputs')
  const shared = await carryOut(start, plan.shared, known, ['steps'])
  if (more.length === 0) return [await outputOf(shared, first, known, 0)]
  const base = isDecodedOnce(shared, plan) ? await settle(shared) : undefined
  const results: OutputFile[] = []
  // One after the other: each needs the memory of a picture while it is encoded.
  for (const [index, output] of plan.outputs.entries()) {
    results.push(await outputOf(await startOf(output), output, known, index))
  }
  return results

  async function startOf(output: PlannedOutput): Promise<Picture> {
    if (base) return output.codec.animated ? base.picture() : base.firstFrame()
    // The image was opened for the first output.
    if (output === first) return shared
    return carryOut(pictureOf(await again(output.asked.icc)), plan.shared, known, ['steps'])
  }
}

/** Whether outputs start from pixels in memory. */
const isDecodedOnce = ({ header, source }: Picture, { decoding }: Plan): boolean =>
  decoding === 'once' || (decoding !== 'each' && !header.codec.reducesWhileDecoding?.(source))

type Known = Omit<Context, 'after'>

function contextOf({ outputs, files: names }: Plan, { header }: Picture, files: readonly Buffer[]): Known {
  return {
    transparent: outputs.some(({ codec }) => codec.alpha),
    deep: header.deep && outputs.some(({ keepDepth, codec }) => keepDepth && codec.deep),
    file(name) {
      const bytes = files[names.indexOf(name)]
      if (!bytes) throw new Error(`a step reads the file ${name}, which was not sent`)
      return bytes
    },
  }
}

async function outputOf(picture: Picture, output: PlannedOutput, known: Known, index: number): Promise<OutputFile> {
  return encodeOutput(await carryOut(picture, output.steps, known, ['outputs', index, 'steps']), output)
}

/** Adds steps to a pipeline, and decodes between two that libvips would not do in this order. */
async function carryOut(
  start: Picture,
  list: readonly NamedStep[],
  known: Known,
  place: readonly (string | number)[],
): Promise<Picture> {
  let picture = start
  for (const [index, { name, params }] of list.entries()) {
    const row: StepRow = steps[name]
    if (stages.indexOf(picture.stage) > stages.indexOf(row.from)) picture = (await settle(picture)).picture()
    const { canvas } = picture
    try {
      const after = row.plan(canvas, params)
      const applied = await row.apply(picture, params, { ...known, after })
      const { pixels, width, height, placement } = { ...after, ...('pixels' in applied ? applied : { pixels: applied }) }
      const placements = placement ? [...picture.placements, placement] : picture.placements
      picture = { ...picture, pixels, canvas: { ...after, width, height }, stage: row.to(params), placements }
    } catch (error) {
      throw atPlace([...place, index, name], error)
    }
  }
  return picture
}
