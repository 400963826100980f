import { spawn } from 'node:child_process'

/** Starts the command given to it as the server would, tells its number, and waits to be killed. */
const [command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { cwd: '/', env: {}, detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
child.stdio[3]?.once('data', () => console.log(child.pid))
