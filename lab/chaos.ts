import { parseArgs } from 'node:util'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { makePictures } from './chaos/archives.ts'
import { startCluster } from './chaos/cluster.ts'
import { makeCustomer } from './chaos/customers.ts'
import { makeDeliveries } from './chaos/deliveries.ts'
import { leftOver } from './chaos/left-over.ts'
import { startReceiver } from './chaos/receiver.ts'
import { printHead, printRow, printSummary } from './chaos/report.ts'
import { type Round, runRound } from './chaos/round.ts'
import { startSingle } from './chaos/single.ts'

/**
 * Runs batches and delivers images while killing one process after another: nothing that was accepted may be lost, done twice, charged twice or
 * delivered twice, and nothing may be left behind. docs/design/testing.md has results. Linux only: it
 * finds processes in /proc.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, seed: { type: 'string' }, cluster: { type: 'boolean', default: false } },
})
const rounds = Number(values.rounds ?? (values.cluster ? 36 : 20))
const seed = Number(values.seed ?? Date.now() % 1_000_000)
if (!Number.isSafeInteger(rounds) || rounds < 1 || !Number.isSafeInteger(seed)) {
  console.error('Usage: npm run chaos -- [--cluster] [--rounds N] [--seed S]')
  process.exit(2)
}

/** Each kind equally often, in random order. */
function inTurn(kinds: readonly string[], random: (below: number) => number): readonly string[] {
  const turns = Array.from({ length: rounds }, (_, index) => kinds[index % kinds.length] ?? '')
  return turns
    .map((victim) => ({ victim, at: random(1_000_000) }))
    .sort((a, b) => a.at - b.at)
    .map(({ victim }) => victim)
}

// Started processes end when this process exits normally.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const random = randomFrom(seed)
const service = await (values.cluster ? startCluster() : startSingle()).catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
const receiver = await startReceiver(() => random(10) === 0)
console.log(`${rounds} rounds, seed ${seed}; data and logs in ${service.dir}\n`)
const pastRounds: Round[] = []
let faults: readonly string[] = []
try {
  const customers = [await makeCustomer(service, 'credits'), await makeCustomer(service, 'plan')]
  const pictures = await makePictures()
  const deliveries = await makeDeliveries(service, Buffer.from(pictures[0]?.bytes ?? []))
  const setting = { service, receiver, customers, deliveries, pictures, random }
  printHead()
  for (const victim of inTurn(Object.keys(service.victims), random)) {
    const round = await runRound(setting, victim)
    pastRounds.push(round)
    printRow(pastRounds.length, round)
  }
  await deliveries.remove()
  const left = await leftOver(service, 180)
  faults = [...pastRounds.flatMap((round) => round.faults), ...left.map((file) => `left behind: ${file}`)]
} catch (error) {
  console.error(error)
  faults = ['a round was not finished']
} finally {
  receiver.close()
  await service.stop(faults.length > 0)
}
printSummary({ rounds: pastRounds, wanted: rounds, repeatedEvents: receiver.repeated(), faults })
process.exitCode = faults.length === 0 ? 0 : 1
