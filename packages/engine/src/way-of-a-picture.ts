import { recognise } from '@pixelmill/codecs'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { ofTheFile, type WarningName } from '@pixelmill/codecs/contract/warnings'
import { attach } from '@pixelmill/codecs/metadata/attach'
import { attachmentsFor } from '@pixelmill/codecs/metadata/attachments'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { decodes, type Image, openImage } from '@pixelmill/codecs/pixels/open'
import type { Programs } from '@pixelmill/codecs/programs'
import { applySteps } from './recipe/apply-steps.ts'
import { encodeOutput } from './recipe/encode-output.ts'
import { type Picture, pictureOf } from './recipe/picture.ts'
import type { Plan, PlannedOutput } from './recipe/plan.ts'
import { settle } from './recipe/settle.ts'
import { featuresAfter } from './recipe/source-features.ts'
import { isTooHeavy, weigh } from './tasks/estimate.ts'
import { type TaskName, tasks } from './tasks/index.ts'
import type { ImageReport, OutputFile, PlannedTask, Task, TaskResult, ToFinish } from './tasks/task.ts'

/** A request to a renderer about its files; the parameters were checked. */
export interface TaskCall {
  readonly task: TaskName
  readonly params: Readonly<Record<string, unknown>>
}

/** Limits of work without asking. */
export interface Allowance {
  readonly megapixels: number
  /** Estimated seconds; unlimited by default. */
  readonly seconds?: number | undefined
}

/** The picture is heavier than allowed, or its work longer; nothing was decoded. */
export interface TooHeavy {
  readonly megapixels: number
}

const NO_BYTES = Buffer.alloc(0)

/**
 * The way of a picture through a renderer, from bytes to bytes. Work beyond the allowance is returned, so that the pool can wait for
 * memory, or run it in another lane. Outside of the renderer, a program finishes what it alone encodes (rendering/finishing.ts), and
 * results are signed (provenance/signed-pool.ts), since a renderer may start no program and has no key.
 * @throws ImageError for the caller's errors, conversion_failed for ours
 */
export async function run(
  { task: name, params }: TaskCall,
  [source = NO_BYTES, ...others]: readonly Buffer[],
  allowance: Allowance,
  programs: Programs,
): Promise<TaskResult | TooHeavy> {
  const task: Task = tasks[name]
  if (task.runOnFile) return await task.runOnFile(source, params)
  const header = await readHeader(source, recognise(source))
  const answer = task.look?.(header, source, params)
  if (answer) return answer
  const plan = task.plan?.(header, params, programs)
  const target = plan?.opened ?? { animated: task.moves === true }
  const load = await weigh(plan, { header, target, bytes: source.length, others, own: task.weigh?.(header, params) })
  if (isTooHeavy(load, allowance)) return { megapixels: load.megapixels }
  const image = await openImage(source, header, target, plan?.outputs[0]?.asked.icc)
  try {
    if (task.run) return await task.run(image, params, others)
    const outputs = plan ? await renderPlan(plan, image, others) : []
    return writtenResult(task, outputs, image.warnings)
  } catch (cause) {
    if (cause instanceof ImageError) throw cause
    throw new ImageError((await decodes(image)) ? 'conversion_failed' : 'invalid_image', { cause })
  }
}

/**
 * Carries a plan out: the shared steps are done once, and each output goes on from there.
 * @param files the further files, in the order of the plan
 */
async function renderPlan(plan: Plan, image: Image, files: readonly Buffer[]): Promise<readonly OutputFile[]> {
  const place = { plan, files, place: ['steps'] }
  const sharedPicture = await applySteps(pictureOf(image), plan.shared, place)
  const settledPicture = isDecodedOnce(plan, sharedPicture) ? await settle(sharedPicture) : undefined
  const results: OutputFile[] = []
  // One after the other: each needs the memory of a picture while it is encoded.
  for (const [index, output] of plan.outputs.entries()) {
    const start = await startOf(output, index)
    const picture = await applySteps(start, output.steps, { ...place, place: ['outputs', index, 'steps'] })
    results.push(await renderOutput(picture, output))
  }
  return results

  async function startOf({ codec, asked }: PlannedOutput, index: number): Promise<Picture> {
    if (settledPicture) return codec.animated ? settledPicture.picture() : settledPicture.firstFrame()
    // The image was opened for the first output.
    if (index === 0) return sharedPicture
    const again = await openImage(image.source, image.header, plan.opened, asked.icc)
    return applySteps(pictureOf(again), plan.shared, place)
  }
}

/** Whether several outputs start from pixels in memory. */
const isDecodedOnce = ({ outputs, decoding }: Plan, { header, source }: Picture): boolean =>
  outputs.length > 1 && (decoding === 'once' || (decoding !== 'each' && !header.codec.reducesWhileDecoding?.(source)))

/** Encodes an output, and adds what it carries of its source. */
async function renderOutput(picture: Picture, output: PlannedOutput): Promise<OutputFile> {
  const attachments = await attachmentsFor(picture, output.asked, output.codec)
  const encodedFile = await encodeOutput(picture, output, attachments)
  // Bytes are asked for, a gain map is not.
  if (!encodedFile) return renderOutput(picture, { ...output, asked: { ...output.asked, hdr: 'drop' } })
  const mostBytes = output.asked.optimize ? picture.source.length : undefined
  const { hasMap, ...attached } = attach(encodedFile, attachments, mostBytes)
  const file = { ...encodedFile, ...attached }
  const original = { bytes: picture.source, codec: picture.header.codec }
  return { ...file, ...featuresAfter(original, file, hasMap) }
}

/**
 * The result of a task whose plan wrote these files.
 * @param warnings about what was decoded
 */
function writtenResult(task: PlannedTask, outputs: readonly OutputFile[], warnings: readonly WarningName[]): TaskResult {
  const files = outputs.map(({ bytes }) => bytes)
  const finish: ToFinish[] = []
  const reports: ImageReport[] = []
  for (const [file, { codec, bytes: _, untouched, finish: rest, gainMap, ...facts }] of outputs.entries()) {
    reports.push({
      format: codec.name,
      warnings: warnings.filter((warning) => !untouched || ofTheFile.includes(warning)),
      ...(untouched && { keptSource: true }),
      ...facts,
    })
    if (!rest || !codec.finish) continue
    const { quality, otherwise } = rest
    finish.push({
      program: codec.finish,
      file,
      quality,
      ...(otherwise && { otherwise: files.push(otherwise) - 1 }),
      ...(gainMap && { gainMap: { file: files.push(gainMap.upright) - 1, values: gainMap.values } }),
    })
  }
  const [first, ...more] = reports
  if (!first) throw new Error('a plan wrote no image')
  return { report: task.reportOn([first, ...more]), files, ...(finish.length > 0 && { finish }) }
}
