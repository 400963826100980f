export class BlobNotFound extends Error {
  override name = 'BlobNotFound' as const

  constructor(key: string) {
    super(`There is no blob ${key}.`)
  }
}

/** The range is outside the blob: HTTP 416. */
export class RangeNotSatisfiable extends Error {
  override name = 'RangeNotSatisfiable' as const
  /** Bytes of the whole blob, for the header Content-Range. */
  readonly size: number

  constructor(size: number) {
    super(`The range is not in the blob's ${size} bytes.`)
    this.size = size
  }
}

/** The disk or a quota is full. Blobs can still be read, and deleted to make space. */
export class StorageFull extends Error {
  override name = 'StorageFull' as const
}

/** The disk or the S3 server fails or refuses; `cause` has its error. The message names the location and never a secret. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable' as const
}
