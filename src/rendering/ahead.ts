import type { ChildProcess } from 'node:child_process'

/** Starts `count` programs at once, and hands them out first, where no nice value is asked for: they load while their server does. */
export function ahead(spawn: (nice: number) => ChildProcess, count: number): (nice?: number) => ChildProcess {
  const started = Array.from({ length: count }, () => heard(spawn(0)))
  return (nice = 0) => {
    if (nice > 0) return spawn(nice)
    for (let child = started.shift(); child; child = started.shift()) if (isAlive(child)) return child
    return spawn(nice)
  }
}

/** Who is handed one that did not start finds it without a number; until then nobody else listens. */
function heard(child: ChildProcess): ChildProcess {
  child.once('error', () => {})
  return child
}

const isAlive = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null
