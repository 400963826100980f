import { ApiError } from '../contract/api-error.ts'
import type { HeifEnc, HeifEncoder } from './heif-enc.ts'
import type { Message } from './read-answers.ts'
import type { RendererProcess } from './renderer-process.ts'

/**
 * A renderer whose HEIC answers, which come as PNG, are finished by heif-enc before anybody sees them: renderers may
 * start no program. Its time and its end are the job's: killing the renderer kills it too.
 */
export function finishing(renderer: RendererProcess, encodeHeif: HeifEncoder | undefined): RendererProcess {
  let running: HeifEnc | undefined
  let killed = false

  async function finish(message: Message): Promise<Message> {
    const { answer, files } = message
    const [png, otherwise] = files
    if (answer.outcome !== 'image' || !answer.finish || !png || !encodeHeif) return message
    const began = performance.now()
    running = encodeHeif(png, answer.finish.quality)
    try {
      const heic = await running.done
      const ms = answer.ms + performance.now() - began
      if (!otherwise || heic.length < otherwise.length) return { answer: { ...answer, ms }, files: [heic] }
      // The file as it came has all that the warnings say is missing.
      return { answer: { ...answer, ms, warnings: [] }, files: [otherwise] }
    } catch (error) {
      // Killed, both are gone, and the slot must hear of it; else the renderer is as good as before.
      if (killed) throw error
      const { code, message } = new ApiError('conversion_failed')
      return { answer: { ...answer, outcome: 'error', code, message, cause: String(error) }, files: [] }
    } finally {
      running = undefined
    }
  }

  return {
    ...renderer,
    render: (order, files) => renderer.render(order, files).then(finish),
    kill() {
      killed = true
      running?.kill()
      renderer.kill()
    },
  }
}
