import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The names of backups sort by age. */
const FINISHED = /^pixelmill-\d{8}T\d{6}Z$/
const UNFINISHED = /^\.unfinished-pixelmill-/

export const nameAt = (moment: Date): string =>
  `pixelmill-${moment
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z')}`

export const unfinishName = (name: string): string => `.unfinished-${name}`

/** Removes all but the newest backups; returns the names of those removed. */
export async function keepNewest(folder: string, count: number): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => FINISHED.test(name)).sort()
  const old = names.slice(0, Math.max(0, names.length - count))
  for (const name of old) await rm(join(folder, name), { recursive: true })
  return old
}

/** Removes the remains of interrupted backups. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (UNFINISHED.test(name)) await rm(join(folder, name), { recursive: true, force: true })
}
