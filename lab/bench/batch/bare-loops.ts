import type { BareResult } from '../bare/bare-render.ts'
import { startBare } from '../bare/start-bare.ts'

const webp = { format: 'webp' } as const

/**
 * The bare sharp loop over this many photographs, split between as many processes as there are renderers, one image at a time in
 * each.
 */
export async function bareLoops(processes: number, files: readonly string[], images: number): Promise<BareResult> {
  const bares = await Promise.all(Array.from({ length: processes }, startBare))
  try {
    const job = (images: number) => ({ files, rendering: webp, images, lanes: 1 })
    // Warm-up, so that all have compiled their hot code, as the server has.
    await Promise.all(bares.map((bare) => bare.render(job(files.length))))
    const results = await Promise.all(bares.map((bare) => bare.render(job(Math.ceil(images / processes)))))
    return {
      cpuMs: results.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      wallMs: Math.max(...results.map(({ wallMs }) => wallMs)),
      outputBytes: results.reduce((sum, { outputBytes }) => sum + outputBytes, 0),
    }
  } finally {
    await Promise.all(bares.map((bare) => bare.stop()))
  }
}
