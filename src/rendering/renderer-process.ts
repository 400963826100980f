import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { ApiError } from '../contract/api-error.ts'
import type { HeifEnc, HeifEncoder } from './heif-enc.ts'
import { type Answer, type Files, frame, type Message, OUT_OF_MEMORY, type Request, readAnswers } from './protocol.ts'
import { endingSignal, endProgram, workingProcess } from './sandbox/processes.ts'

/** What is to be done to the files that are sent with it. */
export type Order = Omit<Request, 'files'>

/** One renderer, seen from the API. It works on one image at a time. */
export interface RendererProcess {
  /** That which works on images, once it has loaded. */
  pid(): number | undefined
  /** Resolves when it has loaded; rejects when it died before. */
  readonly ready: Promise<void>
  /** Resolves with why, when the process is gone. */
  readonly gone: Promise<RendererEnd>
  /** Rejects with the RendererEnd when the process dies under the work. */
  render(order: Order, files: Files): Promise<Message>
  kill(): void
}

/** Bytes of a renderer's last words that are kept for the log. */
const LAST_WORDS = 2_000
/** How long they are waited for after its end. */
const LAST_WORDS_MS = 1_000

/** One who waits for the next message. */
interface Waiting {
  expects(answer: Answer): boolean
  resolve(message: Message): void
  reject(error: Error): void
}

function mayAnswer({ task, allowance, seconds, heicWriter }: Order, answer: Answer): boolean {
  switch (answer.outcome) {
    // Else a renderer that was taken over could keep an image in the queue for ever, and all heavy ones behind it. What is too long
    // is handed back once, to a lane that allows any time.
    case 'heavy':
      return answer.megapixels > allowance || seconds !== undefined
    case 'done':
      return answer.task === task && (answer.finish === undefined || heicWriter === 'heif-enc')
    case 'error':
      return true
    case 'ready':
      return false
  }
}

/** @throws Error when there was no file descriptor left for it */
export function rendererProcess(child: ChildProcess): RendererProcess {
  if (!child.stdio) {
    // Node makes no pipes then, and says so once more by an event, which nobody else hears.
    child.once('error', () => {})
    throw new Error('no file descriptor is left to start a renderer')
  }
  const socket = child.stdio[3] as Duplex
  const waiting: Waiting[] = []
  let words = ''
  let fault: string | undefined
  let working: number | undefined
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-LAST_WORDS)
  })
  readAnswers(
    socket,
    (message) => {
      // Left in the list, whoever waits is told of the process's end.
      if (!waiting[0]?.expects(message.answer)) throw new Error(`a renderer answered ${message.answer.outcome} unasked`)
      // Whoever has the answer may free the files, of which the kernel has to have every byte by then.
      if (socket.writableLength > 0) throw new Error('a renderer answered before it had read its files')
      waiting.shift()?.resolve(message)
    },
    (error) => {
      fault = error.message
      endProgram(child)
    },
  )
  // A write to a renderer that just died; its exit, which follows, says more.
  socket.on('error', () => endProgram(child))

  const closePipes = () => {
    socket.destroy()
    child.stderr?.destroy()
  }
  const gone = new Promise<RendererEnd>((resolve) => {
    const end = (why: RendererEnd) => {
      for (const { reject } of waiting.splice(0)) reject(why)
      resolve(why)
    }
    child.once('error', ({ message }) => end(new RendererEnd('start', message)))
    // Where nothing keeps it from starting others, one of them may hold its pipes open for ever.
    child.once('exit', () => setTimeout(closePipes, LAST_WORDS_MS).unref())
    // Not 'exit': its last words may still be on their way then.
    child.once('close', (code, signal) =>
      end(fault === undefined ? rendererEnd(code, endingSignal(code, signal), words) : new RendererEnd('crash', fault)),
    )
  })
  const next = (expects: Waiting['expects']) =>
    new Promise<Message>((resolve, reject) => waiting.push({ expects, resolve, reject }))

  return {
    pid() {
      working ??= workingProcess(child.pid)
      return working
    },
    ready: next(({ outcome }) => outcome === 'ready').then(() => undefined),
    gone,
    render(order, files) {
      const done = next((answer) => mayAnswer(order, answer))
      const sizes = files.map((chunks) => chunks.reduce((sum, { length }) => sum + length, 0))
      // Corked, all chunks go to the kernel in one writev.
      socket.cork()
      socket.write(frame({ ...order, files: sizes } satisfies Request))
      for (const chunk of files.flat()) socket.write(chunk)
      socket.uncork()
      return done
    },
    kill: () => endProgram(child),
  }
}

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
    if (answer.outcome !== 'done' || !answer.finish || !png || !encodeHeif) return message
    const began = performance.now()
    running = encodeHeif(png, answer.finish.quality)
    try {
      const heic = await running.done
      const ms = answer.ms + performance.now() - began
      if (!otherwise || heic.length < otherwise.length) return { answer: { ...answer, ms }, files: [heic] }
      // The file as it came has all that the warnings say is missing.
      return { answer: { ...answer, ms, report: { ...answer.report, warnings: [] } }, files: [otherwise] }
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

/** Why a renderer process ended under its work, as the metrics count it: by itself, or for the sake of its image. */
export type EndReason = 'memory' | 'cpu' | 'killed' | 'crash' | 'start' | 'timeout' | 'abandoned'

/** The end of a renderer process; whoever waits for its answer gets this instead. */
export class RendererEnd extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/**
 * Whether an image failed because its renderer ended, which says little of the image: it may work at the next try. An image
 * that took too long will take too long again.
 */
export function rendererCrashed(error: unknown): boolean {
  return error instanceof ApiError && error.cause instanceof RendererEnd && error.cause.reason !== 'timeout'
}

/** The last words of V8, GLib and C++ when there is no memory: they abort, and do not say it by a code. */
const NO_MEMORY = /out of memory|failed to allocate|bad_alloc/i

/** Reads why from what the system and the process itself say of its end. */
export function rendererEnd(code: number | null, signal: NodeJS.Signals | null, words: string): RendererEnd {
  const detail = `renderer ended with ${signal ?? `code ${code}`}: ${words.trim()}`
  return new RendererEnd(reasonOf(code, signal, words), detail)
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null, words: string): EndReason {
  if (code === OUT_OF_MEMORY || NO_MEMORY.test(words)) return 'memory'
  if (signal === 'SIGXCPU') return 'cpu'
  // By the operator, or by the kernel when the machine has no memory left.
  if (signal === 'SIGKILL') return 'killed'
  return 'crash'
}
