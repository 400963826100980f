import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { chargedCalls, makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { newFilesOf, zipOf } from '../../../test/support/batch-call.ts'
import { caller, form, read } from '../../../test/support/call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import { credentials } from '../../admission/index.ts'
import type { Database } from '../../database/database.ts'
import { routes } from '../../routes.ts'

let server: SharedServer
let database: Database
let login: string
let newFiles: () => Promise<readonly string[]>
let post: ReturnType<typeof caller>['post']
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  login = await makeLogin(database, (await makeAccount(database, 'team')).id)
  newFiles = await newFilesOf(server.dir)
  post = caller(server).post
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
})

const image = await photo(60, 40).jpeg().toBuffer()
const watermark = await solid(10, 10, '#ffffff').png().toBuffer()

interface Parameter {
  readonly operation: string
  readonly name: string
  readonly others: Readonly<Record<string, string | number>>
  readonly good: readonly (string | number)[]
  readonly bad: readonly (string | number)[]
  readonly required?: boolean
}

const NONSENSE = ['NaN', 'Infinity', '1e9', '0x10', 'abc', '½', '١', '1,5', 'x'.repeat(10_240), '9'.repeat(10_240)]
const resize = { width: 20, height: 20 }
const crop = { x: 0, y: 0, width: 5, height: 5 }
const numeric = (bad: readonly (string | number)[]) => [...bad, ...NONSENSE]

const parameters: readonly Parameter[] = [
  {
    operation: 'convert',
    name: 'format',
    others: {},
    good: ['webp', 'avif', 'jpeg', 'png', 'jpg', ' jpg ', 'WEBP'],
    bad: ['gif', 'tif', 'tiff', 'constructor', '../png', '\u0000'],
  },
  { operation: 'convert', name: 'quality', others: {}, good: [1, 75, 75.5, 100], bad: numeric([0, 0.9, 100.1, 101, -1]) },
  {
    operation: 'convert',
    name: 'visualQuality',
    others: { format: 'jpeg' },
    good: [30, 72.5, 95],
    bad: numeric([0, 29.9, 95.1, 100, -1]),
  },
  {
    operation: 'convert',
    name: 'maxBytes',
    others: {},
    good: [5_000, 5_000.4, 1_000_000_000],
    bad: numeric([0, 0.9, 1_000_000_001, 10 ** 12, -1]),
  },
  { operation: 'convert', name: 'width', others: {}, good: [1, 30.5, 10_000], bad: numeric([0, 0.9, 10_000.4, 10_001, -5]) },
  { operation: 'convert', name: 'height', others: {}, good: [1, 30.5], bad: numeric([0, 10_001, -5]) },
  {
    operation: 'convert',
    name: 'fit',
    others: { width: 9, height: 9 },
    good: ['cover', 'contain', 'fill', 'inside', 'outside'],
    bad: ['stretch', 'COVER'],
  },
  {
    operation: 'convert',
    name: 'grayscale',
    others: {},
    good: ['true', 'false', '1', '0', 'TRUE', 'True', 'False', ' fAlse '],
    bad: ['maybe', '2', 'on', 'yes', 'T'],
  },
  { operation: 'convert', name: 'blur', others: {}, good: [0.3, 5, 100], bad: numeric([0.29, 0, 100.1, -1]) },
  { operation: 'convert', name: 'rotate', others: {}, good: [0, 0.5, 90, 360], bad: numeric([-1, 360.1]) },
  { operation: 'resize', name: 'width', others: { height: 20 }, good: [1, 99.5, 300], bad: numeric([0, 10_001]), required: true },
  { operation: 'resize', name: 'height', others: { width: 20 }, good: [1, 300], bad: numeric([0, 10_001]), required: true },
  { operation: 'resize', name: 'fit', others: resize, good: ['cover'], bad: ['stretch'] },
  { operation: 'crop', name: 'x', others: crop, good: [0, 1.5, 55], bad: numeric([-1, -0.1, 55.5, 56]), required: true },
  { operation: 'crop', name: 'y', others: crop, good: [0, 1.5, 35], bad: numeric([-1, 36]), required: true },
  { operation: 'crop', name: 'width', others: crop, good: [1, 60], bad: numeric([0, 61]), required: true },
  { operation: 'crop', name: 'height', others: crop, good: [1, 40], bad: numeric([0, 41]), required: true },
  { operation: 'watermark', name: 'position', others: {}, good: ['top-left', 'center'], bad: ['middle'] },
  { operation: 'watermark', name: 'opacity', others: {}, good: [0, 33.3, 100], bad: numeric([-1, 101]) },
  { operation: 'watermark', name: 'scale', others: {}, good: [0.01, 0.5, 1], bad: numeric([0, 0.009, 1.01]) },
  { operation: 'optimize', name: 'quality', others: {}, good: [1, 33.3, 100], bad: numeric([0, 101]) },
  { operation: 'optimize', name: 'visualQuality', others: {}, good: [30, 95], bad: numeric([29, 96]) },
  { operation: 'optimize', name: 'maxBytes', others: {}, good: [5_000], bad: numeric([0, 10 ** 12]) },
]

for (const { operation, name, others, good, bad, required } of parameters) {
  const files = operation === 'watermark' ? { image, watermark } : { image }
  const rest = Object.fromEntries(Object.entries(others).filter(([key]) => key !== name))
  test(`${operation}: good values of ${name} are accepted, a blank one counts as absent`, async () => {
    for (const value of good) assert.equal((await post(operation, { ...rest, [name]: value }, files)).status, 200, String(value))
    for (const blank of ['', '   ']) {
      const { status, error } = await post(operation, { ...rest, [name]: blank }, files)
      assert.equal(status, required ? 400 : 200)
      if (required) assert.deepEqual(error?.issues?.[0]?.path, [name])
    }
  })
  test(`${operation}: bad values of ${name} are invalid_params with its name, and not charged`, async () => {
    const before = await chargedCalls(database)
    const rows = [...bad.map((value) => ({ [name]: value })), { [name]: [good[0] ?? '', good[0] ?? ''] }]
    for (const row of rows) {
      const { status, error } = await post(operation, { ...rest, ...row }, files)
      const shownText = JSON.stringify(row).slice(0, 60)
      assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'], shownText)
      // A region outside the image is named by the side that reaches too far.
      const side = { x: 'width', y: 'height' }[name] ?? name
      const namedTexts = error?.issues?.map(({ path }) => path[0])
      assert.ok(namedTexts?.includes(name) || namedTexts?.includes(side), shownText)
      assert.equal(error?.statusCode, 400)
    }
    assert.equal(await chargedCalls(database), before)
  })
}

test('a region outside the image is refused with the size of the image', async () => {
  const { error } = await post('crop', { x: 50, y: 0, width: 20, height: 10 }, { image })
  assert.match(error?.message ?? '', /60 × 40/)
})

test('unknown fields are ignored, whatever their names', async () => {
  const fields = { __proto__x: 1, constructor: 'x', 'a[b]': 2, '../../etc': 3, '\u0001': 4, format: 'png' }
  const { status, headers } = await post('convert', fields, { image, other: watermark })
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
})

for (const { name, path, form: shape, admission } of routes) {
  if (!shape || shape.rawTypes) continue
  test(`${name}: a file in a text field is invalid_params with its name; an empty file counts as absent`, async () => {
    const before = await chargedCalls(database)
    const files = Object.fromEntries(shape.files.map((field) => [field, image]))
    const archive = shape.stored && { [shape.stored.field]: zipOf({ 'a.jpg': image }) }
    const takesKey = credentials[admission].some((each) => each === 'apiKey')
    const headers = { authorization: `Bearer ${takesKey ? server.key : login}` }
    const issueAt = async (field: string, file: Buffer) => {
      const body = form({}, { ...files, ...archive, [field]: file })
      const { status, error } = await read(await fetch(server.url + path, { method: 'POST', headers, body }))
      return { status, issue: error?.issues?.find((issue) => issue.path[0] === field) }
    }
    for (const field of Object.keys(shape.fields.shape)) {
      const { status, issue } = await issueAt(field, Buffer.from('webp'))
      assert.deepEqual([status, issue?.message], [400, 'Must be text, not a file.'], field)
    }
    assert.equal(await chargedCalls(database), before)
    assert.deepEqual(await newFiles(), [])
    for (const field of Object.keys(shape.fields.shape))
      assert.notEqual((await issueAt(field, Buffer.alloc(0))).issue?.message, 'Must be text, not a file.', field)
  })
}
