import { codecs } from '@pixelmill/codecs'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { sharp } from '@pixelmill/codecs/sharp'
import { run } from '@pixelmill/engine/way-of-a-picture'
import { similarityTo } from '@pixelmill/vision/likeness/similarity'
import { runTool, type Tool } from './tools.ts'

/** A file in the measured format, and the same picture as input for the tools. */
export interface Subject {
  readonly format: Tool['format']
  readonly ours: Buffer
  readonly theirs: Buffer
}

interface Point {
  readonly bytes: number
  readonly ssim: number
}

export interface Result {
  readonly tool: Tool
  readonly quality: number
  /** Our bytes, their SSIM, and the tool's bytes at that SSIM; undefined if the tool does not reach it. */
  readonly bytes: number
  readonly ssim: number
  readonly toolBytes: number | undefined
  readonly cpuMs: number
}

const ALLOWANCE = { megapixels: 1_000 }

/** Bytes at an SSIM: the cheapest point that reaches it, or interpolated on a logarithmic scale between its neighbours. */
function bytesAt(curve: readonly Point[], score: number): number | undefined {
  const points = [...curve].sort((a, b) => a.ssim - b.ssim)
  const above = points.findIndex(({ ssim }) => ssim >= score)
  const high = points[above]
  const low = points[above - 1]
  if (!high) return undefined
  const cheapest = Math.min(...points.slice(above).map(({ bytes }) => bytes))
  if (!low || high.ssim === low.ssim) return cheapest
  const share = (score - low.ssim) / (high.ssim - low.ssim)
  return Math.min(cheapest, Math.exp(Math.log(low.bytes) + share * (Math.log(high.bytes) - Math.log(low.bytes))))
}

export async function compare(
  subject: Subject,
  tools: readonly Tool[],
  qualities: readonly number[],
): Promise<readonly Result[]> {
  const codec = codecs[subject.format]
  const { pages = 1, hasAlpha, space } = await sharp(subject.ours, { animated: codec.animated }).metadata()
  const grey = space === 'b-w'
  const pixels = sharp(subject.ours, { animated: pages > 1, autoOrient: true })
  const likeness = await similarityTo(pixels, { grey, alpha: hasAlpha && codec.alpha, frames: pages })
  const ours: (Point & { readonly quality: number; readonly cpuMs: number })[] = []
  for (const quality of qualities) {
    const before = process.cpuUsage()
    const result = await run({ task: 'optimize', params: { quality } }, [subject.ours], ALLOWANCE, NO_PROGRAMS)
    const { user, system } = process.cpuUsage(before)
    const [bytes] = 'files' in result ? result.files : []
    if (!bytes) throw new Error('the allowance is for any size')
    const ssim = await likeness.of(bytes, codec)
    ours.push({ quality, bytes: bytes.length, ssim, cpuMs: (user + system) / 1000 })
  }
  const results: Result[] = []
  for (const tool of tools.filter(({ format }) => format === subject.format)) {
    const curve: Point[] = []
    for (const level of tool.levels) {
      const bytes = runTool(tool, level, subject.theirs)
      if (bytes) curve.push({ bytes: bytes.length, ssim: await likeness.of(bytes, codec) })
    }
    for (const { quality, bytes, ssim, cpuMs } of ours) {
      results.push({ tool, quality, bytes, ssim, toolBytes: bytesAt(curve, ssim), cpuMs })
    }
  }
  return results
}
