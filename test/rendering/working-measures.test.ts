import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { measures, type Taken, without } from '../../src/rendering/sandbox/confinement.ts'
import { workingMeasures } from '../../src/rendering/sandbox/working-measures.ts'
import { tempFolder } from '../database/temp-folder.ts'
import { isClosed, works } from './confined.ts'

const all: Taken = new Set(measures.filter(({ supported = true }) => supported).map(({ name }) => name))
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
    let tried = 0
    const taken = await workingMeasures(measures, async (some) => {
      tried++
      return !forbidden.some((name) => some.has(name))
    })
    assert.deepEqual([...(taken ?? [])].sort(), [...all].filter((name) => !lacks.includes(name)).sort())
    assert.ok(tried <= tries, `${tried} tries`)
  })
}

test('of a program that does not start at all nothing is said', async () => {
  assert.equal(await workingMeasures(measures, async () => false), undefined)
})

/** What holds for a renderer that is started behind the commands of a shell, in a mount namespace of its own. */
function heldBehind(commands: string, root = join(import.meta.dirname, '../..')): readonly string[] {
  const program = [
    join(root, relative(join(import.meta.dirname, '../..'), process.execPath)),
    join(root, 'test/rendering/programs/start-a-renderer.ts'),
  ]
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-ec', `${commands}\nexec "$@"`, 'sh', ...program])
  assert.equal(status, 0, stderr.toString())
  return (JSON.parse(stdout.toString()) as string[]).sort()
}

const asRoot = { skip: skip || (process.geteuid?.() !== 0 && 'only root can mount') }

test('renderers start where the machine has no unshare', asRoot, () => {
  const held = heldBehind('mount --bind /bin/false "$(command -v unshare)"')
  const lost = ['user_namespace', ...(isClosed ? ['unprivileged_user'] : [])]
  assert.deepEqual(held, [...without(works, lost)].sort())
})

test('in a folder that only root can enter, all holds that holds elsewhere', asRoot, async (t) => {
  const closed = await tempFolder(t)
  await chmod(closed, 0o700)
  const root = join(closed, 'pixelmill')
  await mkdir(root, { mode: 0o700 })
  assert.deepEqual(heldBehind(`mount --rbind ${join(import.meta.dirname, '../..')} ${root}`, root), [...works].sort())
})

test('renderers have a PID namespace where no /proc can be mounted, as in containers', asRoot, () => {
  const held = heldBehind('mount --bind /dev/null /proc/kallsyms')
  assert.deepEqual(held, [...without(works, ['system_call_filter'])].sort())
})
