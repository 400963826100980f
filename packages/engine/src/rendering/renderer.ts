import { setImmediate } from 'node:timers/promises'
import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { closeEngine } from '@pixelmill/codecs/jxl/engine'
import { libvips } from '@pixelmill/codecs/sharp'
import { tasks } from '../tasks/index.ts'
import type { Task } from '../tasks/task.ts'
import { run } from '../way-of-a-picture.ts'
import { CAUSE_LENGTH, OUT_OF_MEMORY, type Outcome, type Refused } from './answer.ts'
import { giveBackMemory, type Request, receive, send } from './protocol.ts'

/**
 * The renderer process: processes one image after the other from the socket until its parent exits. It has no environment, no
 * secret and no connection; whatever a hostile file does here ends one request.
 */

/** The only libvips loaders that exist here, and only for bytes in memory: no files, no SVG, no PDF, no gain maps. */
const loaders = Object.values<Codec>(codecs).flatMap(({ loader }) => (loader ? [`VipsForeignLoad${loader}Buffer`] : []))

function lockDown(): void {
  const sharp = libvips()
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: loaders })
  // Results are never requested twice; and one image uses one core, since the pool has as many renderers as cores.
  sharp.cache(false)
  sharp.concurrency(1)
  // Everything is loaded: see node_permissions in confinement.ts.
  process.permission?.drop('fs.write')
}

interface Done {
  readonly outcome: Outcome
  readonly files: readonly Buffer[]
}

async function work({ allowance, seconds, programs, ...call }: Request, inputs: readonly Buffer[]): Promise<Done> {
  try {
    const result = await run(call, inputs, { megapixels: allowance, seconds }, programs)
    if ('megapixels' in result) return { outcome: { outcome: 'heavy', megapixels: result.megapixels }, files: [] }
    const { report, files, finish } = result
    return { outcome: { outcome: 'done', task: call.task, report, ...(finish && { finish }) }, files }
  } catch (error) {
    return { outcome: refusal(error), files: [] }
  }
}

/** Messages of libvips, V8 and libaom, whose error 8 is AOM_CODEC_MEM_ERROR. */
const NO_MEMORY = /insufficient memory|out of memory|bufferpool\(\) failed/i

function refusal(error: unknown): Refused {
  const { code, message, issues, facts, cause } =
    error instanceof ImageError ? error : new ImageError('conversion_failed', { cause: error })
  // After a failed allocation the process is not trusted with the next image: it ends, and the pool replaces it. libheif also
  // reports "Memory allocation error" for a file that asks for too much, which is the file's fault.
  if (cause instanceof Error && NO_MEMORY.test(cause.message)) process.exit(OUT_OF_MEMORY)
  const reason = cause instanceof Error ? { cause: cause.message.slice(0, CAUSE_LENGTH) } : {}
  const smallest = facts?.smallestBytes
  return {
    outcome: 'error',
    code,
    message,
    ...(issues && { issues }),
    ...(typeof smallest === 'number' && { facts: { smallestBytes: smallest } }),
    ...reason,
  }
}

/**
 * Above this, garbage is collected before memory is reported, for 15 ms a round: the WebAssembly memory of a HEIC is no longer
 * used, but V8 does not collect it soon. Otherwise the pool would replace the renderer, for 400 ms.
 */
const UNTIDY_BYTES = 150 * 1024 * 1024
/** The remaining memory is malloc's, or in use: it is checked again after this much growth, not after each image. */
const GROWTH_BYTES = 16 * 1024 * 1024
/** The first round frees the owners of the memory, the second the memory. */
const ROUNDS = 2

let untidyBytes = UNTIDY_BYTES

async function residentBytes(): Promise<number> {
  let bytes = process.memoryUsage.rss()
  if (bytes <= untidyBytes) return bytes
  bytes = await collectGarbage(bytes)
  // What a large JPEG XL needed is kept by its engine.
  if (bytes > UNTIDY_BYTES && (await closeEngine())) bytes = await collectGarbage(bytes)
  untidyBytes = Math.max(UNTIDY_BYTES, bytes + GROWTH_BYTES)
  return bytes
}

async function collectGarbage(before: number): Promise<number> {
  let bytes = before
  for (let round = 0; round < ROUNDS && bytes > UNTIDY_BYTES; round++) {
    await setImmediate()
    globalThis.gc?.()
    bytes = process.memoryUsage.rss()
  }
  return bytes
}

async function answer(outcome: Outcome, began: number, files: readonly Buffer[]): Promise<void> {
  const rss = await residentBytes()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage()
  send({ ...outcome, ms, rss, cpuSeconds: (user + system) / 1e6, files: files.map(({ length }) => length) }, files)
}

lockDown()
await answer({ outcome: 'ready' }, 0, [])
for (let job = receive(); job; job = receive()) {
  const began = performance.now()
  const { outcome, files } = await work(job.request, job.files)
  await answer(outcome, began, files)
  const { plan }: Task = tasks[job.request.task]
  // If it failed, or the task does not write the image, libvips may still be reading. Otherwise V8 would collect everything every
  // few files.
  if (plan && outcome.outcome === 'done') job.files.forEach(giveBackMemory)
}
