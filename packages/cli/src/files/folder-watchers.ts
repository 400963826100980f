import { type FSWatcher, watch } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Tells of changes in folders as far as the system does. */
export interface FolderWatchers extends Disposable {
  /** Watches these, and no others any more. */
  watch(folders: readonly string[]): void
  /** Forgets the changes so far. */
  clear(): void
  /** Waits for a change since then, at most so long. @throws the signal's reason */
  next(ms: number, signal: AbortSignal): Promise<void>
}

export function folderWatchers(): FolderWatchers {
  const watchers = new Map<string, FSWatcher>()
  let change = Promise.withResolvers<void>()

  function add(folder: string): void {
    try {
      // Hidden files are not listed; among them is what this program writes.
      const watcher = watch(folder, (_event, name) => void (name?.startsWith('.') || change.resolve()))
      watcher.once('error', () => remove(folder))
      watchers.set(folder, watcher)
    } catch {
      // It is gone, or the system watches no more folders: rescans see what changes.
    }
  }
  function remove(folder: string): void {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    watch(folders) {
      const current = new Set(folders)
      for (const folder of [...watchers.keys()]) if (!current.has(folder)) remove(folder)
      for (const folder of current) if (!watchers.has(folder)) add(folder)
    },
    clear() {
      change = Promise.withResolvers<void>()
    },
    async next(ms, signal) {
      const stop = new AbortController()
      const pause = sleep(ms, undefined, { signal: AbortSignal.any([signal, stop.signal]) })
      try {
        await Promise.race([change.promise, pause])
      } finally {
        // The pause that is not waited for any more ends with this reason.
        pause.catch(() => {})
        stop.abort()
      }
    },
    [Symbol.dispose]() {
      for (const folder of [...watchers.keys()]) remove(folder)
    },
  }
}
