import { readdir } from 'node:fs/promises'
import { StartError } from '../../src/contract/start-error.ts'

const SEGMENT = /^[0-9A-F]{24}$/

/**
 * The number of a segment in its timeline: eight digits for the log file, and eight for the segment, of which each file has 256.
 */
const placeOf = (name: string): number => Number.parseInt(name.slice(8, 16), 16) * 256 + Number.parseInt(name.slice(16), 16)

/**
 * The files of the log from one segment to another, both included, with the history files of their timelines.
 * @throws StartError if one is missing: without it the copy is unusable
 */
export async function logSegments(folder: string, first: string, last: string): Promise<readonly string[]> {
  const names = await readdir(folder)
  const segments = names.filter((name) => SEGMENT.test(name) && name >= first && name <= last)
  const wanted = placeOf(last) - placeOf(first) + 1
  if (segments.length !== wanted)
    throw new StartError(`${wanted - segments.length} files of PostgreSQL's log went away during the back-up: take it again.`)
  return [...segments, ...names.filter((name) => name.endsWith('.history'))]
}
