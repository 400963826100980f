import { readSync, writeSync } from 'node:fs'
import type { Codec } from '../codecs/codec.ts'
import type { HeicWriter } from '../codecs/heic/writers.ts'
import type { Issue } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import type { WarningName } from '../contract/warnings.ts'
import type { Recipe } from '../operations/run.ts'
import type { StudyName } from '../studies/index.ts'
import type { Inquiry } from '../studies/run.ts'

/**
 * Between the API process and a renderer: messages of a 4-byte little-endian length, that many bytes of JSON, and the
 * bytes of the files whose sizes the JSON gives. One at a time each way, on one socket.
 */
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

export const LENGTH_BYTES = 4

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
