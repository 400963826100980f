import type { Generated } from 'kysely'

/** A file that was sent ahead of the requests that use it. */
export interface UploadTable {
  id: Generated<string>
  /** base64url. */
  handle: string
  account_id: string
  content_type: string
  name: string | null
  /** Bytes as announced. */
  length: number | null
  /** Bytes of its parts. */
  stored: Generated<number>
  /** As announced. */
  sha256: Buffer | null
  created_at: Generated<Date>
  completed_at: Date | null
  expires_at: Date
  /** When another request asked the one that is writing to stop. */
  released_at: Date | null
}

/** Some of its bytes, as a file of the store. */
export interface UploadPartTable {
  upload_id: string
  first: number
  bytes: number
  key: string
}
