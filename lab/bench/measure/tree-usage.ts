import { readFileSync } from 'node:fs'
import { processTree, type Role, roleOf } from './processes.ts'

export type PerRole = Record<Role, number>

export const roles: readonly Role[] = ['api', 'renderers', 'postgres', 'npm']

const nothing = (): PerRole => ({ api: 0, renderers: 0, postgres: 0, npm: 0 })

export const sumOf = (perRole: PerRole) => roles.reduce((sum, role) => sum + perRole[role], 0)

/** CPU milliseconds used so far by the tree under `root`, by role. Only differences between two calls mean anything. */
export function treeCpu(root: number, folder?: string): PerRole {
  const usage = nothing()
  for (const { pid, ownMs, reapedMs } of processTree(root, folder)) {
    const role = roleOf(pid)
    usage[role] += ownMs
    // The dead children of the server were renderers, replaced because they had grown.
    usage[role === 'api' ? 'renderers' : role] += reapedMs
  }
  return usage
}

export function differenceOf(after: PerRole, before: PerRole): PerRole {
  const difference = nothing()
  for (const role of roles) difference[role] = after[role] - before[role]
  return difference
}

/** Proportional set size of the tree in megabytes, by role: shared pages are counted once. */
export function treeMemory(root: number, folder?: string): PerRole {
  const usage = nothing()
  for (const { pid } of processTree(root, folder)) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      usage[roleOf(pid)] += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
    } catch {
      // It ended meanwhile and has no memory any more.
    }
  }
  return usage
}
