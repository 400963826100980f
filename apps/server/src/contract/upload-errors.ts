/** Errors of uploads by handle. */
export const uploadErrors = {
  upload_length_mismatch: {
    status: 400,
    message: 'The upload has another length than was announced.',
    when: 'More or fewer bytes than announced, two different lengths, or bytes for a complete upload. An upload that got more than announced is deleted.',
  },
  upload_digest_mismatch: {
    status: 400,
    message: 'The bytes do not have the digest that Repr-Digest announced; send the file again.',
    when: 'SHA-256 of all bytes is not that of `Repr-Digest`, as after resuming with another file. The upload is deleted.',
  },
  upload_not_found: {
    status: 404,
    message: 'There is no such upload; it is kept for an hour. Check the handle, or send the file again.',
    when: "No upload has this handle, it has expired or was deleted, or is another account's.",
  },
  upload_incomplete: {
    status: 409,
    message: 'The upload is not complete; send the rest of it first.',
    when: 'An upload is used or downloaded before all of it has arrived.',
  },
  upload_offset_mismatch: {
    status: 409,
    message: 'Upload-Offset is not where the upload ends; continue at the offset of this answer.',
    when: 'The bytes would not follow those that have arrived. `Upload-Offset` and `expected-offset` say where to continue.',
  },
  upload_in_use: {
    status: 409,
    message: 'Another request is sending this upload; wait for it, or end it by asking for the offset with HEAD.',
    when: 'Two requests write to one upload. The one that began first goes on.',
    retryAfterSeconds: 1,
  },
  tus_version_not_supported: {
    status: 412,
    message: 'Send the header "Tus-Resumable: 1.0.0".',
    when: 'tus: the header `Tus-Resumable` is missing.',
  },
  upload_too_large: {
    status: 413,
    message: 'The upload is larger than this server accepts; Tus-Max-Size says how large it may be.',
    when: 'tus: `Upload-Length` exceeds `Tus-Max-Size`. The message says the limit.',
  },
  upload_type_not_supported: {
    status: 415,
    message: 'Send the header "Content-Type: application/offset+octet-stream".',
    when: 'tus: a part is sent with another `Content-Type`, or without.',
  },
  too_many_uploads: {
    status: 429,
    message: 'This account keeps too many uploads; delete some, or wait until they expire.',
    when: 'The account has 1,000 uploads, or they exceed 2 GB with this one (UPLOADS_MB_PER_ACCOUNT).',
    retryAfterSeconds: 60,
  },
} as const
