import assert from 'node:assert/strict'
import { once } from 'node:events'
import { fstatSync, readdirSync, readFileSync, readlinkSync, readSync, writeSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { endProgram, workingProcess } from '@pixelmill/engine/rendering/sandbox/processes'
import { spawnRenderer } from '@pixelmill/engine/rendering/sandbox/spawn'
import { createUploadFile, type UploadFile } from '@pixelmill/engine/rendering/upload-file'
import { operations } from '@pixelmill/engine/tasks/index'
import { attempt, attemptCommand, works } from '@pixelmill/engine/test/rendering/confined'
import { FILTER, measuresWithout, NODE } from '@pixelmill/engine/test/rendering/refused-attempts'
import { openPool, spawnReal } from '../support/rendering.ts'

const noFiles = createUploadFile() === undefined && 'this system has no folder in memory'

function open(t: TestContext): UploadFile {
  const file = createUploadFile()
  assert.ok(file)
  t.after(() => file.close())
  return file
}

function contents({ readable }: UploadFile): string {
  const bytes = Buffer.alloc(fstatSync(readable).size)
  return bytes.toString('latin1', 0, readSync(readable, bytes, 0, bytes.length, 0))
}

const write = (file: UploadFile, ...texts: readonly string[]) => {
  const chunks = texts.map((text) => Buffer.from(text))
  return file.write(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  )
}

test('each upload replaces the one before, of which nothing can be read', { skip: noFiles }, (t) => {
  const file = open(t)
  for (const upload of [['the first, ', 'in two chunks'], ['short'], ['and a long one again'], ['']]) {
    assert.equal(write(file, ...upload), true)
    assert.equal(contents(file), upload.join(''))
  }
  assert.equal(fstatSync(file.readable).nlink, 0, 'it has no name')
})

test('the renderer gets a descriptor that only reads', { skip: noFiles }, (t) => {
  const file = open(t)
  assert.throws(() => writeSync(file.readable, 'x'), { code: 'EBADF' })
  assert.equal(fstatSync(file.readable).mode & 0o777, 0o444)
})

test('the memory of a large upload does not stay', { skip: noFiles }, (t) => {
  const file = open(t)
  assert.equal(file.write([Buffer.alloc(3_000_000)], 3_000_000), true)
  file.trim()
  assert.equal(fstatSync(file.readable).size, 1024 * 1024)
})

test('an upload for which there is no room is not written, nor is a part of it', { skip: noFiles }, (t) => {
  const file = open(t)
  write(file, 'before')
  assert.equal(file.write([], 1e15), false)
  assert.equal(contents(file), 'before')
  assert.equal(file.write([Buffer.from('a part')], 20), false)
  assert.equal(contents(file), '')
  assert.equal(write(file, 'after'), true)
  file.close()
  assert.equal(write(file, 'late'), false)
})

test('without a folder there is no file', async (t) => {
  assert.equal(createUploadFile(`${await tempFolder(t)}/missing`), undefined)
})

test('a renderer has its socket, its file and no other file or socket of the server', { skip: noFiles }, async (t) => {
  const child = spawnRenderer(attemptCommand(works, 'stay'))
  t.after(() => endProgram(child))
  await once(child.stdio[3] as NodeJS.ReadableStream, 'data')
  const pid = workingProcess(child.pid)
  const all = readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
    const [, flags] = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1')) ?? []
    const target = readlinkSync(`/proc/${pid}/fd/${descriptor}`).replace(/\[\d+\]| .*|[^/]+(?= )/g, '')
    return `${descriptor} ${target} ${['reads', 'writes', 'both'][Number.parseInt(flags ?? '', 8) & 3]}`
  })
  assert.deepEqual(all.filter((each) => !/ (pipe|anon_inode):/.test(each)).toSorted(), [
    '0 /dev/null reads',
    '1 /dev/null both',
    '2 socket: both',
    '3 socket: both',
    '4 /dev/shm/ reads',
  ])
})

/** The name of the file in the renderer. */
const UPLOAD_PATH = '/proc/self/fd/4'

/** Sandboxes of weaker machines, by what they lack; Node's permissions do not hold for libvips. */
const lacks = [[], [FILTER], ['pid_namespace'], ['private_root'], ['unprivileged_user'], ['user_namespace']]

for (const lacking of lacks)
  test(`a renderer can read its file by name, and not write it, ${lacking.length ? `without ${lacking}` : 'in the whole sandbox'}`, {
    skip: noFiles,
  }, async () => {
    const takenTexts = measuresWithout([...NODE, ...lacking])
    assert.equal(await attempt(takenTexts, 'read a file', UPLOAD_PATH), 'done: ')
    assert.match(await attempt(takenTexts, 'write to a descriptor', '4'), /^refused: EBADF/)
    assert.match(await attempt(takenTexts, 'write a file', UPLOAD_PATH), /^refused: (EACCES|EFBIG)|SIGXFSZ/)
  })

test('a renderer with a file and one without give the same answers', async (t) => {
  const [small, large] = await Promise.all([
    solid(20, 20, '#123456').png().toBuffer(),
    solid(1500, 1500, '#123456').png({ compressionLevel: 0 }).toBuffer(),
  ])
  const params = operations.convert.params.parse({ format: 'jpeg' })
  const spawns = [spawnReal, (nice?: number) => Object.assign(spawnReal(nice), { uploads: undefined })]
  const answers = spawns.map(async (spawn) => {
    const pool = openPool({ spawn })
    t.after(() => pool.close())
    const results: string[] = []
    for (const image of [small, large, small, small.subarray(0, -30), small]) {
      const chunks = [image.subarray(0, 70), image.subarray(70)]
      const { files } = await pool
        .run('convert', params, [chunks], new AbortController().signal)
        .catch(({ code }) => ({ files: [Buffer.from(String(code))] }))
      results.push(...files.map((file) => file.toString('base64')))
    }
    return results
  })
  const [first, second] = await Promise.all(answers)
  assert.deepEqual(first, second)
  assert.equal(first?.[3], Buffer.from('invalid_image').toString('base64'))
  assert.equal(first?.[4], first?.[0])
})
