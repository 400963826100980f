import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { withMapItems } from '@pixelmill/codecs/hdr/write-isobmff'
import { isobmffExcess } from '@pixelmill/codecs/isobmff/excess'
import { programs } from '@pixelmill/codecs/programs'
import type { ToFinish } from '../tasks/task.ts'
import type { Encoding } from './external-program.ts'
import type { Finishers } from './finishers.ts'
import type { Files, Message } from './protocol.ts'
import type { Order, RendererProcess } from './renderer-process.ts'

/**
 * A renderer whose results programs finish, since renderers may start none: a PNG becomes HEIC, a JPEG JPEG XL. Their time counts as
 * the renderer's, and killing the renderer kills them too.
 * @param nice of the programs
 */
export function finishing(
  renderer: RendererProcess,
  finishers: Pick<Finishers, 'encoders'> | undefined,
  nice = 0,
): RendererProcess {
  let running: Encoding | undefined
  let isKilled = false

  async function render(order: Order, files: Files): Promise<Message> {
    const message = await renderer.render(order, files)
    const { answer } = message
    if (answer.outcome !== 'done' || !answer.finish) return message
    const began = performance.now()
    try {
      const result = await finish(message, answer.finish)
      return { ...result, answer: { ...result.answer, ms: answer.ms + performance.now() - began } }
    } catch (error) {
      // If both were killed, the worker must know; otherwise the renderer can still be used.
      if (isKilled) throw error
      // cjxl refuses some JPEGs that browsers show: their pixels are encoded instead.
      if (order.programs.cjxl && answer.finish.some(({ program }) => program === 'cjxl'))
        return await render({ ...order, programs: { ...order.programs, cjxl: false } }, files)
      const { code, message } = new ImageError('conversion_failed')
      return { answer: { ...answer, outcome: 'error', code, message, cause: String(error) }, files: [] }
    } finally {
      running = undefined
    }
  }

  async function finish({ answer, files }: Message, toFinish: readonly ToFinish[]): Promise<Message> {
    if (answer.outcome !== 'done') return { answer, files }
    let { report } = answer
    const results = [...files]
    for (const { program, file, quality, otherwise, gainMap } of toFinish) {
      const input = files[file]
      const original = otherwise === undefined ? undefined : files[otherwise]
      const encode = finishers?.encoders[program]
      if (!input || !encode) throw new Error(`a file for ${program} is missing`)
      running = encode(input, quality, nice)
      const output = withGainMap(await running.done, codecs[programs[program].writes], gainMap, files)
      const isSmaller = !original || output.length < original.length
      results[file] = isSmaller ? output : original
      if (!isSmaller) report = withSource(report, file)
    }
    const auxiliaryFiles = new Set(toFinish.flatMap(({ otherwise, gainMap }) => [otherwise, gainMap?.file]))
    return { answer: { ...answer, report }, files: results.filter((_, index) => !auxiliaryFiles.has(index)) }
  }

  return {
    ...renderer,
    render,
    kill() {
      isKilled = true
      running?.kill()
      renderer.kill()
    },
  }
}

/**
 * The report where a file is the source, which has everything that the warnings report as missing.
 * @param report of an operation on one image, or of a recipe with a list of outputs
 */
function withSource(report: Readonly<Record<string, unknown>>, file: number): Readonly<Record<string, unknown>> {
  const { outputs } = report
  if (!Array.isArray(outputs)) return { ...report, warnings: [], keptSource: true }
  return { ...report, outputs: outputs.with(file, { ...outputs[file], warnings: [], keptSource: true }) }
}

function withGainMap(heic: Buffer, codec: Codec, gainMap: ToFinish['gainMap'], files: readonly Buffer[]): Buffer {
  if (!gainMap) return heic
  const map = files[gainMap.file]
  if (!map || isobmffExcess(map)) throw new Error('a gain map for a HEIC is missing or damaged')
  return withMapItems(heic, codec, map, gainMap.values)
}
