import { SIDE } from './dct8.ts'
import type { Noise } from './noise.ts'
import type { Operation } from './steps.ts'
import type { Survey } from './survey.ts'

export const modes = ['upscale', 'denoise', 'deblur', 'auto'] as const
export type Mode = (typeof modes)[number]
export type Intensity = 1 | 2 | 3

export interface Wish {
  readonly mode: Mode
  /** 1 light, 2 medium, 3 strong. */
  readonly intensity: Intensity
}

/** What is known of a picture beside its survey. */
export interface Subject {
  readonly megapixels: number
  /** Of width and height, in pixels. */
  readonly shorterSide: number
  /** Drawn or typeset: its noise is a pattern, and its edges are as soft as they are meant to be. */
  readonly drawn: boolean
  /** 1–100 of what was a JPEG, as libjpeg counts; 100 of all others. */
  readonly jpegQuality: number
}

/**
 * From which values on something is worth doing. What was asked for is done earlier than what nobody asked for: there the
 * limits are those that no clean photograph passes.
 */
const gates = {
  /** Deviation of the noise, 0–255. Sharp photographs without noise are taken to have up to 2.9, and 3 with as much as 2. */
  noise: { asked: 1.5, unasked: 3.5, beforeSharpening: 0.8 },
  /** What is coarser may be texture, and stays where nobody asked. */
  coarseness: 1.5,
  /**
   * Deviation of the blur in pixels. Sharp photographs have 0.3 to 0.7, those blurred by 0.8 have 0.5 to 1.2; a perfect step, of
   * which drawings are made, counts as 1.04.
   */
  blur: { asked: 0.5, askedOfDrawn: 1.2, unasked: 0.9 },
  /** Photographs blurred by 0.8 have edges up to 0.57 steep; drawings, and renderings before a texture, 0.78 to 1: they are sharp. */
  steepness: 0.7,
  /** A shaken picture is 1.7 and more, one out of focus up to 1.4: sharpening makes the former worse. */
  anisotropy: 1.6,
  /** What is smaller tells too little to act unasked: a texture may fill it. */
  unaskedMegapixels: 0.05,
} as const

/** More than is estimated takes some of the picture along, less leaves some noise. */
const noiseFactors = { 1: 0.8, 2: 1, 3: 1.3 } as const
/** Megapixels up to which the strongest setting has four times as many blocks: 0.9 dB for 8 s for 12 megapixels. */
const FINE_MEGAPIXELS = 12

/** The polynomials of "Polyblur" and two of the same family that lift fine detail more; measured. */
const sharpenings = { 1: { alpha: 6, beta: 1 }, 2: { alpha: 2, beta: 3 }, 3: { alpha: 2, beta: 4 } } as const
/** Beyond this, what is lost does not come back, and noise is all that is lifted. */
const MOST_BLUR = 2.6
/** What Lanczos-3 leaves to sharpen: taste, since it costs 0.6 dB. */
const AFTER_UPSCALE = { sigma: 0.5, ...sharpenings[1] } as const

/** What to do, in order; nothing, where it would not make the picture better. */
export function choose(survey: Survey, subject: Subject, wish: Wish): readonly Operation[] {
  const photographed = !subject.drawn && subject.megapixels >= gates.unaskedMegapixels
  const deviations = survey.noise.map(({ deviation }) => deviation)
  const clean = (noise: readonly number[], least: number) =>
    subject.shorterSide >= SIDE && Math.max(...noise) >= least ? [denoise(noise, wish.intensity, subject.megapixels)] : []
  const sharpened = (least: number) =>
    isBlurred(survey, least) ? [...clean(deviations, gates.noise.beforeSharpening), sharpen(survey, wish.intensity)] : []
  switch (wish.mode) {
    case 'denoise': {
      const least = artefacts(subject.jpegQuality)
      return clean(
        deviations.map((deviation) => Math.max(deviation, least)),
        gates.noise.asked,
      )
    }
    case 'deblur':
      return sharpened(subject.drawn ? gates.blur.askedOfDrawn : gates.blur.asked)
    case 'auto': {
      if (!photographed) return []
      const operations = sharpened(gates.blur.unasked)
      return operations.length ? operations : clean(survey.noise.map(whiteAlone), gates.noise.unasked)
    }
    case 'upscale':
      return [...(photographed ? clean(survey.noise.map(whiteAlone), gates.noise.unasked) : []), ...upscaling(wish.intensity)]
  }
}

/**
 * The deviation of noise at which denoising takes most of what JPEG left of blocks and ripples, which no calm block shows: 0.1 to
 * 0.4 dB at every quality up to 80, and on none of 28 photographs a loss.
 */
const artefacts = (jpegQuality: number): number => Math.max(0, 95 - jpegQuality) / 7

const whiteAlone = ({ deviation, coarseness }: Noise): number => (coarseness <= gates.coarseness ? deviation : 0)

const isBlurred = ({ softness: { sigma, anisotropy }, steepness }: Survey, least: number): boolean =>
  sigma >= least && anisotropy <= gates.anisotropy && steepness < gates.steepness

const sharpen = ({ softness }: Survey, intensity: Intensity): Operation => ({
  name: 'deblur',
  params: { sigma: rounded(Math.min(softness.sigma, MOST_BLUR)), ...sharpenings[intensity] },
})

function denoise(noise: readonly number[], intensity: Intensity, megapixels: number): Operation {
  const deviations = noise.map((sigma) => rounded(sigma * noiseFactors[intensity]))
  return { name: 'denoise', params: { noise: deviations, stride: intensity === 3 && megapixels <= FINE_MEGAPIXELS ? 2 : 4 } }
}

function upscaling(intensity: Intensity): readonly Operation[] {
  const upscale = { name: 'upscale', params: { factor: 2, backProjection: intensity > 1 } } as const
  return intensity === 3 ? [upscale, { name: 'deblur', params: AFTER_UPSCALE }] : [upscale]
}

/** The report says what was really done. */
const rounded = (value: number): number => Math.round(value * 100) / 100
