import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { croppingAround } from '@pixelmill/vision/salience/crop-around'
import { salientSubject } from '@pixelmill/vision/salience/salient-subject'
import { z } from 'zod'
import { unknownPlatforms, wantedCrops } from '../crops/wanted-crops.ts'
import type { TaskReport } from '../tasks/index.ts'
import type { TaskResult } from '../tasks/task.ts'

const { platforms: mostPlatforms, platformLength, ratio } = limits.ai.smartCrop
const side = z.number().positive('Must be more than 0.')
const isInRange = (value: number): boolean => value >= 1 / ratio && value <= ratio

export const suggestCropsOptions = z.strictObject({
  platforms: z
    .array(z.string().max(platformLength))
    .max(mostPlatforms)
    .optional()
    .describe('Names such as instagram-square; those of other platforms are in unknownPlatforms.'),
  ratio: z
    .object({ width: side, height: side })
    .refine(({ width, height }) => isInRange(width / height), `Must be between 1:${ratio} and ${ratio}:1.`)
    .optional()
    .describe('A ratio of your own; its crop is called custom.'),
})

const size = z.object({ width: z.number(), height: z.number() })
const rectangle = z.object({ x: z.number(), y: z.number(), ...size.shape })

export const suggestedCrops = z.object({
  image: size.describe('As displayed; crops are in its pixels.'),
  crops: z.array(
    z.object({
      platform: z.string(),
      target: size.describe('The size that the platform expects.'),
      crop: rectangle.describe("The largest rectangle of the target's ratio that keeps most of the subject."),
    }),
  ),
  unknownPlatforms: z.array(z.string()).exactOptional(),
})

/** @throws ImageError invalid_params */
export const cropsRequest = (options: unknown): z.output<typeof suggestCropsOptions> => parseJson(suggestCropsOptions, options)

/** The crops that keep the most salient part of the picture. */
export function cropsAround(
  { report, files }: TaskResult<TaskReport<'focus'>>,
  { platforms, ratio: customRatio }: z.output<typeof suggestCropsOptions>,
): z.output<typeof suggestedCrops> {
  const image = { width: report.width, height: report.height }
  const map = { width: report.mapWidth, height: report.mapHeight, data: files[0] ?? Buffer.alloc(0) }
  const cropOf = croppingAround(image, salientSubject(map, image))
  const request = { platforms, customRatio }
  const unknownNames = unknownPlatforms(request)
  return {
    image,
    crops: wantedCrops(request, image).map(({ platform, target, ratio: shape }) => ({ platform, target, crop: cropOf(shape) })),
    ...(unknownNames.length > 0 && { unknownPlatforms: [...unknownNames] }),
  }
}
