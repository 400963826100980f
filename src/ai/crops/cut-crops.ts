import { codecs } from '../../codecs/index.ts'
import { type InlineImage, OutgoingImage } from '../../contract/inline-image.ts'
import type { Size } from '../../image/size.ts'
import type { Pool } from '../../rendering/pool.ts'
import type { Rectangle } from './rectangle.ts'

export interface PlannedCrop {
  readonly target: Size
  readonly crop: Rectangle
}

/** The pixels of each crop, in its target's size, or as they are where there are fewer: nothing is enlarged. */
export async function cutCrops(
  pool: Pick<Pool, 'study'>,
  { bytes }: InlineImage,
  crops: readonly PlannedCrop[],
  signal: AbortSignal,
): Promise<readonly OutgoingImage[]> {
  // Platforms often want the same, which is encoded once.
  const cuts = new Map(crops.map((crop) => [keyOf(crop), cutOf(crop)]))
  const { report, files } = await pool.study('cuts', { cuts: [...cuts.values()] }, [bytes], signal)
  const images = new Map([...cuts.keys()].map((key, index) => [key, files[index]]))
  return crops.map((crop) => {
    const file = images.get(keyOf(crop))
    if (!file) throw new Error('the study cuts brought too few files')
    return new OutgoingImage(codecs[report.format].mime, file)
  })
}

function cutOf({ crop, target }: PlannedCrop) {
  const fits = target.width <= crop.width && target.height <= crop.height
  const { width, height } = fits ? target : crop
  return { ...crop, toWidth: width, toHeight: height }
}

const keyOf = (crop: PlannedCrop): string => Object.values(cutOf(crop)).join(' ')
