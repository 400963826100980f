import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemCode } from '../failure.ts'

/**
 * Makes a folder that a user has named, and those above it. Node's own recursive mkdir never ends where a folder neither exists nor can be
 * made, as below /proc.
 * @param mode permissions of those that are made
 * @throws the system's error
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let folder = resolve(path); !exists(folder); folder = dirname(folder)) missing.push(folder)
  for (const folder of missing.reverse()) makeOne(folder, mode)
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another run may have made it meanwhile.
    if (systemCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

/** The root folder always exists. */
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
