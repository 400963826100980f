import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { codecs } from '@pixelmill/codecs'
import sharp from 'sharp'
import type { Rendering as AnyRendering } from '../rendering.ts'

type Rendering = AnyRendering<'jpeg' | 'webp' | 'avif' | 'png'>

export interface BareJob {
  readonly files: readonly string[]
  readonly rendering: Rendering
  readonly images: number
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
  readonly photograph: Buffer
  readonly megapixels: number
}

sharp.concurrency(1)
sharp.cache(false)

// Opened with the options that the service uses for untrusted files.
const opening = { autoOrient: true, failOn: 'truncated', sequentialRead: true } as const

/** Reads the file and determines the encoder's effort before the clock starts. */
async function prepare(file: string, { width: targetWidth }: Rendering): Promise<Prepared> {
  const photograph = readFileSync(file)
  const { width, height } = (await sharp(photograph).metadata()).autoOrient
  return { photograph, megapixels: (width * height * ((targetWidth ?? width) / width) ** 2) / 1e6 }
}

/** Encodes with the service's own codecs, so that only everything else differs. */
async function render({ photograph, megapixels }: Prepared, { format, width }: Rendering): Promise<Buffer> {
  const pixels = sharp(photograph, opening)
  const resizedPixels = width ? pixels.resize({ width, fit: 'inside' }) : pixels
  const { bytes } = await codecs[format].encode(resizedPixels, { quality: undefined, megapixels, animation: undefined })
  return bytes
}

/** Renders from memory in the given number of lanes: the cost of rendering alone. */
export async function bareRender(job: BareJob): Promise<BareResult> {
  const { files, rendering, images, lanes = availableParallelism(), keep } = job
  const sources = await Promise.all(files.map((file) => prepare(file, rendering)))
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
