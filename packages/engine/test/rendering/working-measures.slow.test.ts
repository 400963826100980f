import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { without } from '../../src/rendering/sandbox/confinement.ts'
import { isClosed, works } from './confined.ts'

/** The measures of a renderer that is started after commands of a shell, in a mount namespace of its own. */
function heldBehind(commands: string, root = join(import.meta.dirname, '../../../..')): readonly string[] {
  const program = [
    join(root, relative(join(import.meta.dirname, '../../../..'), process.execPath)),
    join(root, 'packages/engine/test/rendering/programs/start-a-renderer.ts'),
  ]
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-ec', `${commands}\nexec "$@"`, 'sh', ...program])
  assert.equal(status, 0, stderr.toString())
  return (JSON.parse(stdout.toString()) as string[]).sort()
}

const asRoot = { skip: (process.platform !== 'linux' && 'Linux only') || (process.geteuid?.() !== 0 && 'only root can mount') }

test('renderers start where the machine has no unshare', asRoot, () => {
  const measuresInEffect = heldBehind('mount --bind /bin/false "$(command -v unshare)"')
  const missing = ['user_namespace', ...(isClosed ? ['unprivileged_user'] : [])]
  assert.deepEqual(measuresInEffect, [...without(works, missing)].sort())
})

test('in a folder that only root can enter, all measures hold that hold elsewhere', asRoot, async (t) => {
  const closedFolder = await tempFolder(t)
  await chmod(closedFolder, 0o700)
  const root = join(closedFolder, 'pixelmill')
  await mkdir(root, { mode: 0o700 })
  assert.deepEqual(heldBehind(`mount --rbind ${join(import.meta.dirname, '../../../..')} ${root}`, root), [...works].sort())
})

test('renderers have a PID namespace where no /proc can be mounted, as in containers', asRoot, () => {
  const measuresInEffect = heldBehind('mount --bind /dev/null /proc/kallsyms')
  assert.deepEqual(measuresInEffect, [...without(works, ['system_call_filter'])].sort())
})
