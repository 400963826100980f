import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Place } from '../../../test/support/blob-targets.ts'

export interface Program {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
}

/** Runs one of `programs/` in a process of its own, on this store. Its errors are ours. */
export function startProgram(name: string, place: Place): Program {
  const file = join(import.meta.dirname, 'programs', name)
  const child = spawn(process.execPath, [file, JSON.stringify(place)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() }
}
