import { ApiError } from '../../contract/api-error.ts'
import type { Size } from '../../image/result-size.ts'
import { largestWindow } from './crop-around.ts'
import { DEFAULT_PLATFORMS, platforms, sizeFor } from './platforms.ts'

export interface WantedCrop {
  readonly platform: string
  /** Width ÷ height. */
  readonly ratio: number
  /** Pixels to be had, where the image has as many. */
  readonly target: Size
}

export interface WantedCrops {
  /** Each name once, in the order asked; a ratio of the caller's own is last. */
  readonly crops: readonly WantedCrop[]
  readonly unknown: readonly string[]
}

export interface CropRequest {
  readonly platforms?: readonly string[] | undefined
  readonly customRatio?: Size | undefined
}

/** Longest side of what is cropped to a ratio of the caller's own, which names no pixels: a page on a dense screen. */
const CUSTOM_SIDE = 2048

/** @throws ApiError invalid_params naming the known platforms, where none of those asked for is one and there is no ratio */
export function wantedCrops({ platforms: asked = [], customRatio }: CropRequest, image: Size): WantedCrops {
  const names = [...new Set(asked.map((name) => name.trim().toLowerCase()))]
  const chosen = names.length > 0 || customRatio ? names : DEFAULT_PLATFORMS
  const known = chosen.flatMap((platform) => {
    const target = sizeFor(platform)
    return target
      ? [{ platform, target: { width: target.width, height: target.height }, ratio: target.width / target.height }]
      : []
  })
  const crops = customRatio ? [...known, customCrop(customRatio, image)] : known
  if (crops.length === 0) throw noneKnown()
  return { crops, unknown: names.filter((name) => !sizeFor(name)) }
}

/** As large as the image allows, so that nothing has to be enlarged for it. */
function customCrop({ width, height }: Size, image: Size): WantedCrop {
  const ratio = width / height
  const largest = largestWindow(image, ratio)
  const scale = Math.min(1, CUSTOM_SIDE / Math.max(largest.width, largest.height))
  const [across, down] = [largest.width, largest.height].map((side) => Math.max(1, Math.round(side * scale))) as [number, number]
  return { platform: 'custom', target: { width: across, height: down }, ratio }
}

function noneKnown(): ApiError {
  const message = `platforms: Must name at least one of ${Object.keys(platforms).join(', ')}; or send customRatio.`
  return new ApiError('invalid_params', { message, issues: [{ path: ['platforms'], code: 'invalid_value', message }] })
}
