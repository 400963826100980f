import { readFileSync } from 'node:fs'

const read = (file: string) => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

const childrenOf = (pid: number) => read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)

/** The server process below npm: the first descendant that is neither npm nor a shell. It receives the signals. */
export function serverPid(npm: number): number {
  const queue = childrenOf(npm)
  for (const pid of queue) {
    if (!/^(sh|bash|dash|npm)/.test(read(`/proc/${pid}/comm`))) return pid
    queue.push(...childrenOf(pid))
  }
  return npm
}
