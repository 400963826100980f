import type { BigIntStats } from 'node:fs'

/** A blob's file is written once, so number, size and time tell it from every other; renaming changes none of them. */
export function fileEtag({ ino, size, mtimeNs }: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string {
  return `"${[ino, size, mtimeNs].map((number) => number.toString(36)).join('-')}"`
}
