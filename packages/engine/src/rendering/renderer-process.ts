import type { Duplex } from 'node:stream'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import type { ProgramName, Programs } from '@pixelmill/codecs/programs'
import { type Answer, OUT_OF_MEMORY } from './answer.ts'
import { type Files, frame, type Message, type Request, readAnswers } from './protocol.ts'
import { endingSignal, endProgram, workingProcess } from './sandbox/processes.ts'
import type { RendererChild } from './upload-file.ts'

/** A request without its files. */
export type Order = Omit<Request, 'files' | 'inFile'>

/** One renderer process, as the API process sees it. It processes one image at a time. */
export interface RendererProcess {
  /** The process that renders, once it has loaded: not the programs of its sandbox. */
  pid(): number | undefined
  /** Resolves when it has loaded; rejects if it died before. */
  readonly ready: Promise<void>
  /** Resolves with the reason when the process has ended. */
  readonly ending: Promise<RendererEnd>
  /** Rejects with the RendererEnd if the process ends before it has answered. */
  render(order: Order, files: Files): Promise<Message>
  kill(): void
}

/** Characters of a renderer's standard error that are kept for the log. */
const STDERR_LENGTH = 2_000
/** How long standard error is read after the end of the process. */
const STDERR_MS = 1_000

/** A caller that waits for the next message. */
interface Waiting {
  expects(answer: Answer): boolean
  resolve(message: Message): void
  reject(error: Error): void
}

const isInstalled = (program: ProgramName, { heicWriter, cjxl }: Programs): boolean =>
  program === 'cjxl' ? cjxl : heicWriter === program

function mayAnswer({ task, allowance, seconds, programs }: Order, answer: Answer): boolean {
  switch (answer.outcome) {
    // Otherwise a compromised renderer could keep an image in the queue for ever, and all heavy ones behind it. An image that takes
    // too long is handed back once, to a lane that allows any time.
    case 'heavy':
      return answer.megapixels > allowance || seconds !== undefined
    case 'done':
      return answer.task === task && (answer.finish ?? []).every(({ program }) => isInstalled(program, programs))
    case 'error':
      return true
    case 'ready':
      return false
  }
}

/** @throws Error if no file descriptor was left for it */
export function rendererProcess(child: RendererChild): RendererProcess {
  if (!child.stdio) {
    // Then Node creates no pipes and also emits an error event, which has no other listener.
    child.once('error', () => {})
    throw new Error('no file descriptor is left to start a renderer')
  }
  const socket = child.stdio[3] as Duplex
  const waiting: Waiting[] = []
  let stderr = ''
  let fault: string | undefined
  let working: number | undefined
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_LENGTH)
  })
  readAnswers(
    socket,
    (message) => {
      // The caller stays in the list, and is rejected when the process has ended.
      if (!waiting[0]?.expects(message.answer)) throw new Error(`a renderer answered ${message.answer.outcome} unasked`)
      // The caller may free the files once it has the answer, so the kernel must have all bytes by then.
      if (socket.writableLength > 0) throw new Error('a renderer answered before it had read its files')
      child.uploads?.trim()
      waiting.shift()?.resolve(message)
    },
    (error) => {
      fault = error.message
      endProgram(child)
    },
  )
  // A write to a renderer that has just ended; the exit event that follows has the reason.
  socket.on('error', () => endProgram(child))

  const closePipes = () => {
    socket.destroy()
    child.stderr?.destroy()
  }
  const ending = new Promise<RendererEnd>((resolve) => {
    const end = (why: RendererEnd) => {
      for (const { reject } of waiting.splice(0)) reject(why)
      resolve(why)
    }
    child.once('error', ({ message }) => end(new RendererEnd('start', message)))
    // If it has started other processes, one of them may keep its pipes open for ever.
    child.once('exit', () => setTimeout(closePipes, STDERR_MS).unref())
    // Not 'exit': standard error may not have been read to its end then.
    child.once('close', (code, signal) =>
      end(fault === undefined ? rendererEnd(code, endingSignal(code, signal), stderr) : new RendererEnd('crash', fault)),
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
    ending,
    render(order, files) {
      const answer = next((answer) => mayAnswer(order, answer))
      const sizes = files.map((chunks) => chunks.reduce((sum, { length }) => sum + length, 0))
      const chunks = files.flat()
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      const inFile = child.uploads?.write(chunks, bytes) ?? false
      // Corked, so that all chunks go to the kernel in one writev.
      socket.cork()
      socket.write(frame({ ...order, files: sizes, inFile } satisfies Request))
      if (!inFile) for (const chunk of chunks) socket.write(chunk)
      socket.uncork()
      return answer
    },
    kill: () => endProgram(child),
  }
}

/** Why a renderer process ended, for the metrics: by itself, or killed because of its image. */
export type EndReason = 'memory' | 'cpu' | 'killed' | 'crash' | 'start' | 'timeout' | 'abandoned'

/** The end of a renderer process, with which its callers are rejected. */
export class RendererEnd extends Error {
  readonly reason: EndReason

  constructor(reason: EndReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/**
 * Whether an image failed because its renderer ended, which says little about the image: a retry may succeed. An image
 * that timed out would time out again.
 */
export function rendererCrashed(error: unknown): boolean {
  return error instanceof ImageError && error.cause instanceof RendererEnd && error.cause.reason !== 'timeout'
}

/** What V8, GLib and C++ print if there is no memory: they abort without an exit code of their own. */
const NO_MEMORY = /out of memory|failed to allocate|bad_alloc/i

/** The reason, by exit code, signal and standard error. */
function rendererEnd(code: number | null, signal: NodeJS.Signals | null, stderr: string): RendererEnd {
  const detail = `renderer ended with ${signal ?? `code ${code}`}: ${stderr.trim()}`
  return new RendererEnd(reasonOf(code, signal, stderr), detail)
}

function reasonOf(code: number | null, signal: NodeJS.Signals | null, stderr: string): EndReason {
  if (code === OUT_OF_MEMORY || NO_MEMORY.test(stderr)) return 'memory'
  if (signal === 'SIGXCPU') return 'cpu'
  // By the operator, or by the kernel when the machine has no memory left.
  if (signal === 'SIGKILL') return 'killed'
  return 'crash'
}
