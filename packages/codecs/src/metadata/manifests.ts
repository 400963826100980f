import type { Codec } from '../codec.ts'
import { unlessDamaged } from './damage.ts'

/** Whether a file has a C2PA manifest, which covers the bytes of this very file: no changed one may keep it. */
export const hasManifest = (file: Buffer, { isManifestIn }: Pick<Codec, 'isManifestIn'>): boolean =>
  unlessDamaged(() => isManifestIn?.(file) ?? false, false)
