import type { ChildProcess } from 'node:child_process'

/**
 * Lets a program end as it likes: a pipe to it may break then (ECONNRESET, EPIPE), which would end the server if nobody listened. The
 * end of the program, which its owner waits for, says why.
 */
export function tolerateBrokenPipes({ stdio }: ChildProcess): void {
  // Without a free file descriptor a program has no pipes, and the types do not say so.
  for (const pipe of (stdio as ChildProcess['stdio'] | undefined) ?? []) pipe?.on('error', () => {})
}
