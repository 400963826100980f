import { StorageFull, StorageUnavailable } from '../blob-errors.ts'

/** The codes of open(2), write(2) and fsync(2) for a full disk and a full quota. */
const FULL = ['ENOSPC', 'EDQUOT']

/** Awaits something that only the disk can make fail. @throws StorageFull, StorageUnavailable */
export function onDisk<Result>(root: string, work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw diskError(root, error)
  })
}

export function diskError(root: string, cause: unknown): StorageFull | StorageUnavailable {
  const code = errorCode(cause)
  if (FULL.includes(code)) return new StorageFull(`The disk of ${root} is full (${code}).`, { cause })
  return new StorageUnavailable(`Cannot use the folder ${root} (${code}).`, { cause })
}

/** ENOTDIR: a file of somebody else's stands where the key's folder would be. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error))
}

export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error)
}
