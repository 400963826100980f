import { SIDE } from '@pixelmill/kernels/dct'
import type { Measurements } from './measure.ts'
import type { Noise } from './noise.ts'
import type { Operation } from './steps.ts'

export const modes = ['upscale', 'denoise', 'deblur', 'auto'] as const
export type Mode = (typeof modes)[number]
export type Intensity = 1 | 2 | 3

export interface EnhanceOptions {
  readonly mode: Mode
  /** 1 light, 2 medium, 3 strong. */
  readonly intensity: Intensity
}

/** What is known of a picture besides its measurements. */
export interface PictureFacts {
  readonly megapixels: number
  /** The shorter of width and height, in pixels. */
  readonly shorterSide: number
  /** Drawn or typeset: apparent noise is a pattern, and soft edges are intended. */
  readonly drawn: boolean
  /** 1–100 on libjpeg's scale if the source was a JPEG; 100 otherwise. */
  readonly jpegQuality: number
}

/**
 * Thresholds from which a filter is worth applying. They are lower for what the caller asked for; otherwise no clean
 * photograph reaches them.
 */
const gates = {
  /** Deviation of the noise, 0–255. Sharp photographs without noise measure up to 2.9; with noise of 3, as little as 2. */
  noise: { asked: 1.5, unasked: 3.5, beforeSharpening: 0.8 },
  /** Coarser noise may be texture, and is kept unless the caller asked for denoising. */
  coarseness: 1.5,
  /**
   * Deviation of the blur in pixels. Sharp photographs measure 0.3 to 0.7, those blurred by 0.8 pixels 0.5 to 1.2; a perfect
   * step edge, as in drawings, measures 1.04.
   */
  blur: { asked: 0.5, askedOfDrawn: 1.2, unasked: 0.9 },
  /** Photographs blurred by 0.8 pixels have a steepness up to 0.57; drawings, and renderings before a texture, 0.78 to 1: they are sharp. */
  steepness: 0.7,
  /** Camera shake measures 1.7 and more, defocus up to 1.4: sharpening makes a shaken picture worse. */
  anisotropy: 1.6,
  /** Smaller pictures are too uncertain to act unasked: a texture may fill them. */
  unaskedMegapixels: 0.05,
} as const

/** Multiples of the estimated noise to remove: above 1 some detail is lost, below 1 some noise stays. */
const noiseFactors = { 1: 0.8, 2: 1, 3: 1.3 } as const
/** Megapixels up to which the strongest setting uses four times as many blocks: 0.9 dB for 8 s at 12 megapixels. */
const FINE_MEGAPIXELS = 12

/** The polynomial of "Polyblur" and two of the same family that boost fine detail more; measured. */
const sharpenings = { 1: { alpha: 6, beta: 1 }, 2: { alpha: 2, beta: 3 }, 3: { alpha: 2, beta: 4 } } as const
/** Beyond this blur detail cannot be recovered, and only noise would be boosted. */
const MOST_BLUR = 2.6
/** Sharpening after Lanczos-3: a matter of taste, since it costs 0.6 dB. */
const AFTER_UPSCALE = { sigma: 0.5, ...sharpenings[1] } as const

/** Which filters to apply, in order; none if they would not improve the picture. */
export function choose(measurements: Measurements, facts: PictureFacts, options: EnhanceOptions): readonly Operation[] {
  const { mode, intensity } = options
  const isPhotograph = !facts.drawn && facts.megapixels >= gates.unaskedMegapixels
  const deviations = measurements.noise.map(({ deviation }) => deviation)
  const clean = (noise: readonly number[], least: number) =>
    facts.shorterSide >= SIDE && Math.max(...noise) >= least ? [denoise(noise, intensity, facts.megapixels)] : []
  const sharpenAbove = (least: number) =>
    isBlurred(measurements, least) ? [...clean(deviations, gates.noise.beforeSharpening), sharpen(measurements, intensity)] : []
  switch (mode) {
    case 'denoise': {
      const least = artefacts(facts.jpegQuality)
      return clean(
        deviations.map((deviation) => Math.max(deviation, least)),
        gates.noise.asked,
      )
    }
    case 'deblur':
      return sharpenAbove(facts.drawn ? gates.blur.askedOfDrawn : gates.blur.asked)
    case 'auto': {
      if (!isPhotograph) return []
      const operations = sharpenAbove(gates.blur.unasked)
      return operations.length ? operations : clean(measurements.noise.map(whiteNoise), gates.noise.unasked)
    }
    case 'upscale':
      return [...(isPhotograph ? clean(measurements.noise.map(whiteNoise), gates.noise.unasked) : []), ...upscaling(intensity)]
  }
}

/**
 * The noise deviation at which denoising removes most of JPEG's blocking and ringing, which smooth blocks do not show: it gains
 * 0.1 to 0.4 dB at every quality up to 80, and lost nothing on any of 28 photographs.
 */
const artefacts = (jpegQuality: number): number => Math.max(0, 95 - jpegQuality) / 7

const whiteNoise = ({ deviation, coarseness }: Noise): number => (coarseness <= gates.coarseness ? deviation : 0)

const isBlurred = ({ softness: { sigma, anisotropy }, steepness }: Measurements, least: number): boolean =>
  sigma >= least && anisotropy <= gates.anisotropy && steepness < gates.steepness

const sharpen = ({ softness }: Measurements, intensity: Intensity): Operation => ({
  name: 'deblur',
  params: { sigma: round(Math.min(softness.sigma, MOST_BLUR)), ...sharpenings[intensity] },
})

function denoise(noise: readonly number[], intensity: Intensity, megapixels: number): Operation {
  const deviations = noise.map((sigma) => round(sigma * noiseFactors[intensity]))
  return { name: 'denoise', params: { noise: deviations, stride: intensity === 3 && megapixels <= FINE_MEGAPIXELS ? 2 : 4 } }
}

function upscaling(intensity: Intensity): readonly Operation[] {
  const upscale = { name: 'upscale', params: { factor: 2, backProjection: intensity > 1 } } as const
  return intensity === 3 ? [upscale, { name: 'deblur', params: AFTER_UPSCALE }] : [upscale]
}

/** Rounded, so that the report has the exact parameters that were applied. */
const round = (value: number): number => Math.round(value * 100) / 100
