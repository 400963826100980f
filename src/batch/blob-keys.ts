/** All files of batches. */
export const BATCH_FILES = 'batch/'

/** What all files of one batch begin with. */
export const batchPrefix = (batchId: string): string => `${BATCH_FILES}${batchId}/`

/** The archive as it was sent. */
export const uploadKey = (batchId: string): string => `${batchPrefix(batchId)}upload.zip`

/** One converted image. Each claim writes a file of its own, so that a late one of a lost claim never replaces what counts. */
export const partKey = (item: { readonly batchId: string; readonly seq: number; readonly attempt: number }): string =>
  `${batchPrefix(item.batchId)}images/${item.seq}-${item.attempt}`
