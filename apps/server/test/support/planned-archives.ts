import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type PlannedFile, planArchive } from '../../src/archives/plan-archive.ts'
import { readPlan } from '../../src/archives/read-plan.ts'

/** Result archives as the service writes them, of files that a test makes up. */

export const modifiedAt = new Date('2026-11-21T10:20:31.999Z')
export const noise = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) >> 5))

export const file = (path: string, content: Buffer): PlannedFile<Buffer[]> => ({
  path,
  content,
  bytes: content.length,
  crc32: crc32(content),
})
/** A file that is not in memory, as far as the plan knows. */
export const away = (path: string, content: Buffer): PlannedFile<Buffer[]> => ({ ...file(path, content), content: [content] })

const readAway = async ([content]: Buffer[], first: number, bytes: number) => (content ?? noise).subarray(first, first + bytes)

export async function writtenArchive(files: readonly PlannedFile<Buffer[]>[], time = modifiedAt): Promise<Buffer> {
  const plan = planArchive(files, time)
  const bytes = await buffer(await readPlan(plan, { first: 0, last: plan.size - 1 }, readAway))
  assert.equal(bytes.length, plan.size)
  return bytes
}

/** The command by which each program tests an archive: it exits with 0 if the archive is intact. */
const programs: readonly (readonly [name: string, version: string, ...check: string[]])[] = [
  ['unzip', '-v', '-tqq'],
  ['7zz', 'i', 't'],
  ['python3', '--version', '-c', 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)'],
]

/** Third-party programs that test archives; `skip` where one is not installed. */
export const zipPrograms = programs.map(([name, version, ...check]) => ({
  name,
  skip: spawnSync(name, [version]).status !== 0 && `${name} is not installed`,
  async findsNothingWrong(archive: Buffer): Promise<void> {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'archives-'))
    const path = join(folder.path, 'some.zip')
    await writeFile(path, archive)
    const { status, stdout, stderr } = spawnSync(name, [...check, path], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    assert.equal(status, 0, `${stderr}${stdout.slice(-1_000)}`)
  },
}))
