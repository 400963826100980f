import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { openDatabase } from '../database.ts'
import { clearOrphan } from '../embedded/launch.ts'
import { readPostmasterFile } from '../embedded/postmaster.ts'
import { startEmbedded } from '../embedded/server.ts'
import { onlyCommands, startProgram } from './program.ts'

/** Runs the committing program until it has acknowledged `count` rows, kills it, and returns the last acknowledged one. */
async function commitAndKill(dataDir: string, count: number, path?: string): Promise<number> {
  const program = startProgram('commit-rows.ts', [dataDir], path ? { path } : {})
  let printedText = ''
  program.child.stdout?.on('data', (chunk) => {
    printedText += chunk
  })
  const acknowledgedLines = () => printedText.split('\n').slice(0, -1)
  assert.ok(
    await until(async () => acknowledgedLines().length >= count, 60_000),
    `${acknowledgedLines().length} of ${count} rows`,
  )
  program.child.kill('SIGKILL')
  // What was printed before the kill and is still in the pipe was acknowledged too.
  await program.ended
  return Number(acknowledgedLines().at(-1))
}

async function countRows(dataDir: string): Promise<number> {
  const embeddedValue = await startEmbedded({ dataDir, onLog: () => {} })
  const { pool, close } = await openDatabase(embeddedValue, assert.ifError)
  const { rows } = await pool.query<{ count: number }>('select count(*) from row')
  await close()
  await embeddedValue.stop()
  return rows[0]?.count ?? 0
}

test('every acknowledged row survives a kill of the server', async (t) => {
  const dataDir = await tempFolder(t)
  for (const count of [50, 200, 400]) {
    const acknowledgedCount = await commitAndKill(dataDir, count)
    const foundCount = await countRows(dataDir)
    // One more commit may have been made than was told.
    assert.ok(
      foundCount === acknowledgedCount || foundCount === acknowledgedCount + 1,
      `${acknowledgedCount} acknowledged, ${foundCount} found`,
    )
  }
})

test('the PostgreSQL of a killed server is ended by the next start', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  const folder = await tempFolder(t)
  const dataDir = join(folder, 'data')
  const bin = join(folder, 'bin')
  await mkdir(bin)
  // Without setpriv nothing tells PostgreSQL of the server's death.
  const acknowledgedCount = await commitAndKill(dataDir, 20, await onlyCommands(bin, ['sh', 'unshare']))
  const cluster = join(dataDir, 'postgres')
  const pid = (await readPostmasterFile(cluster))?.pid ?? 0
  assert.equal(process.kill(pid, 0), true, 'the orphan lives')
  await clearOrphan(cluster, [
    { signal: null, waitMs: 100 },
    { signal: 'SIGINT', waitMs: 10_000 },
  ])
  assert.ok((await countRows(dataDir)) >= acknowledgedCount)
})

test('a stale note with the number of another living process does not stop a start, nor hurt that process', async (t) => {
  const dataDir = await tempFolder(t)
  await (await startEmbedded({ dataDir, onLog: () => {} })).stop()
  const stranger = spawn('sleep', ['60'])
  t.after(() => stranger.kill())
  const note = join(dataDir, 'postgres', 'postmaster.pid')
  await writeFile(
    note,
    `${stranger.pid}\n${join(dataDir, 'postgres')}\n1795224861\n5432\n${join(dataDir, 'run')}\n\n  9977860 24\nready   \n`,
  )
  const embeddedValue = await startEmbedded({ dataDir, onLog: () => {} })
  assert.notEqual(Number((await readFile(note, 'utf8')).split('\n')[0]), stranger.pid)
  assert.equal(stranger.exitCode, null)
  assert.equal(stranger.signalCode, null)
  await embeddedValue.stop()
})
