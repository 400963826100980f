import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Confinement, measures } from '../../src/rendering/sandbox/confinement.ts'
import { workingMeasures } from '../../src/rendering/sandbox/working-measures.ts'

const all: Confinement = new Set(measures.filter(({ supported = true }) => supported).map(({ name }) => name))
const ofCommands = measures.filter(({ command }) => command).map(({ name }) => name)

interface Row {
  readonly machine: string
  /** Measures with which nothing starts there. */
  readonly forbidden: readonly string[]
  readonly lacks: readonly string[]
  /** Programs that are started at most to find out. */
  readonly tries: number
}

const rows: readonly Row[] = [
  { machine: 'that allows everything', forbidden: [], lacks: [], tries: 1 },
  {
    machine: 'that forbids user namespaces',
    forbidden: ['user_namespace'],
    lacks: ['user_namespace', 'no_network', 'pid_namespace', 'private_root', 'process_limit', 'system_call_filter'],
    tries: 6,
  },
  {
    machine: "where another user cannot read the server's folder",
    forbidden: ['unprivileged_user'],
    lacks: ['unprivileged_user', 'process_limit'],
    tries: 5,
  },
  {
    machine: 'that forbids mounts',
    forbidden: ['private_root'],
    lacks: ['pid_namespace', 'private_root', 'system_call_filter'],
    tries: 9,
  },
  {
    machine: 'with two faults',
    forbidden: ['user_namespace', 'dies_with_server'],
    lacks: [
      'user_namespace',
      'no_network',
      'pid_namespace',
      'private_root',
      'process_limit',
      'system_call_filter',
      'dies_with_server',
    ],
    tries: 2 + 2 * ofCommands.length,
  },
  { machine: 'without util-linux', forbidden: ofCommands, lacks: ofCommands, tries: 2 + 2 * ofCommands.length },
]

const skip = process.platform !== 'linux' && 'Linux only'

for (const { machine, forbidden, lacks, tries } of rows) {
  test(`a machine ${machine} gives all that it can`, { skip }, async () => {
    let trials = 0
    const confinement = await workingMeasures(measures, async (some) => {
      trials++
      return !forbidden.some((name) => some.has(name))
    })
    assert.deepEqual([...(confinement ?? [])].sort(), [...all].filter((name) => !lacks.includes(name)).sort())
    assert.ok(trials <= tries, `${trials} tries`)
  })
}

test('no measure is reported for a program that does not start at all', async () => {
  assert.equal(await workingMeasures(measures, async () => false), undefined)
})
