import type { HeicWriter } from '../codecs/heic/writers.ts'
import { StartError } from '../contract/start-error.ts'
import { type Granted, measures } from './confinement.ts'
import { findHeifEnc, type HeifEncoder, heifEncoder } from './heif-enc.ts'
import { workingMeasures } from './working-measures.ts'

/** One grey pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
)

/** What takes 50 ms; a program that hangs must not keep the server from starting. */
const PATIENCE_MS = 3_000

/** Who writes HEIC on this machine. */
export interface HeicWriting {
  readonly heicWriter: HeicWriter
  /** Where heif-enc does. */
  readonly encodeHeif?: HeifEncoder
}

async function works(encode: HeifEncoder): Promise<boolean> {
  const { done, kill } = encode(PIXEL, undefined)
  const patience = setTimeout(kill, PATIENCE_MS)
  const worked = await done.then(
    () => true,
    () => false,
  )
  clearTimeout(patience)
  return worked
}

/** heif-enc, if it is on the path and can write HEVC: newer packages keep x265 in a plug-in of its own, which may be missing. */
async function workingHeifEnc(granted: Granted): Promise<HeifEncoder | undefined> {
  const program = findHeifEnc()
  if (!program) return undefined
  const applicable = measures.filter(({ flags }) => !flags)
  const taken = await workingMeasures(applicable, (some) => works(heifEncoder(program, granted, some)))
  return taken && heifEncoder(program, granted, taken)
}

/**
 * Who writes HEIC, and how confined.
 * @throws StartError when heif-enc is asked for and does not work
 */
export async function chooseHeicWriter(asked: HeicWriter | 'auto', granted: Granted): Promise<HeicWriting> {
  if (asked === 'elheif' || asked === 'none') return { heicWriter: asked }
  const encodeHeif = await workingHeifEnc(granted)
  if (encodeHeif) return { heicWriter: 'heif-enc', encodeHeif }
  if (asked === 'auto') return { heicWriter: 'elheif' }
  throw new StartError('HEIC_WRITER is heif-enc, but that program is not on the PATH or cannot write HEVC.')
}
