import { readSync, writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { Codec } from '../codecs/codec.ts'
import type { HeicWriter } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import type { Issue } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { type WarningName, warningNames } from '../contract/warnings.ts'
import { type StudyName, studies } from '../tasks/index.ts'
import type { Inquiry, Recipe } from '../tasks/run.ts'
import type { Study } from '../tasks/task.ts'

/** What a renderer is to do with the files that are sent with it: make an image of them, or look at them. */
export type Task = Recipe | Inquiry

export interface Request {
  readonly task: Task
  readonly heicWriter: HeicWriter
  /** Megapixels that may be worked on without asking. */
  readonly allowance: number
  /** Seconds that work may be estimated to take to be done without asking; without it any number. */
  readonly seconds?: number
  readonly files: readonly number[]
}

export interface Imaged {
  readonly outcome: 'image'
  readonly codec: Codec['name']
  /** The first file is a PNG for heif-enc; a second one is to be sent where the result is no smaller. */
  readonly finish?: { readonly quality?: number | undefined }
  readonly width: number
  readonly height: number
  readonly warnings?: readonly WarningName[]
}

export interface Reported {
  readonly outcome: 'report'
  readonly study: StudyName
  /** Of the type that the study has; with it come the files that the study made. */
  readonly report: Readonly<Record<string, unknown>>
}

interface Heavy {
  readonly outcome: 'heavy'
  readonly megapixels: number
}

export interface Refused {
  readonly outcome: 'error'
  readonly code: ErrorName
  readonly message: string
  readonly issues?: readonly Issue[]
  /** For the log only: it may hold words of a library. At most CAUSE_LENGTH characters. */
  readonly cause?: string
}

/** libvips keeps up to 10 KB of what went wrong; the first of it says most. */
export const CAUSE_LENGTH = 2_000

/** Said once, when the renderer has loaded what it needs. */
interface Ready {
  readonly outcome: 'ready'
}

export type Outcome = Imaged | Reported | Heavy | Refused | Ready

export type Answer = Outcome & {
  /** Milliseconds spent on the image. */
  readonly ms: number
  /** Resident memory of the renderer in bytes: the pool replaces one that has grown. */
  readonly rss: number
  /** Seconds of CPU that it has used so far: the kernel ends one that uses too many, the pool replaces it before. */
  readonly cpuSeconds: number
  readonly files: readonly number[]
}

/**
 * Messages between the API process and a renderer: a length of 4 bytes, little-endian, that many bytes of JSON, and the bytes of
 * the files whose sizes the JSON gives. One at a time each way, on one socket.
 */
const LENGTH_BYTES = 4

/** The descriptor that a renderer inherits for its end of the wire. */
export const WIRE = 3

export function frame(header: object): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(json.length)
  return Buffer.concat([length, json])
}

/**
 * The renderer's end. It blocks: a renderer has nothing else to do, and reading straight into one buffer of the known
 * size spares the event loop and a copy.
 */
export function receive(): { request: Request; files: Buffer[] } | undefined {
  const length = read(LENGTH_BYTES)
  if (!length) return undefined
  const json = read(length.readUInt32LE())
  if (!json) return undefined
  // Written by our own parent process, whose types are these.
  const request = JSON.parse(json.toString()) as Request
  const files: Buffer[] = []
  for (const size of request.files) {
    const bytes = read(size)
    if (!bytes) return undefined
    files.push(bytes)
  }
  return { request, files }
}

/** Exactly `size` bytes, or undefined when the parent has gone. */
function read(size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const count = readSync(WIRE, bytes, at, size - at, null)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

export function send(answer: Answer, files: readonly Buffer[]): void {
  for (const bytes of [frame(answer), ...files]) {
    for (let at = 0; at < bytes.length; ) at += writeSync(WIRE, bytes, at)
  }
}

export interface Message {
  readonly answer: Answer
  readonly files: readonly Buffer[]
}

/** An answer's JSON is some hundred bytes. */
const HEADER_BYTES = 1024 * 1024

/**
 * The API's end of the wire: calls back once for each whole message. The sender may have been taken over by a file: after
 * what is no answer, or what `onMessage` throws at, nothing more is read.
 */
export function readAnswers(wire: Duplex, onMessage: (message: Message) => void, onFault: (error: Error) => void): void {
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
  wire.on('data', (chunk: Buffer) => {
    try {
      read(chunk)
    } catch (error) {
      wire.destroy()
      onFault(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** What may be wrong with an image: of accounts, calls and this server a renderer knows nothing. */
const rendererErrors = [
  'invalid_image_type',
  'invalid_image',
  'image_too_large',
  'invalid_params',
  'conversion_failed',
] as const satisfies readonly ErrorName[]

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
const FILE_BYTES = 1024 * 1024 * 1024

/** Our own sentences have up to 300 characters, of which a cropping with four faulty parameters joins four. */
const SENTENCE_LENGTH = 2_000

/** Of numbers that are only measured: a day, a terabyte. Sums in the metrics stay finite. */
const DAY_SECONDS = 86_400
const TERABYTE = 1e12

const sentence = z.string().max(SENTENCE_LENGTH)
const side = z.int().min(1).max(limits.pixels)

const measured = {
  ms: z
    .number()
    .min(0)
    .max(DAY_SECONDS * 1000),
  rss: z.number().min(0).max(TERABYTE),
  // All cores count, and the kernel ends a renderer after some hours of them.
  cpuSeconds: z.number().min(0).max(DAY_SECONDS),
}
const noFiles = { files: z.array(z.never()).max(0) }

const issue = z.object({
  path: z.array(z.union([z.string().max(100), z.int()])).max(8),
  code: z.string().max(100),
  message: sentence,
})

const imaged = z
  .object({
    outcome: z.literal('image'),
    codec: z.enum(Object.values(codecs).map(({ name }) => name)),
    finish: z.object({ quality: z.number().min(limits.quality.min).max(limits.quality.max).optional() }).exactOptional(),
    width: side,
    height: side,
    warnings: z.array(z.enum(warningNames)).max(warningNames.length).exactOptional(),
    files: z.array(z.int().min(1).max(FILE_BYTES)).min(1).max(2),
    ...measured,
  })
  .refine(({ width, height }) => width * height <= limits.pixels, 'more pixels than an image may have')
  .refine(({ finish, files }) => finish !== undefined || files.length === 1, 'two files, of which none is to be finished')
  .refine(({ finish, codec }) => finish === undefined || codec === 'heic', 'heif-enc finishes HEIC alone')

const studyNames = Object.keys(studies) as [StudyName, ...StudyName[]]

const reported = z
  .object({
    outcome: z.literal('report'),
    study: z.enum(studyNames),
    report: z.record(z.string(), z.unknown()),
    files: z.array(z.int().min(1).max(FILE_BYTES)),
    ...measured,
  })
  .transform((said, context) => {
    const { report, mostFiles, fileBytes }: Study = studies[said.study]
    const { data, error } = report.safeParse(said.report)
    if (said.files.length > mostFiles) context.addIssue(`more than ${mostFiles} files`)
    if (said.files.some((bytes) => bytes > fileBytes)) context.addIssue(`a file of more than ${fileBytes} bytes`)
    if (error) context.addIssue(`report: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    return data ? { ...said, report: data } : z.NEVER
  })

const answer: z.ZodType<Answer> = z.discriminatedUnion('outcome', [
  imaged,
  reported,
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
    cause: z.string().max(CAUSE_LENGTH).exactOptional(),
    ...noFiles,
    ...measured,
  }),
  z.object({ outcome: z.literal('ready'), ...noFiles, ...measured }),
])

/**
 * The one place where what a renderer says becomes a value of a type: a file may have taken it over, so that anything may
 * come.
 * @throws Error saying what is wrong first
 */
export function parseAnswer(json: Buffer): Answer {
  const { data, error } = answer.safeParse(JSON.parse(json.toString()))
  if (data) return data
  // Not all: a list of a hundred thousand files has as many faults.
  const [first] = error.issues
  throw new Error(`a renderer sent no answer: ${first?.path.join('.')}: ${first?.message}`)
}
