import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { convert, counts, folderOf, jpeg, start } from './pixelmill.ts'

const IMAGES = 30
const picture = await jpeg(400, 300)
const files = Object.fromEntries(Array.from({ length: IMAGES }, (_, nth) => [`in/${String(nth).padStart(2, '0')}.jpg`, picture]))
const WEBP = ['in', '--out', 'out', '--format', 'webp']

for (const signals of [['SIGINT'], ['SIGTERM'], ['SIGINT', 'SIGINT']] as const)
  test(`${signals.join(' and ')}: exit code 130, and the same command goes on where it was`, async (t) => {
    const folder = await folderOf(t, files)
    const { child, ended } = start(['convert', ...WEBP, '--json', '--jobs', '1'], { cwd: folder })
    await once(child.stdout ?? assert.fail(), 'data')
    // Ctrl-C in a terminal goes to npm as well, which passes it on.
    for (const signal of signals) child.kill(signal)
    const end = await ended
    assert.equal(end.code, 130, end.errors)
    const { done = 0, ...others } = counts(end)
    assert.ok(done >= 1 && done < IMAGES, String(done))
    assert.deepEqual(others, {}, 'no image is blamed for it')
    assert.match(end.errors, /^Interrupted\. The same command goes on where this run has stopped\.$/m)
    const { '.pixelmill': state, ...images } = Object.fromEntries(readdirSync(join(folder, 'out')).map((name) => [name, true]))
    assert.deepEqual([state, Object.keys(images).length], [true, done])
    assert.deepEqual(readdirSync(join(folder, 'out/.pixelmill')), ['journal.db'])
    for (const name of Object.keys(images)) await sharp(join(folder, 'out', name)).stats()
    const again = await convert(folder, ...WEBP)
    assert.deepEqual([again.code, counts(again)], [0, { unchanged: done, done: IMAGES - done }])
  })
