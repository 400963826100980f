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
}

/** Several sources, one after the other. */
export function together(all: readonly Sources[]): Sources {
  const counts = all.flatMap(({ count }) => (count ? [count] : []))
  return {
    async *list() {
      for (const each of all) yield* each.list()
    },
    ...(counts.length === all.length && {
      async count() {
        const numbers = await Promise.all(counts.map((count) => count()))
        return numbers.reduce((sum, number) => sum + number, 0)
      },
    }),
  }
}
