import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { jpegToPack } from '@pixelmill/codecs/jxl/jpeg-to-pack'
import type { Attachments } from '@pixelmill/codecs/metadata/attachments'
import { decodeFrames } from '@pixelmill/codecs/pixels/strip'
import { type Edited, type Encoded, type EncodeJob, encodeJob, writeJob } from '../image/encode.ts'
import { encodeToBest } from '../image/to-best.ts'
import { encodeToTarget } from '../image/to-target.ts'
import { smallerFile, sourceFileOf } from './kept-source.ts'
import { optimizeOutput, smallerToTarget } from './optimize-output.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'
import { settle } from './settle.ts'

/**
 * Writes the pixels of an output: packed as they are, in the best of several formats, as small as looks alike, to its target, or with its
 * quality.
 * @param attachments what the file will carry, which counts where bytes are asked for
 * @returns undefined where it does not fit, but would without its gain map
 * @throws ImageError cannot_fit
 */
export async function encodeOutput(
  picture: Picture,
  output: PlannedOutput,
  attachments: Attachments | undefined,
): Promise<Encoded | undefined> {
  const beside = output.asked.maxBytes === undefined ? 0 : (attachments?.bytes() ?? 0)
  try {
    return await encodePixels(picture, output, attachments, beside)
  } catch (error) {
    if (error instanceof ImageError && error.code === 'cannot_fit' && attachments?.gainMap) return undefined
    throw error
  }
}

async function encodePixels(
  pipeline: Picture,
  output: PlannedOutput,
  attachments: Attachments | undefined,
  beside: number,
): Promise<Encoded> {
  const { asked, choices, bestScore, isSearched, packing } = output
  const picture = await flattenable(pipeline, output)
  const editedPicture = editedFor(picture, output)
  const own = sourceFileOf(picture, output, attachments)
  const jpeg = packing && jpegToPack(picture.source, picture.header.completed ?? picture.source, asked.icc)
  if (jpeg) return packJpeg(jpeg, encodeJob(editedPicture), packing)
  if (bestScore !== undefined) {
    const deep = picture.header.deep && output.keepDepth
    const decodedFrames = await decodeFrames(picture.pixels, { frames: picture.frames, deep })
    const jobs = choices.map((codec) => encodeJob({ ...editedPicture, codec, pixels: decodedFrames.all() }))
    const target = { visualQuality: bestScore, maxBytes: asked.maxBytes, beside }
    return smallerToTarget(picture.pixels, target, own?.file, () => encodeToBest(jobs, target))
  }
  const job = encodeJob(editedPicture)
  if (asked.optimize) return optimizeOutput(picture, job, output, attachments, beside)
  const target = { ...asked, beside }
  if (isSearched) return smallerToTarget(job.pixels, target, own?.file, () => encodeToTarget(job, target))
  const file = await writeJob(job)
  return own ? smallerFile(file, own) : file
}

/** libvips would show the picture on white before it adds a transparent border. */
async function flattenable(picture: Picture, { choices }: PlannedOutput): Promise<Picture> {
  const isLate = picture.stage === 'finished' && picture.canvas.alpha && choices.some(({ alpha }) => !alpha)
  return isLate ? (await settle(picture)).picture() : picture
}

function editedFor(picture: Picture, { asked, codec, keepDepth }: PlannedOutput): Edited {
  const { pixels, frames, header, canvas } = picture
  const icc = canvas.grey ? undefined : picture.icc
  return { ...canvas, pixels, codec, quality: asked.quality, effort: asked.effort, frames, header, keepDepth, icc }
}

/** The JPEG for a program that packs it. Its pixels are decoded once all the same, which finds a damaged file. */
async function packJpeg(jpeg: Buffer, { pixels, width, height }: EncodeJob, codec: Codec): Promise<Encoded> {
  await pixels.raw().toBuffer()
  return { bytes: jpeg, codec, width, height, reversible: 'jpeg', finish: { quality: undefined } }
}
