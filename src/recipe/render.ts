import type { Encoded } from '../image/encode.ts'
import type { Image } from '../image/open.ts'
import { scaled } from '../image/size.ts'
import { encodeOutput } from './encode-output.ts'
import { type Canvas, type Picture, pictureOf, type Settled, settle, stages } from './picture.ts'
import { atPlace, type Plan, type PlannedOutput } from './plan.ts'
import type { NamedStep } from './recipe.ts'
import type { Context, StepRow } from './step.ts'
import { steps } from './steps/index.ts'

/** Pixels over all frames that are kept in memory for several outputs; a larger picture is decoded for each of them. */
const SHARED_PIXELS = 25_000_000

/**
 * Carries a planned recipe out: the picture is decoded once, the shared steps are done once, and each output goes on from there.
 * @param again opens the picture again: for pictures of more than SHARED_PIXELS
 * @param files the further files, in the order of the plan
 * @throws ApiError invalid_params for a size that only the pixels tell, and what the steps throw
 */
export async function renderRecipe(
  plan: Plan,
  image: Image,
  again: () => Promise<Image>,
  files: readonly Buffer[],
): Promise<readonly Encoded[]> {
  const start = pictureOf(image)
  const known = contextOf(plan, start, files)
  const [first, ...more] = plan.outputs
  if (!first) throw new Error('a recipe without outputs')
  const shared = await carryOut(start, plan.shared, known, ['steps'])
  if (more.length === 0) return [await outputOf(shared, first, first.steps, known, 0)]
  const { width, height } = shared.canvas
  const base = width * height * shared.frames <= SHARED_PIXELS ? await baseOf(shared, plan) : undefined
  const results: Encoded[] = []
  // One after the other: each needs the memory of a picture while it is encoded.
  for (const [index, output] of plan.outputs.entries()) {
    const picture = base
      ? output.codec.animated
        ? base.settled.picture()
        : base.settled.firstFrame()
      : await carryOut(pictureOf(await again()), plan.shared, known, ['steps'])
    results.push(await outputOf(picture, output, base ? stepsFrom(base.whole, output) : output.steps, known, index))
  }
  return results
}

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

async function outputOf(
  picture: Picture,
  output: PlannedOutput,
  own: readonly NamedStep[],
  known: Known,
  index: number,
): Promise<Encoded> {
  return encodeOutput(await carryOut(picture, own, known, ['outputs', index, 'steps']), output)
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
      const { pixels, width, height } = 'pixels' in applied ? applied : { ...after, pixels: applied }
      picture = { ...picture, pixels, canvas: { ...after, width, height }, stage: row.to(params) }
    } catch (error) {
      throw atPlace([...place, index, name], error)
    }
  }
  return picture
}

/** What several outputs start from. */
interface Base {
  readonly settled: Settled
  /** The size of the picture that `settled` is a reduction of. */
  readonly whole: Canvas
}

/**
 * Decodes the picture, at the smallest power of two of its size that is enough for all outputs: where its decoder gives that for a
 * fraction of the time, and every output begins with a resize.
 */
async function baseOf(shared: Picture, { outputs, shared: done }: Plan): Promise<Base> {
  const { canvas: whole, header, source } = shared
  const scales = outputs.map(({ steps: [step] }) => {
    if (step?.name !== 'resize') return 1
    const to = scaled(whole, step.params)
    return Math.max(to.width / whole.width, to.height / whole.height)
  })
  const factor = 2 ** Math.floor(-Math.log2(Math.max(...scales)))
  if (done.length > 0 || factor < 2 || !header.codec.reducesWhileDecoding?.(source))
    return { settled: await settle(shared), whole }
  const size = { width: Math.ceil(whole.width / factor), height: Math.ceil(whole.height / factor) }
  const pixels = shared.pixels.resize({ ...size, fit: 'fill' })
  return { settled: await settle({ ...shared, pixels, stage: 'sized' }), whole }
}

/** The steps of an output, the first of which is given the size that it would have for the whole picture. */
function stepsFrom(whole: Canvas, { steps: list }: PlannedOutput): readonly NamedStep[] {
  const [first, ...rest] = list
  if (first?.name !== 'resize') return list
  const { fit, ...box } = first.params
  if ((fit === 'cover' || fit === 'contain') && box.width !== undefined && box.height !== undefined) return list
  return [{ name: 'resize', params: { ...first.params, ...scaled(whole, first.params), fit: 'fill' } }, ...rest]
}
