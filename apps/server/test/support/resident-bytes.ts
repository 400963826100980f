import { readFileSync } from 'node:fs'

/** Memory of a process that is resident now, by VmRSS of proc(5); not from the metrics, which are a second old. */
export function residentBytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}
