import { codecs } from '@pixelmill/codecs'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { largestWindow } from '@pixelmill/vision/salience/crop-around'
import type { Rectangle } from '@pixelmill/vision/salience/subject'
import type { Pool } from '../rendering/pool.ts'
import type { TaskReport } from '../tasks/index.ts'
import { type InlineImage, OutgoingImage } from './inline-image.ts'
import { DEFAULT_PLATFORMS, sizeFor } from './platforms.ts'

export interface WantedCrop {
  readonly platform: string
  /** Width ÷ height. */
  readonly ratio: number
  /** Size of the result, where the image is large enough. */
  readonly target: Size
}

export interface CropRequest {
  readonly platforms?: readonly string[] | undefined
  readonly customRatio?: Size | undefined
}

/** Longest side of a crop to a custom ratio, which has no size: a page on a high-density screen. */
const CUSTOM_SIDE = 2048

/** Each name once, in the order asked. */
const namesIn = ({ platforms = [] }: CropRequest): readonly string[] => [
  ...new Set(platforms.map((name) => name.trim().toLowerCase())),
]

const asksForNothing = (request: CropRequest): boolean => !request.platforms?.length && !request.customRatio

/** Unknown platforms. New ones appear faster than this table grows, so they are listed in the answer and are not an error. */
export const unknownPlatforms = (request: CropRequest): readonly string[] => namesIn(request).filter((name) => !sizeFor(name))

/** The requested crops in their order, a custom ratio last. */
export function wantedCrops(request: CropRequest, image: Size): readonly WantedCrop[] {
  const names = asksForNothing(request) ? DEFAULT_PLATFORMS : namesIn(request)
  const platformCrops = names.flatMap((platform) => {
    const target = sizeFor(platform)
    return target
      ? [{ platform, target: { width: target.width, height: target.height }, ratio: target.width / target.height }]
      : []
  })
  return request.customRatio ? [...platformCrops, customCrop(request.customRatio, image)] : platformCrops
}

/** As large as the image allows without enlarging. */
function customCrop({ width, height }: Size, image: Size): WantedCrop {
  const ratio = width / height
  const largest = largestWindow(image, ratio)
  const scale = Math.min(1, CUSTOM_SIDE / Math.max(largest.width, largest.height))
  const target = {
    width: Math.max(1, Math.round(largest.width * scale)),
    height: Math.max(1, Math.round(largest.height * scale)),
  }
  return { platform: 'custom', target, ratio }
}

export interface PlannedCrop {
  readonly target: Size
  readonly crop: Rectangle
}

/** The crops, and what became of features of the image. */
export interface Cut {
  readonly images: readonly OutgoingImage[]
  readonly features: Omit<TaskReport<'cuts'>, 'format'>
}

/** Each crop in its target size, or smaller where the image is smaller: nothing is enlarged. */
export async function cutCrops(
  pool: Pick<Pool, 'run'>,
  { bytes }: InlineImage,
  crops: readonly PlannedCrop[],
  signal: AbortSignal,
): Promise<Cut> {
  // Equal crops of several platforms are encoded once.
  const cuts = new Map(crops.map((crop) => [keyOf(crop), cutOf(crop)]))
  const { report, files } = await pool.run('cuts', { cuts: [...cuts.values()] }, [[bytes]], signal)
  const images = new Map([...cuts.keys()].map((key, index) => [key, files[index]]))
  const { format, ...features } = report
  return {
    features,
    images: crops.map((crop) => {
      const file = images.get(keyOf(crop))
      if (!file) throw new Error('the task cuts brought too few files')
      return new OutgoingImage(codecs[format].mime, file)
    }),
  }
}

function cutOf({ crop, target }: PlannedCrop) {
  const fits = target.width <= crop.width && target.height <= crop.height
  const { width, height } = fits ? target : crop
  return { ...crop, toWidth: width, toHeight: height }
}

const keyOf = (crop: PlannedCrop): string => Object.values(cutOf(crop)).join(' ')
