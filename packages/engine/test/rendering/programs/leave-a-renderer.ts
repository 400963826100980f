import { spawn } from 'node:child_process'
import { workingProcess } from '../../../src/rendering/sandbox/processes.ts'

/** Starts the command given to it as the server would, tells its number, and waits to be killed. */
const [command = '', ...args] = process.argv.slice(2)
const child = spawn(command, args, { cwd: '/', env: {}, detached: true, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
child.stdio[3]?.once('data', () => console.log(workingProcess(child.pid)))
