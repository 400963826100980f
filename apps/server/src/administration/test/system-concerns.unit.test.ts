import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batches, webhooks } from '../batches.ts'
import { housekeeping } from '../housekeeping.ts'
import { models } from '../models.ts'
import type { Part } from '../part.ts'
import { renderers } from '../renderers.ts'
import { server } from '../servers.ts'
import { database, storage } from '../storage.ts'

const GiB = 2 ** 30
const disk = { bytes: 100 * GiB, freeBytes: 50 * GiB, reserveBytes: GiB / 8 }
const folder = { kind: 'folder', place: './data', state: 'works', disk }
const still = { queued: 1, images: { waiting: 3, atWork: 0 }, stillSeconds: 90 }
const good = { ready: true, full: false, measures: { holding: ['memory'], lacking: [] } }
const clean = { failedJobs: [], ledgerMismatches: 0, lostStatistics: 0 }

/** A state of a part, and the sentences about it: their levels, and a word of each. */
const table: readonly (readonly [string, Pick<Part, 'concerns'>, object, readonly (readonly [string, RegExp])[]])[] = [
  ['a server that others see', server, { seen: true }, []],
  ['a server that others do not see', server, { seen: false }, [['warning', /do not see this one/]]],
  ['a quick database', database, { latencyMs: 0.4 }, []],
  ['a slow database', database, { latencyMs: 1800.4 }, [['warning', /1800 ms/]]],
  ['renderers that work', renderers, good, []],
  ['renderers that do not start', renderers, { ...good, ready: false }, [['failing', /No renderer/]]],
  ['a full queue', renderers, { ...good, full: true }, [['failing', /server_busy/]]],
  [
    'a machine that confines less',
    renderers,
    { ...good, measures: { holding: [], lacking: ['landlock'] } },
    [['note', /landlock/]],
  ],
  ['a folder with free space', storage, folder, []],
  ['a bucket whose server has no disk', storage, { ...folder, kind: 'bucket', disk: null }, []],
  ['a folder that cannot be written', storage, { ...folder, state: 'fails' }, [['failing', /folder for files cannot be used/]]],
  [
    'a bucket that is silent',
    storage,
    { ...folder, kind: 'bucket', state: 'silent', disk: null },
    [['failing', /does not answer/]],
  ],
  ['a disk with little free space', storage, { ...folder, disk: { ...disk, freeBytes: GiB } }, [['warning', /nearly full/]]],
  ['a full disk', storage, { ...folder, disk: { ...disk, freeBytes: GiB / 9 } }, [['failing', /storage_full/]]],
  ['batches at work', batches, { ...still, images: { waiting: 3, atWork: 1 } }, []],
  ['batches that begin', batches, { ...still, stillSeconds: 2 }, []],
  ['batches without a worker', batches, still, [['warning', /ROLE=worker/]]],
  ['webhooks that are tried again later', webhooks, { waiting: 5, lateSeconds: 0 }, []],
  ['webhooks that no process sends', webhooks, { waiting: 5, lateSeconds: 300 }, [['warning', /no process sends them/]]],
  ['a model that works', models, [{ name: 'background', state: 'ready' }], []],
  [
    'a model that does not',
    models,
    [{ name: 'superResolution', state: 'failed', why: 'MODEL_MEMORY_MB is not enough for it' }],
    [['warning', /enlarges pictures cannot be used: MODEL_MEMORY_MB/]],
  ],
  ['a house in order', housekeeping, clean, []],
  [
    'a house that is not',
    housekeeping,
    { failedJobs: [{ job: 'expire-batches', times: 1 }], ledgerMismatches: 2, lostStatistics: 9 },
    [
      ['failing', /2 accounts/],
      ['warning', /“expire-batches” has failed once/],
      ['warning', /9 calls/],
    ],
  ],
]

for (const [name, part, state, expected] of table) {
  test(`${name}: the operator gets ${expected.length === 0 ? 'no sentence' : 'a sentence'}`, () => {
    const concerns = part.concerns?.(state) ?? assert.fail('it has no concerns')
    assert.deepEqual(
      concerns.map(({ level }) => level),
      expected.map(([level]) => level),
    )
    for (const [index, [, words]] of expected.entries()) assert.match(concerns[index]?.text ?? '', words)
  })
}
