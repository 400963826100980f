import type { Pixelmill } from '@pixelmill/engine/library/calls'
import type { BackgroundModel } from '@pixelmill/engine/library/options'
import { openPixelmill } from '@pixelmill/engine/library/pixelmill'
import type { RenderingSettings } from '../environment.ts'
import type { Work } from '../work.ts'
import type { Engine } from './engine.ts'

/**
 * The library's engine, with the settings of this command's environment.
 * @param note is told what concerns neither an image nor the whole run
 * @throws StartError
 */
export async function openLocalMill(
  settings: RenderingSettings,
  jobs: number,
  note: (text: string) => void,
  backgroundModel?: BackgroundModel,
): Promise<Pixelmill> {
  const { C2PA_CERTIFICATE: certificate, C2PA_PRIVATE_KEY: privateKey } = settings
  return await openPixelmill({
    renderers: jobs,
    timeoutSeconds: settings.RENDER_TIMEOUT_S,
    memoryMegabytes: settings.RENDER_MEMORY_MB,
    heic: settings.HEIC === 'on',
    heicWriter: settings.HEIC_WRITER,
    ...(certificate && privateKey && { c2pa: { certificate, privateKey } }),
    programPath: settings.programPath,
    backgroundModel,
    onUnsigned: (error) => note(`A result has no C2PA manifest: ${error instanceof Error ? error.message : error}`),
  })
}

/** An engine of one work; who opened the mill closes it. */
export const engineOf = (mill: Pixelmill, work: Work, jobs: number): Engine => ({
  jobs,
  async render(source, signal) {
    if (work.optimize) return [await mill.optimize(source, { ...work.optimize, signal })]
    if (work.cutOut) {
      const { format, minConfidence } = work.cutOut
      return [await mill.removeBackground(source, { format, minConfidence, signal })]
    }
    return await mill.render(source, work.recipe, { files: Object.fromEntries(work.files), signal })
  },
  async [Symbol.asyncDispose]() {},
})

/** The same with a mill of its own, which is closed with it. @throws StartError */
export async function openLocalEngine(
  work: Work,
  settings: RenderingSettings,
  jobs: number,
  note: (text: string) => void,
): Promise<Engine> {
  const mill = await openLocalMill(settings, jobs, note, work.cutOut?.model)
  return { ...engineOf(mill, work, jobs), [Symbol.asyncDispose]: () => mill.close() }
}
