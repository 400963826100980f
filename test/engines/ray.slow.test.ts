import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'

/** The tests of engines/ray/tests, with the Python of TEST_RAY_PYTHON, or python3. */

const root = join(import.meta.dirname, '../..')
const engine = join(root, 'engines/ray')
const python = process.env.TEST_RAY_PYTHON ?? 'python3'
const lacks = (...modules: readonly string[]) =>
  spawnSync(python, ['-c', `import ${modules.join(', ')}`]).status !== 0 && `${python} lacks one of ${modules.join(', ')}`
const run = promisify(execFile)

describe('pixelmill_ray', () => {
  let images: string
  before(async () => {
    images = await mkdtemp(join(tmpdir(), 'ray-images-'))
    for (let size = 1; size <= 20; size++)
      await photo(200 + 40 * size, 150 + 30 * size)
        .jpeg({ quality: 85 })
        .toFile(join(images, `${size}.jpg`))
  })
  after(() => rm(images, { recursive: true }))

  /** Runs files of tests in one process, since starting Ray takes longer than most of them; fails with what they printed. */
  async function pass(...modules: readonly string[]): Promise<void> {
    const { PYTHONPATH, ...env } = process.env
    const { stderr } = await run(python, ['-W', 'ignore', '-m', 'unittest', '-v', ...modules], {
      cwd: join(engine, 'tests'),
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...env,
        PYTHONPATH: [join(engine, 'src'), PYTHONPATH].filter(Boolean).join(delimiter),
        PYTHONDONTWRITEBYTECODE: '1',
        PIXELMILL_COMMAND: `"${process.execPath}" "${join(root, 'bin/pixelmill.mjs')}"`,
        TEST_IMAGES: images,
        // The README says so of file systems that are handed over, as one of the tests does.
        AWS_REQUEST_CHECKSUM_CALCULATION: 'WHEN_REQUIRED',
        // The niceness would be 15 otherwise, and other tests at the same time would stop these.
        RAY_worker_niceness: '0',
        // No telemetry, and a token for Ray's ports that is not kept in the home directory.
        RAY_USAGE_STATS_ENABLED: '0',
        RAY_AUTH_MODE: 'token',
        RAY_AUTH_TOKEN: randomBytes(32).toString('hex'),
      },
    })
    assert.match(stderr, /^OK/m)
  }

  const skip = lacks('ray', 'pyarrow')

  test('a process answers many threads, is replaced when it dies, and ends with its actor', { skip }, () => pass('test_process'))

  // It takes longer than other tests may: on two cores, with three other files at the same time, 150 s.
  const withRay = { skip: skip || skipByDay, timeout: 500_000 }
  test(
    'each source and target, hundreds of images with an actor killed on the way, and the programs of the README',
    withRay,
    () => pass('test_rows', 'test_kill', 'test_readme'),
  )

  test('types are complete', { skip: lacks('ray', 'mypy') }, async () => {
    const cache = await mkdtemp(join(tmpdir(), 'ray-mypy-'))
    try {
      const { stdout } = await run(python, ['-m', 'mypy', '--cache-dir', cache], { cwd: engine })
      assert.match(stdout, /^Success/)
    } finally {
      await rm(cache, { recursive: true })
    }
  })

  test('pip installs the package, with its types', { skip: lacks('hatchling') }, async () => {
    const target = await mkdtemp(join(tmpdir(), 'ray-package-'))
    try {
      const offline = ['--no-index', '--no-deps', '--no-build-isolation', '--disable-pip-version-check']
      await run(python, ['-m', 'pip', 'install', '--quiet', ...offline, '--target', target, engine])
      const files = await readdir(join(target, 'pixelmill_ray'))
      const own = (await readdir(join(engine, 'src/pixelmill_ray'))).filter((name) => name !== '__pycache__')
      assert.deepEqual(
        own.filter((name) => !files.includes(name)),
        [],
      )
      assert.ok(files.includes('py.typed'))
    } finally {
      await rm(target, { recursive: true })
    }
  })
})
