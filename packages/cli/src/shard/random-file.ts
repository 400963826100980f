import { open } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import type { Objects } from '../bucket/objects.ts'
import { systemCode } from '../failure.ts'

/** A file of which parts are read, here or in a bucket. */
export interface RandomFile {
  readonly size: number
  /** Changes with the content: the time of the last change of a file, or the ETag of an object. */
  readonly tag: string
  /** Fewer bytes at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
}

/** @throws InvalidArgumentError if it cannot be read */
export async function openLocalFile(path: string, resources: AsyncDisposableStack): Promise<RandomFile> {
  try {
    const handle = resources.use(await open(path))
    const { size, mtimeMs } = await handle.stat()
    return {
      size,
      tag: String(mtimeMs),
      async read(position, length) {
        const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - position)))
        const { bytesRead } = await handle.read(bytes, 0, bytes.length, position)
        return bytes.subarray(0, bytesRead)
      },
    }
  } catch (error) {
    throw new InvalidArgumentError(`The manifest ${path} cannot be read (${systemCode(error)}).`)
  }
}

/** @throws InvalidArgumentError if there is no such object */
export async function openObject(objects: Objects, key: string, name: string): Promise<RandomFile> {
  const head = await objects.head(key)
  if (!head) throw new InvalidArgumentError(`There is no manifest ${name}.`)
  const { size, etag } = head
  return {
    size,
    tag: etag,
    async read(position, length) {
      const last = Math.min(position + length, size) - 1
      return last < position ? Buffer.alloc(0) : await objects.read(key, { first: position, last })
    },
  }
}
