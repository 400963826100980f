import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, ftruncateSync, openSync, readSync, statfsSync, unlinkSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { MiB } from '@pixelmill/codecs/contract/limits'

/**
 * A file in memory through which the server hands uploads to one renderer. It has no name. The server writes it, and the renderer
 * inherits a descriptor that only reads. The server never reads it: a renderer that found a way to change it would change its own
 * input alone.
 */
export interface UploadFile {
  /** The renderer's descriptor, which the server closes once it has started the renderer. */
  readonly readable: number
  started(): void
  /** Replaces the contents; false if there is no room for these bytes. */
  write(chunks: readonly Buffer[], bytes: number): boolean
  /** Frees the memory of a large upload. */
  trim(): void
  close(): void
}

/** A renderer's process with its file, if it has one. */
export interface RendererChild extends ChildProcess {
  readonly uploads?: UploadFile | undefined
}

/** On Linux always in memory. Containers have 64 MB there unless they ask for more, and may have nothing. */
const FOLDER = '/dev/shm'

/** What remains free for others, such as PostgreSQL. */
const FREE_SHARE = 0.5

/**
 * Memory that stays with the file for the next upload: to allocate it anew would cost 0.15 ms for 500 kB, half of what handing them
 * over takes. Only the renderer that has had its contents can read it.
 */
const KEPT_BYTES = MiB

/** Undefined on a system without such a folder, and if no descriptor is free: uploads then go through the socket. */
export function createUploadFile(folder = FOLDER): UploadFile | undefined {
  const descriptors = openUnnamed(folder)
  if (!descriptors) return undefined
  const { writable, readable } = descriptors
  /** Its size; undefined once it is closed. */
  let size: number | undefined = 0

  function resize(bytes: number): void {
    ftruncateSync(writable, bytes)
    size = bytes
  }
  return {
    readable,
    started: () => closeSync(readable),
    write(chunks, bytes) {
      if (size === undefined || (bytes > size && !hasRoom(folder, bytes - size))) return false
      const isComplete = isFilled(writable, chunks, bytes)
      // A truncated image must not go on with the rest of the previous one.
      if (!isComplete || bytes < size) resize(isComplete ? bytes : 0)
      size = isComplete ? bytes : 0
      return isComplete
    },
    trim() {
      if (size !== undefined && size > KEPT_BYTES) resize(KEPT_BYTES)
    },
    close() {
      if (size !== undefined) closeSync(writable)
      size = undefined
    },
  }
}

function openUnnamed(folder: string): { readonly writable: number; readonly readable: number } | undefined {
  const path = join(folder, `pixelmill-${randomUUID()}`)
  const descriptors: number[] = []
  try {
    const writable = openSync(path, 'wx')
    descriptors.push(writable)
    // The renderer may be of any user, and if it is the owner it has no capability to open it for writing either.
    fchmodSync(writable, 0o444)
    const readable = openSync(path, 'r')
    return { writable, readable }
  } catch {
    for (const descriptor of descriptors) closeSync(descriptor)
    return undefined
  } finally {
    if (descriptors.length > 0) unlinkSync(path)
  }
}

function hasRoom(folder: string, bytes: number): boolean {
  const { bsize, blocks, bavail } = statfsSync(folder)
  return bavail * bsize - bytes > blocks * bsize * FREE_SHARE
}

/** False if the kernel had no room for all of it. */
function isFilled(writable: number, chunks: readonly Buffer[], bytes: number): boolean {
  try {
    return writevSync(writable, chunks, 0) === bytes
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}

/** The renderer's descriptor: the next after its socket. */
const DESCRIPTOR = 4

/** The renderer's end. Undefined if the file is shorter, which the server has excluded. */
export function readUpload(size: number, position: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size; ) {
    const count = readSync(DESCRIPTOR, bytes, at, size - at, position + at)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}
