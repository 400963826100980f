import type { SourceVersion } from './source.ts'

/** What a file gets beside its bytes. */
export interface FileFacts {
  /** Of the file that it replaces; otherwise it belongs to who runs the command. */
  readonly owner?: Owner | undefined
  /** The time of its last change, in milliseconds since 1970; otherwise now. */
  readonly changedMs?: number | undefined
}

/** What a file that replaces another keeps of it. */
export interface Owner {
  /** Permissions. */
  readonly mode: number
  readonly user: number
  readonly group: number
}

/** Where results go. */
export interface Target extends AsyncDisposable {
  /** A result's path or URI, for users. */
  nameOf(path: string): string
  /** The version of a result that exists; absent where this would take a request for each, and what is there is replaced. */
  holds?(path: string): SourceVersion | undefined
  /** The same of a single result, by a request where it needs one. @throws RunFailure */
  versionOf(path: string): Promise<SourceVersion | undefined>
  /**
   * Writes a result so that it is there completely or not at all.
   * @param record called when the bytes are safe and, in a folder, before they get their name: after a kill between both, the
   * result counts as missing
   * @throws ImageFailure, RunFailure
   */
  write(path: string, bytes: Buffer, mime: string, record: (version: SourceVersion) => void, facts?: FileFacts): Promise<void>
  /** Removes a result; one that is gone already makes no difference. @throws ImageFailure, RunFailure */
  remove(path: string): Promise<void>
}
