import type { ImageFailure } from '../failure.ts'

/** An image to convert. */
export interface SourceFile {
  /** The name as users know it: a path or URI. */
  readonly name: string
  /** Its path below the source that was named, divided by `/`. Results keep it. */
  readonly path: string
  /** Size in bytes and a text that changes with the content, without reading it. @throws ImageFailure */
  version(): SourceVersion
  /** @throws ImageFailure, RunFailure */
  read(): Promise<Buffer>
  /** The place of a file on this machine. */
  readonly location?: string
}

export interface SourceVersion {
  readonly bytes: number
  /** The time of the last change of a file, or the ETag of an object. */
  readonly tag: string
}

/** A file or folder that cannot be listed. */
export interface UnreadableSource {
  readonly name: string
  readonly failure: ImageFailure
}

export type Listed = SourceFile | UnreadableSource

/** Everything below one or several places, in a stable order. */
export interface Sources {
  list(): AsyncGenerator<Listed>
  /** How many there are, if that can be found out without listing a bucket. */
  count?(): Promise<number>
  /** Whether an image that was not listed is gone: it would be listed here if it existed. @param origin its identity */
  isGone?(origin: string): boolean
  /** The folders on this machine that are listed with all below them. */
  readonly folders?: readonly string[]
}

/** Several sources, one after the other. */
export function together(all: readonly Sources[]): Sources {
  const counts = all.flatMap(({ count }) => (count ? [count] : []))
  return {
    async *list() {
      for (const each of all) yield* each.list()
    },
    isGone: (origin) => all.some((each) => each.isGone?.(origin)),
    folders: all.flatMap(({ folders = [] }) => folders),
    ...(counts.length === all.length && {
      async count() {
        const numbers = await Promise.all(counts.map((count) => count()))
        return numbers.reduce((sum, number) => sum + number, 0)
      },
    }),
  }
}
