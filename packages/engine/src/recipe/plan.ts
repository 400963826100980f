import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { type Header, megapixels } from '@pixelmill/codecs/pixels/header'
import { framesFor } from '@pixelmill/codecs/pixels/open'
import { checkResult, type Size } from '@pixelmill/codecs/pixels/size'
import type { Programs } from '@pixelmill/codecs/programs'
import { valueAt } from '@pixelmill/codecs/scales'
import { hasTarget, targetIssue } from './fields.ts'
import { type Canvas, canvasOf } from './picture.ts'
import { atPlace, faultAt } from './place.ts'
import { type NamedStep, namedSteps, type Output, type Recipe } from './recipe.ts'
import type { StepRow } from './step.ts'
import { steps } from './steps/index.ts'
import { type Decoding, decodingOf, type Work, workOf } from './work.ts'

/** A recipe as renderers carry it out. */
export interface WorkRecipe {
  readonly steps: Recipe['steps']
  /** With `optimize` the smallest encoding that looks alike, or the file as it came. */
  readonly outputs: (Output & { readonly optimize?: true })[]
}

/** What planning knows besides the recipe and the header. */
export interface Doors {
  /** Names of the further files, in the order in which they are sent. */
  readonly files: readonly string[]
  /** Formats that the caller names, for `auto`, and those that it does not refuse, for `best`. */
  readonly accepts: readonly FormatName[]
  readonly allows: readonly FormatName[]
}

/** An output, and what is known of its file before a pixel is decoded. */
export interface PlannedOutput extends Canvas {
  readonly asked: WorkRecipe['outputs'][number]
  readonly codec: Codec
  /** With `best`: the formats to choose from; `codec` is the first. */
  readonly choices: readonly Codec[]
  /** Its own steps, and what they cost. */
  readonly steps: readonly NamedStep[]
  readonly work: Work
  /** 16 bits a channel are kept where the format has them. */
  readonly keepDepth: boolean
  /** The codec that packs the source, whose pixels nothing changes, without encoding it again. */
  readonly packing: Codec | undefined
  /** With `best`: the score that all formats have to reach. */
  readonly bestScore: number | undefined
  /** No step changes a pixel and the source's format is one that is asked for: its own file may be the smaller one. */
  readonly mayBeSource: boolean
  /** The file has to reach a score or a number of bytes. */
  readonly isSearched: boolean
}

/** What a recipe makes of one picture. */
export interface Plan extends Doors {
  readonly shared: readonly NamedStep[]
  readonly sharedWork: Work
  readonly decoding: Decoding
  readonly outputs: readonly PlannedOutput[]
  /** Frames that are decoded: all, if a format holds them. */
  readonly frames: number
  /** The codec that decides this. */
  readonly opened: Codec
  /** Of the largest picture on the way, over all frames. */
  readonly megapixels: number
}

/**
 * Folds the steps over the size in the header, so that whatever cannot be done is refused before a pixel is decoded.
 * @throws ImageError invalid_params with the place in the recipe, image_too_large
 */
export function planRecipe(recipe: WorkRecipe, header: Header, doors: Doors, programs: Programs): Plan {
  const choices = recipe.outputs.map((output) => codecsFor(output, header, doors))
  const formats = choices.map(([codec = codecs.png]) => codec)
  const [first = codecs.png] = formats
  const openingCodec = formats.find(({ animated }) => animated) ?? first
  const frames = framesFor(header, openingCodec)
  const sharedSteps = namedSteps(recipe.steps)
  const fold = foldOver(sharedSteps, canvasOf(header), frames, ['steps'])
  const folds = recipe.outputs.map((output, index) => {
    const reachableOutput = withinReach(output, formats[index] ?? first)
    const own = namedSteps(reachableOutput.steps, reachableOutput.dpr)
    const after = foldOver(own, fold.canvas, framesFor(header, formats[index] ?? first), ['outputs', index, 'steps'])
    const possible = suitable(choices[index] ?? [], after.canvas)
    const [codec = first] = possible
    const issue = reachableOutput.format === 'best' ? undefined : targetIssue(reachableOutput, codec)
    if (issue) throw faultAt(['outputs', index], [issue])
    const plannedOutput = writable(
      {
        ...after.canvas,
        asked: reachableOutput,
        codec,
        choices: possible,
        steps: own,
        work: after.work,
        keepDepth: reachableOutput.format === 'same',
        packing: sharedSteps.length + own.length === 0 ? packingOf(reachableOutput, header, programs) : undefined,
        bestScore:
          reachableOutput.format === 'best'
            ? (reachableOutput.visualQuality ?? scoreOf(reachableOutput.quality ?? limits.quality.default))
            : undefined,
        mayBeSource: fold.isNeutral && after.isNeutral && mayHaveFormat(header, reachableOutput, doors),
        isSearched: hasTarget(reachableOutput),
      },
      header,
      programs,
    )
    // The file as it came may be the answer, whatever could be encoded.
    checkResult(
      reachableOutput.optimize ? { ...plannedOutput, alpha: false } : plannedOutput,
      framesFor(header, codec),
      plannedOutput.codec,
    )
    return {
      ...after,
      planned: plannedOutput,
      megapixels: Math.max(after.megapixels, pixelsOf(plannedOutput, framesFor(header, codec))),
    }
  })
  const outputs = folds.map(({ planned }) => planned)
  checkTogether(outputs)
  const all = [fold, ...folds]
  return {
    ...doors,
    shared: sharedSteps,
    sharedWork: fold.work,
    decoding: decodingOf(fold.canvas, frames, header.codec, sharedSteps, outputs),
    outputs,
    frames,
    opened: openingCodec,
    megapixels: Math.min(limits.pixels / 1e6, Math.max(...all.map(({ megapixels }) => megapixels))),
  }
}

/** Where auto keeps a format without scores, such as PNG, the best that it has is sent. */
function withinReach(output: WorkRecipe['outputs'][number], codec: Codec): WorkRecipe['outputs'][number] {
  if (output.format !== 'auto' || codec.levels?.scores) return output
  const { visualQuality: _, ...rest } = output
  return rest
}

/** A JPEG becomes JPEG XL as it is, unless a quality or a number of bytes is asked for. CMYK is converted. */
function packingOf(output: Output, { codec: source, cmyk }: Header, programs: Programs): Codec | undefined {
  const packing = Object.values<Codec>(codecs).find(({ name }) => name === output.format)?.packing
  const isAsItIs = output.quality === undefined && !hasTarget(output) && !cmyk
  return programs.cjxl && isAsItIs && packing?.source === source.name ? packing.codec() : undefined
}

/** The score of photographs in JPEG at a quality: what all formats have to reach. */
function scoreOf(quality: number): number {
  const { scores, of } = codecs.jpeg.levels ?? {}
  if (!scores || !of) throw new Error('JPEG has no scores')
  return valueAt(scores, of(quality, { megapixels: 1, animation: undefined }))
}

/** The format of an output, or those to choose from, before it is known whether they can be written here. */
function codecsFor({ format }: Output, { codec, frames }: Header, { accepts, allows }: Doors): readonly Codec[] {
  if (format === 'same') return [codec]
  if (format !== 'auto' && format !== 'best') return [codecs[format]]
  const moving = (one: Codec) => frames === 1 || one.animated
  const [newest, namedFormats] = format === 'auto' ? [AUTO, accepts] : [BEST, allows]
  const chosenCodecs = newest.filter((one) => namedFormats.includes(one.name) && moving(one))
  if (format === 'auto') return [chosenCodecs[0] ?? codec]
  // Where the caller allows none of these it gets one all the same, as RFC 9110, §12.5.1 allows.
  return chosenCodecs.length > 0 ? chosenCodecs : newest.filter(moving)
}

/** Formats that every browser shows. */
const shownByAll: readonly Codec[] = [codecs.jpeg, codecs.png, codecs.gif]
/** Formats that `best` may answer with. */
const shownByMost: readonly Codec[] = [...shownByAll, codecs.webp, codecs.avif]

/** Whether the source's format is one that an output may have. */
function mayHaveFormat({ codec }: Header, { format }: WorkRecipe['outputs'][number], { accepts, allows }: Doors): boolean {
  if (format === 'auto') return shownByAll.includes(codec) || accepts.includes(codec.name)
  if (format === 'best') return shownByMost.includes(codec) && allows.includes(codec.name)
  return format === 'same' || format === codec.name
}

/** Those that hold the picture, transparency included; all if there are none, since a JPEG is made opaque. */
function suitable(choices: readonly Codec[], { width, height, alpha }: Canvas): readonly Codec[] {
  if (choices.length === 1) return choices
  const holds = ({ maxSide, maxAlphaPixels = limits.pixels, ...codec }: Codec) =>
    Math.max(width, height) <= maxSide && (!alpha || (codec.alpha && width * height <= maxAlphaPixels))
  const fitting = choices.filter(holds)
  return fitting.length > 0 ? fitting : choices
}

export const AUTO: readonly Codec[] = [codecs.avif, codecs.jxl, codecs.webp]
/** The first holds transparency and every size that the others hold. */
export const BEST: readonly Codec[] = [codecs.webp, codecs.avif, codecs.jpeg, codecs.png]

/** With a format that can be written here: HEIC falls back to JPEG, or to PNG with transparency. */
export function writable<Planned extends { readonly codec: Codec }>(plan: Planned, header: Header, programs: Programs): Planned {
  const { codec } = plan
  if (!codec.writer) return plan
  return { ...plan, codec: codec.writer(programs) ?? (header.alpha ? codecs.png : codecs.jpeg) }
}

const pixelsOf = ({ width, height }: Size, frames: number) => megapixels(width, height, frames)

/** A rotation can double the pixels, and a crop may follow it. */
const MOST_ON_THE_WAY = 2 * limits.pixels

function foldOver(list: readonly NamedStep[], start: Canvas, frames: number, place: Issue['path']) {
  let canvas = start
  let largest = 0
  let isNeutral = true
  const works: Work[] = []
  for (const [index, step] of list.entries()) {
    const { name, params } = step
    const row: StepRow = steps[name]
    const before = pixelsOf(canvas, frames)
    try {
      isNeutral &&= row.isNeutral?.(canvas, params) === true
      canvas = row.plan(canvas, params)
    } catch (error) {
      throw atPlace([...place, index, name], error)
    }
    const after = pixelsOf(canvas, frames)
    if (after * 1e6 > MOST_ON_THE_WAY || Math.max(canvas.width, canvas.height) > MOST_ON_THE_WAY) {
      const shape = `${canvas.width} × ${canvas.height}`
      throw new ImageError('image_too_large', { message: `The step ${name} would make ${shape} pixels. Ask for a smaller size.` })
    }
    if (index < list.length - 1) largest = Math.max(largest, after)
    works.push(workOf(step, before, after, index === 0))
  }
  const seconds = works.reduce((sum, work) => sum + work.seconds, 0)
  return { canvas, isNeutral, megapixels: largest, work: { seconds, reads: works.flatMap(({ reads }) => reads) } }
}

function checkTogether(outputs: readonly Size[]): void {
  const sum = outputs.reduce((total, output) => total + pixelsOf(output, 1), 0)
  if (outputs.length > 1 && sum > limits.recipe.megapixels) {
    const message = `The outputs would have ${sum.toFixed(1)} megapixels together; at most ${limits.recipe.megapixels} are possible.`
    throw new ImageError('image_too_large', { message })
  }
}
