import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { codecs, recognise } from '@pixelmill/codecs'
import type { EncodeSettings } from '@pixelmill/codecs/codec'
import sharp from 'sharp'
import type { Rendering as AnyRendering } from '../rendering.ts'

type Rendering = AnyRendering<'jpeg' | 'webp' | 'avif' | 'png'>

/** On the service's own scales. */
export type EncoderChoice = Partial<Pick<EncodeSettings, 'quality' | 'effort'>>

export interface BareJob {
  readonly files: readonly string[]
  readonly rendering: Rendering
  readonly images: number
  /** What a caller of the service may choose; by default what the service does. */
  readonly choice?: EncoderChoice
  /** Concurrent images; by default one for each core. */
  readonly lanes?: number
  /** Whether the last answer for each file is returned. */
  readonly keep?: boolean
}

export interface BareResult {
  readonly cpuMs: number
  readonly wallMs: number
  readonly outputBytes: number
  /** In the order of the files, if they were to be kept. */
  readonly kept?: readonly Uint8Array[]
}

interface Prepared {
  readonly file: Buffer
  readonly settings: EncodeSettings
}

sharp.concurrency(1)
sharp.cache(false)

// Opened with the options that the service uses for untrusted files.
const opening = { autoOrient: true, failOn: 'truncated', sequentialRead: true } as const

/** Reads the file and determines what the service would tell its encoder, before the clock starts. */
async function prepare(path: string, { rendering: { width: targetWidth }, choice }: BareJob): Promise<Prepared> {
  const file = readFileSync(path)
  const { hasAlpha, autoOrient } = await sharp(file).metadata()
  const { width, height } = autoOrient
  const settings = {
    quality: undefined,
    ...choice,
    megapixels: (width * height * ((targetWidth ?? width) / width) ** 2) / 1e6,
    alpha: hasAlpha,
    animation: undefined,
    photograph: recognise(file)?.photographIn?.(file) ?? false,
  }
  return { file, settings }
}

/** Encodes with the service's own codecs, so that only everything else differs. */
async function render({ file, settings }: Prepared, { format, width }: Rendering): Promise<Buffer> {
  const pixels = sharp(file, opening)
  const resizedPixels = width ? pixels.resize({ width, fit: 'inside' }) : pixels
  return (await codecs[format].encode(resizedPixels, settings)).bytes
}

/** Renders from memory in the given number of lanes: the cost of rendering alone. */
export async function bareRender(job: BareJob): Promise<BareResult> {
  const { files, rendering, images, lanes = availableParallelism(), keep } = job
  const sources = await Promise.all(files.map((file) => prepare(file, job)))
  let next = 0
  let outputBytes = 0
  const results: Buffer[] = []
  const lane = async () => {
    while (next < images) {
      const at = next++ % sources.length
      const bytes = await render(sources[at] as Prepared, rendering)
      outputBytes += bytes.length // A separate statement after the await: otherwise the lanes would overwrite each other's sums.
      if (keep) results[at] = bytes
    }
  }
  const before = process.cpuUsage()
  const startMs = performance.now()
  await Promise.all(Array.from({ length: lanes }, lane))
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - startMs, outputBytes, ...(keep && { kept: results }) }
}
