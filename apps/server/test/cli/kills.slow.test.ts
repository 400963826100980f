import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { times } from '@pixelmill/codecs/test/support/at-night'
import { until } from '@pixelmill/engine/test/support/until'
import { convert, counts, folderOf, jpeg, type Line, start } from 'pixelmill/test/pixelmill'
import sharp from 'sharp'
import { renderersOf } from '../support/server.ts'

const KILLS = times({ seldom: 3, often: 30 })
const IMAGES = 14 * KILLS
const JOBS = 2
const IN_FLIGHT = 2 * JOBS

const nameOf = (nth: number) => `${String(nth % 7)}/${String(nth).padStart(3, '0')}`

/** The results in a target, without what is hidden. */
const resultsIn = (target: string): readonly string[] =>
  existsSync(target)
    ? readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) => /^\d\/\d+\.webp$/.test(name))
    : []

const runs = (pid: number): boolean => existsSync(`/proc/${pid}`)

for (const place of ['a target', 'their own place'])
  test(`after ${KILLS} kill -9 at random moments every image in ${place} is complete, and none that was reported is made again`, {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async (t) => {
    const pictures = await Promise.all(Array.from({ length: IMAGES }, (_, nth) => jpeg(20 + (nth % 60), 30)))
    const files = Object.fromEntries(pictures.map((bytes, nth) => [`in/${nameOf(nth)}.jpg`, bytes]))
    const folder = await folderOf(t, files)
    const inPlace = place !== 'a target'
    const to = inPlace ? ['--in-place'] : ['--out', 'out']
    const target = join(folder, inPlace ? 'in' : 'out')
    const args = ['in', ...to, '--format', 'webp']
    const random = seededRandom(inPlace ? 2 : 1)
    const doneLines: Line[] = []
    const checkedTexts = new Set<string>()
    const renderers = new Set<number>()

    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = start(['convert', ...args, '--json', '--jobs', String(JOBS)], { cwd: folder })
      // At some moment of the start, or after some images.
      const images = Math.floor(random() * 20)
      let seenCount = 0
      child.stdout?.on('data', (chunk: Buffer) => {
        seenCount += chunk.toString().split('"done"').length - 1
      })
      if (images < 3) await sleep(random() * 800)
      else await until(async () => seenCount >= images || child.exitCode !== null, 60_000)
      await sleep(random() * 20)
      for (const { pid } of await renderersOf(child.pid ?? 0)) renderers.add(pid)
      child.kill('SIGKILL')
      const output = (await ended).output.toString()
      const whole = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
      const lines = whole.filter(Boolean).map((line) => JSON.parse(line) as Line)
      assert.deepEqual(
        lines.filter(({ error }) => error),
        [],
      )
      doneLines.push(...lines.filter(({ status }) => status === 'done'))
      for (const name of resultsIn(target).filter((each) => !checkedTexts.has(each))) {
        await sharp(join(target, name)).stats()
        checkedTexts.add(name)
      }
    }
    const last = await convert(folder, ...args)
    assert.equal(last.code, 0, last.errors)
    doneLines.push(...last.lines().filter(({ status }) => status === 'done'))
    const twice = Map.groupBy(doneLines, ({ source }) => source)
      .values()
      .filter((lines) => lines.length > 1)
    assert.deepEqual([...twice], [])
    // What was recorded but not reported when the kill came.
    assert.ok(doneLines.length <= IMAGES && doneLines.length >= IMAGES - KILLS * IN_FLIGHT, String(doneLines.length))
    assert.ok(last.lines().filter(({ status }) => status === 'done').length < IMAGES)
    assert.deepEqual(Object.keys(counts(await convert(folder, ...args))), ['unchanged'])

    const undisturbedText = await folderOf(t, files)
    await convert(undisturbedText, 'in', '--out', 'out', '--format', 'webp')
    assert.equal(resultsIn(target).length, IMAGES)
    for (const name of resultsIn(target))
      assert.deepEqual(await readFile(join(target, name)), await readFile(join(undisturbedText, 'out', name)), name)
    if (inPlace)
      assert.deepEqual(
        readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jpg')),
        [],
      )
    assert.ok(renderers.size > 0)
    assert.ok(await until(async () => ![...renderers].some(runs)), 'renderers end with the process that started them')
  })
