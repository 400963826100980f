import { readSync, writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { HeicWriter } from '../codecs/heic/writers.ts'
import type { Issue } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { type TaskName, tasks } from '../tasks/index.ts'
import type { TaskCall } from '../tasks/run.ts'
import { imageReport, type Task } from '../tasks/task.ts'
import { readUpload } from './upload-file.ts'

/**
 * Messages between the API process and a renderer: a length of 4 bytes, little-endian, that many bytes of JSON, and the bytes of
 * the files whose sizes the JSON gives. One at a time in each direction, on one socket. The bytes of a request are in the upload
 * file instead, if there is room.
 */
const LENGTH_BYTES = 4

/** The descriptor of a renderer's end of the socket. */
const SOCKET = 3

/** The files of one job as they arrived: each a list of chunks, which are not joined. */
export type Files = readonly (readonly Buffer[])[]

/**
 * Releases the memory of received bytes, which are empty from then on; otherwise they are the main cause of garbage collections.
 * No other view may use the same ArrayBuffer, and the bytes must not be on their way to a file or a socket.
 */
export const giveBackMemory = ({ buffer }: Buffer): void => void (buffer as ArrayBuffer).transfer(0)

export interface Request extends TaskCall {
  readonly heicWriter: HeicWriter
  /** Megapixels that may be processed without asking. */
  readonly allowance: number
  /** Maximum estimated seconds without asking; by default unlimited. */
  readonly seconds?: number
  readonly files: readonly number[]
  /** The bytes of the files are in the upload file, one file behind the other. */
  readonly inFile?: boolean
}

/** The result of a task, with its files. */
interface Done {
  readonly outcome: 'done'
  readonly task: TaskName
  /** Of the task's type. */
  readonly report: Readonly<Record<string, unknown>>
  /** The first file is a PNG for heif-enc; a second one is sent if heif-enc's result is no smaller. */
  readonly finish?: { readonly quality?: number | undefined }
}

/** The image is heavier, or the work longer, than the request allowed. */
interface Heavy {
  readonly outcome: 'heavy'
  readonly megapixels: number
}

export interface Refused {
  readonly outcome: 'error'
  readonly code: ErrorName
  readonly message: string
  readonly issues?: readonly Issue[]
  /** With cannot_fit. */
  readonly facts?: { readonly smallestBytes: number }
  /** For the log only: it may contain a library's message. At most CAUSE_LENGTH characters. */
  readonly cause?: string
}

/** libvips stores up to 10 KB of errors; the beginning says most. */
export const CAUSE_LENGTH = 2_000

/** The exit code of a renderer that could not allocate memory. */
export const OUT_OF_MEMORY = 12

/** Sent once, when the renderer is ready. */
interface Ready {
  readonly outcome: 'ready'
}

export type Outcome = Done | Heavy | Refused | Ready

export type Answer = Outcome & {
  /** Milliseconds spent on the image. */
  readonly ms: number
  /** Resident memory of the renderer in bytes: the pool replaces one that has grown. */
  readonly rss: number
  /** Seconds of CPU used so far: the kernel ends a renderer at its limit, the pool replaces it before. */
  readonly cpuSeconds: number
  readonly files: readonly number[]
}

export interface Message {
  readonly answer: Answer
  readonly files: readonly Buffer[]
}

export function frame(header: object): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/**
 * The renderer's end. It blocks: a renderer has nothing else to do, and reading straight into one buffer of the known size saves
 * the event loop and a copy. Undefined when the parent has gone.
 */
export function receive(): { request: Request; files: Buffer[] } | undefined {
  const length = readExactly(LENGTH_BYTES)
  const json = length && readExactly(length.readUInt32LE())
  if (!json) return undefined
  // Written by our own parent process, so the types hold.
  const request = JSON.parse(json.toString()) as Request
  const files: Buffer[] = []
  let position = 0
  for (const size of request.files) {
    const bytes = request.inFile ? readUpload(size, position) : readExactly(size)
    if (!bytes) return undefined
    files.push(bytes)
    position += size
  }
  return { request, files }
}

function readExactly(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const count = readSync(SOCKET, bytes, at, size - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

export function send(answer: Answer, files: readonly Buffer[]): void {
  for (const bytes of [frame(answer), ...files]) {
    for (let at = 0; at < bytes.length; ) at += writeSync(SOCKET, bytes, at)
  }
}

/** The JSON of an answer has some hundred bytes. */
const HEADER_BYTES = 1024 * 1024

/**
 * The API's end: calls back once for each complete message. A hostile file may have taken over the sender: after an invalid
 * answer, or if `onMessage` throws, nothing more is read.
 */
export function readAnswers(socket: Duplex, onMessage: (message: Message) => void, onFault: (error: Error) => void): void {
  let wanted = Buffer.allocUnsafe(LENGTH_BYTES)
  let filled = 0
  let step: (bytes: Buffer) => void = length

  function want(size: number, then: (bytes: Buffer) => void): void {
    wanted = Buffer.allocUnsafeSlow(size)
    filled = 0
    step = then
    if (size === 0) then(wanted)
  }
  function length(bytes: Buffer): void {
    const size = bytes.readUInt32LE()
    if (size > HEADER_BYTES) throw new Error(`a renderer announced a header of ${size} bytes`)
    want(size, header)
  }
  function header(bytes: Buffer): void {
    collect(parseAnswer(bytes), [])
  }
  function collect(answer: Answer, files: readonly Buffer[]): void {
    const size = answer.files[files.length]
    if (size !== undefined) {
      want(size, (bytes) => collect(answer, [...files, bytes]))
    } else {
      want(LENGTH_BYTES, length)
      onMessage({ answer, files })
    }
  }

  function read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const count = chunk.copy(wanted, filled, at)
      at += count
      filled += count
      if (filled === wanted.length) step(wanted)
    }
  }
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      socket.destroy()
      onFault(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** The errors about an image: a renderer knows nothing about accounts, calls and this server. */
const rendererErrors = [
  'invalid_image_type',
  'invalid_image',
  'image_too_large',
  'invalid_params',
  'cannot_fit',
  'conversion_failed',
] as const satisfies readonly ErrorName[]

/** Our own sentences have up to 300 characters; a crop with four invalid parameters joins four of them. */
const SENTENCE_LENGTH = 2_000

/** Limits of measured numbers: a day, a terabyte. Sums in the metrics stay finite. */
const DAY_SECONDS = 86_400
const TERABYTE = 1e12

const sentence = z.string().max(SENTENCE_LENGTH)

const measured = {
  ms: z
    .number()
    .min(0)
    .max(DAY_SECONDS * 1000),
  rss: z.number().min(0).max(TERABYTE),
  // Over all cores; the kernel ends a renderer after some hours of CPU time.
  cpuSeconds: z.number().min(0).max(DAY_SECONDS),
}
const noFiles = { files: z.array(z.never()).max(0) }

const issue = z.object({
  path: z.array(z.union([z.string().max(100), z.int()])).max(8),
  code: z.string().max(100),
  message: sentence,
})

const done = z
  .object({
    outcome: z.literal('done'),
    task: z.enum(Object.keys(tasks) as [TaskName, ...TaskName[]]),
    report: z.record(z.string(), z.unknown()),
    finish: z.object({ quality: z.number().min(limits.quality.min).max(limits.quality.max).optional() }).exactOptional(),
    files: z.array(z.int().min(1)),
    ...measured,
  })
  .transform((answer, context) => {
    const { report, leastFiles = 0, mostFiles, fileBytes }: Task = tasks[answer.task]
    const { finish, files } = answer
    const { data, error } = report.safeParse(answer.report)
    // A PNG for heif-enc may come with the file to send if heif-enc's result is no smaller.
    const most = finish ? mostFiles + 1 : mostFiles
    if (files.length < leastFiles || files.length > most) context.addIssue(`${files.length} files, not ${leastFiles} to ${most}`)
    if (files.some((bytes) => bytes > fileBytes)) context.addIssue(`a file of more than ${fileBytes} bytes`)
    if (finish && !(report === imageReport && answer.report.format === 'heic')) context.addIssue('heif-enc finishes HEIC alone')
    if (error) context.addIssue(`report: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return data ? { ...answer, report: data } : z.NEVER
  })

const answer: z.ZodType<Answer> = z.discriminatedUnion('outcome', [
  done,
  z.object({
    outcome: z.literal('heavy'),
    megapixels: z
      .number()
      .min(0)
      .max(limits.pixels / 1e6),
    ...noFiles,
    ...measured,
  }),
  z.object({
    outcome: z.literal('error'),
    code: z.enum(rendererErrors),
    message: sentence,
    issues: z.array(issue).max(32).exactOptional(),
    facts: z.object({ smallestBytes: z.int().min(1).max(TERABYTE) }).exactOptional(),
    cause: z.string().max(CAUSE_LENGTH).exactOptional(),
    ...noFiles,
    ...measured,
  }),
  z.object({ outcome: z.literal('ready'), ...noFiles, ...measured }),
])

/**
 * The only place where a renderer's answer becomes a typed value: a hostile file may have taken the renderer over, so anything
 * may arrive.
 * @throws Error naming the first fault
 */
function parseAnswer(json: Buffer): Answer {
  const { data, error } = answer.safeParse(JSON.parse(json.toString()))
  if (data) return data
  // Not all faults: a list of a hundred thousand files may have as many.
  const [first] = error.issues
  throw new Error(`a renderer sent no answer: ${first?.path.join('.')}: ${first?.message}`)
}
