import type { HeicWriter } from '../codecs/heic/writers.ts'
import { StartError } from '../contract/start-error.ts'
import { heifEnc } from './heif-enc.ts'

/** One grey pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** What takes 50 ms; a program that hangs must not keep the server from starting. */
const PATIENCE_MS = 5_000

/** heif-enc is on the path and can write HEVC: newer packages keep x265 in a plug-in of its own, which may be missing. */
async function works(): Promise<boolean> {
  const { done, kill } = heifEnc(PIXEL, undefined)
  const patience = setTimeout(kill, PATIENCE_MS)
  const worked = await done.then(
    () => true,
    () => false,
  )
  clearTimeout(patience)
  return worked
}

/**
 * Who writes HEIC on this machine.
 * @throws StartError when heif-enc is asked for and does not work
 */
export async function chooseHeicWriter(asked: HeicWriter | 'auto'): Promise<HeicWriter> {
  if (asked === 'elheif' || asked === 'none') return asked
  if (await works()) return 'heif-enc'
  if (asked === 'auto') return 'elheif'
  throw new StartError('HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC.')
}
