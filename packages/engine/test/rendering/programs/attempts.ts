import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

/** Run where a renderer would be, by name: each tries to do what no renderer may, and throws when it cannot. */
const attempts: Readonly<Record<string, (argument: string) => unknown>> = {
  'tell the environment': () => Object.keys(process.env).sort().join(),
  'tell the capabilities': () => /CapEff:\s+(\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
  'read a file': (path) => readFileSync(path),
  'write a file': (path) => writeFileSync(path, 'x'),
  'write to a descriptor': (descriptor) => writeSync(Number(descriptor), 'x'),
  // A signal that changes nothing: whether it may be sent is what matters.
  'signal a process': (pid) => process.kill(Number(pid), 'SIGCONT'),
  'run a program': (command) => {
    // Inherited: pipes of Node are sockets, which a filter of system calls may refuse, and there is no /dev/null.
    const { error, status } = spawnSync('sh', ['-c', command], { stdio: 'inherit' })
    if (error) throw error
    if (status !== 0) throw new Error(`exit code ${status}`)
  },
  // Deprecated, and so without a type: the way around everything that Node checks in JavaScript.
  'use an internal binding': (name) => (process as unknown as { binding(name: string): object }).binding(name),
  connect: async (address) => once(/^\d+$/.test(address) ? connect(Number(address), '127.0.0.1') : connect(address), 'connect'),
  'start 40 processes': async () => {
    // Inherited: there is no /dev/null to ignore with.
    const children = Array.from({ length: 40 }, () => spawn('sleep', ['10'], { stdio: 'inherit' }))
    try {
      await Promise.all(children.map((child) => once(child, 'spawn')))
    } finally {
      for (const child of children) child.kill()
    }
  },
  'open 100 files': () => {
    for (let count = 0; count < 100; count++) openSync(process.execPath, 'r')
  },
  // Not touched: the limit is on what may be touched.
  'take 1.5 GiB': () => Array.from({ length: 24 }, () => Buffer.allocUnsafeSlow(64 * 1024 * 1024)).length,
  'use 2 seconds of CPU': () => {
    for (let cpuTime = 0; cpuTime < 2e6; ) {
      for (let count = 0; count < 1e7; count++);
      const { user, system } = process.cpuUsage()
      cpuTime = user + system
    }
  },
  stay: () => {
    writeSync(3, 'staying\n')
    return new Promise(() => setInterval(() => {}, 1_000))
  },
}

const [name = '', argument = ''] = process.argv.slice(2)
const attempt = attempts[name] ?? (() => Promise.reject(new Error(`there is no attempt "${name}"`)))
let outcome: object
try {
  const result = await attempt(argument)
  outcome = { done: typeof result === 'string' ? result : '' }
} catch (error) {
  outcome = { refused: error instanceof Error && 'code' in error ? `${error.code} ${error.message}` : String(error) }
}
writeSync(3, JSON.stringify(outcome))
process.exit(0)
