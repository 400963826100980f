export class BlobNotFound extends Error {
  override name = 'BlobNotFound' as const

  constructor(key: string) {
    super(`There is no blob ${key}.`)
  }
}

/** None of the bytes that were asked for are in the blob: HTTP's 416. */
export class RangeNotSatisfiable extends Error {
  override name = 'RangeNotSatisfiable' as const
  /** Bytes of the whole blob, for the header Content-Range. */
  readonly size: number

  constructor(size: number) {
    super(`The range is not in the blob's ${size} bytes.`)
    this.size = size
  }
}

/** No room, or none left of a quota: what was stored can still be read, and deleted to make room. */
export class StorageFull extends Error {
  override name = 'StorageFull' as const
}

/** The disk or the S3 server fails or refuses; `cause` is what it said. The message names the place and never a secret. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable' as const
}
