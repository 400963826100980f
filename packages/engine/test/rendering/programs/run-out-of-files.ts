import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { frame } from '../../../src/rendering/protocol.ts'
import { startProgram } from '../../../src/rendering/sandbox/processes.ts'
import { spawnRenderer } from '../../../src/rendering/sandbox/spawn.ts'
import { startWorker } from '../../../src/rendering/worker.ts'

/** Opens files until no more can be, starts a renderer and another program, closes them, and tells what happened when. */
const report: string[] = []
const events = new EventEmitter()
const ready = frame({ outcome: 'ready', ms: 1, rss: 1, cpuSeconds: 0, files: [] }).toString('base64')
const command = [process.execPath, join(import.meta.dirname, 'say.ts'), JSON.stringify({ frame: ready, files: [] })]
const run = () => startProgram('true', ['true'], process.env).done

// Node opens some files of its own at the first start of a program.
await run()
const files: number[] = []
assert.throws(() => {
  for (;;) files.push(openSync('/dev/null', 'r'))
})
await run().catch(({ code }) => report.push(code))

const worker = startWorker(
  { spawn: () => spawnRenderer(command), timeLimit: { seconds: 60, ofCpu: false } },
  {
    onIdle: () => events.emit('idle'),
    onRestart: (reason, detail) => events.emit('restart', `${reason}: ${detail}`),
  },
)
report.push(...(await once(events, 'restart')))
for (const file of files) closeSync(file)
await once(events, 'idle')
report.push('idle')
worker.close()
await run().then(() => report.push('ended'))
console.log(JSON.stringify(report))
process.exit(0)
