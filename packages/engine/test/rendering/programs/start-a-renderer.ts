import { rendererProcess } from '../../../src/rendering/renderer-process.ts'
import { rendererCommand, rendererMeasures, rendererTask, spawnRenderer } from '../../../src/rendering/sandbox/spawn.ts'

/** Starts one renderer, confined as far as it can be, and tells by what. */
const task = rendererTask({ memoryMegabytes: 3_072, cpuSeconds: 60 })
const confinement = await rendererMeasures(task)
const renderer = rendererProcess(spawnRenderer(rendererCommand(task, confinement)))
await renderer.ready
console.log(JSON.stringify([...confinement]))
renderer.kill()
