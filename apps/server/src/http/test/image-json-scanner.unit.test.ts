import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { DamagedImage, InlineImage, isDeclarable } from '@pixelmill/engine/crops/inline-image'
import { isRefusal } from '../../contract/api-error.ts'
import { DecodingSpace } from '../image-json/base64-image.ts'
import { type ImageJson, ImageJsonScanner } from '../image-json/scanner.ts'

const bytesOf = (body: string | Buffer) => (typeof body === 'string' ? Buffer.from(body) : body)

/** As the scanner reads a body that comes in these pieces. */
function scan(...pieces: readonly (string | Buffer)[]): ImageJson {
  const chunks = pieces.map(bytesOf)
  const scanner = new ImageJsonScanner(new DecodingSpace(chunks.reduce((total, { length }) => total + length, 0)))
  for (const chunk of chunks) scanner.add(chunk)
  return scanner.end()
}

/** What a text of a parsed body is to become: worked out from the whole text, in other ways than the scanner's. */
function meaningOf(text: string): unknown {
  const [head = '', ...rest] = text.split(',')
  const [scheme = '', ...parameters] = head.toLowerCase().split(';')
  if (rest.length === 0 || !scheme.startsWith('data:') || parameters.at(-1) !== 'base64') return text
  const payload = rest.join(',').replaceAll(/[ \t\n\f\r]/g, '')
  const bytes = Buffer.from(payload, 'base64')
  const mediaType = scheme.slice('data:'.length).trim()
  const base64 = bytes.toString('base64')
  const isBase64 = payload !== '' && (base64 === payload || base64.replace(/=+$/, '') === payload)
  const isSound = isBase64 && isDeclarable(mediaType)
  return isSound ? { image: mediaType, bytes: bytes.toString('hex') } : 'damaged'
}

/** A body in a form that can be compared: images as plain objects. */
function plain(value: unknown, text: (text: string) => unknown): unknown {
  if (typeof value === 'string') return text(value)
  if (value instanceof InlineImage) return { image: value.mediaType, bytes: value.bytes.toString('hex') }
  if (value instanceof DamagedImage) return 'damaged'
  if (Array.isArray(value)) return value.map((item) => plain(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).map(([name, item]) => [name, plain(item, text)])
}

const plainValue = ({ value }: ImageJson) => plain(value, (text) => text)
const expected = (body: string) => plain(JSON.parse(body), meaningOf)

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z/C/HgAGgwJ/lK3Q6wAAAABJRU5ErkJggg=='
const uri = `data:image/png;base64,${png}`
const image = (value: unknown) => (value instanceof InlineImage ? value : assert.fail('no image'))

/** Bodies that are JSON, with images in all the ways they are written. */
const bodies: Readonly<Record<string, string>> = {
  'an image': `{"image": "${uri}"}`,
  'images in a list, with other fields': `{"images":["${uri}","${uri}"],"language":"de","n":-1.5e3,"yes":true,"no":null}`,
  'an image alone': `"${uri}"`,
  'the escapes of PHP': `{"image": "${uri.replaceAll('/', '\\/')}"}`,
  'the escapes of .NET': `{"image": "${uri.replaceAll('+', '\\u002B').replaceAll('=', '\\u003d')}"}`,
  'escapes of every character': `{"image": "${[...uri].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')}"}`,
  'capital letters': `["DATA:IMAGE/PNG;BASE64,${png}"]`,
  parameters: `["data:image/png;name=a%20b.png;charset=utf-8;base64,${png}", "data:image/jpg;name=café.jpg;base64,AAAA"]`,
  'no media type': `["data:;base64,AAAA", "data:application/octet-stream;base64,AAAA"]`,
  'other media types': `["data:text/plain;base64,AAAA", "data:image/svg+xml;base64,AAAA", "data:image;base64,AAAA"]`,
  'padding of one and two': `["data:;base64,AA==", "data:;base64,AAA=", "data:;base64,AAAA"]`,
  'wrong padding': `["data:;base64,AA=", "data:;base64,AA", "data:;base64,A", "data:;base64,A===", "data:;base64,====", "data:;base64,AAAAA"]`,
  'padding in the middle': `["data:;base64,AA==AAAA", "data:;base64,AA=A", "data:;base64,AAAA====", "data:;base64,AAAA=AAA"]`,
  'bits that belong to nothing': `["data:;base64,AB==", "data:;base64,AAB="]`,
  'nothing at all': `["data:;base64,", {"a": "data:image/png;base64,"}]`,
  'lines of 76 characters': `["data:;base64,${`${'A'.repeat(76)}\\r\\n`.repeat(3)}AAAA\\u000a", "data:;base64,AA\\u0020A", "data:;base64,AAAA\\f\\tAA"]`,
  'padding that is missing': `["data:image/png;base64,${png.replaceAll('=', '')}", "data:;base64,AAA", "data:;base64,AAAAAA"]`,
  'spaces and line breaks': `["data:;base64,AA AA", "data:;base64,AAAA\\r\\nAAAA", "data:;base64, AAAA", "data:;base64,AAAA\\n", "data:;base64,\\t\\t\\t\\t"]`,
  'other alphabets': `["data:;base64,-_-_", "data:;base64,AAA\\u0000", "data:;base64,%2B%2F", "data:;base64,ÄÖÜß", "data:;base64,AA\\u0141A"]`,
  'escapes that are no Base64': `["data:;base64,AA\\\\", "data:;base64,AA\\"AA", "data:;base64,A\\\\\\"", "data:;base64,AAA\\b", "x"]`,
  'backslashes before the quote': `["data:;base64,AAAAA\\\\", "a", "data:;base64,\\\\\\\\", "b", "\\\\", "\\"", "c\\\\"]`,
  'commas that are escaped': `["data:image/png;base64\\u002c${png}", "data:image/png;base64\\u002C${png}", "data:image/png;base64\\\\u002c${png}"]`,
  'what only begins like an image': `["data:", "data: sales, 2020", "data:image/png,AAAA", "data:image/png;base64", "datA", "d", "", "xdata:;base64,AAAA", " data:;base64,AAAA"]`,
  'a comma before the Base64': `["data:image/png;name=a,b.png;base64,AAAA", "data:image/png;base64;x=1,AAAA", "data:image/png;xbase64,AAAA"]`,
  'names that look like images': `{"${uri}": 1, "data:;base64,AA": {"${uri}": ["${uri}"]}, "a\\"": "${uri}", "b\\\\": "c"}`,
  'texts that look like tags': `["t", "i0", "l", "i", {"t": "i0", "i0": "t", "l": "l0"}, "data:;base64,AAAA"]`,
  'names of the prototype': `{"__proto__": {"image": "${uri}"}, "constructor": "${uri}", "toString": 1, "length": "${uri}"}`,
  'a name twice': `{"image": "data:;base64,AAAA", "image": "${uri}", "a": {"b": 1, "b": "data:;base64,BBBB"}}`,
  'texts of all kinds': `{"a": "é€😀", "b": "\\u00e9\\ud83d\\ude00", "c": "\\ud800", "d": "\\u0000", "e": " ", "\\u0061": "\\n\\"\\\\\\/"}`,
  'white space': ` \r\n\t{ "a" : [ "${uri}" , 1 ] ,\n"b" : { } , "c" : [ ] }\n `,
  'a number': '7',
  'deep enough': `${'[{"a":'.repeat(40)}"${uri}"${'}]'.repeat(40)}`,
}

describe('a body that comes in two pieces is the same wherever it is cut', () => {
  for (const [what, body] of Object.entries(bodies)) {
    test(what, () => {
      const bytes = Buffer.from(body)
      const whole = expected(body)
      for (let cut = 0; cut <= bytes.length; cut++)
        assert.deepEqual(plainValue(scan(bytes.subarray(0, cut), bytes.subarray(cut))), whole, `cut at ${cut}`)
    })
    test(`${what}, byte by byte`, () => {
      const bytes = Buffer.from(body)
      assert.deepEqual(plainValue(scan(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))), expected(body))
    })
  }
})

/** Bodies that are no JSON, which JSON.parse refuses too. */
const faulty: Readonly<Record<string, string | Buffer>> = {
  'an empty body': '',
  'a body that ends in an image': `{"image": "${uri}`,
  'a body that ends in an escape': '{"image": "data:;base64,AA\\u00',
  'a body that ends in a text': '{"image": "dat',
  'a body that ends in a name': '{"image',
  'a body that ends after an image': `{"image": "${uri}"`,
  'brackets that do not fit': `{"image": ["${uri}"}]`,
  'a bracket too many': `["${uri}"]]`,
  'text after the object': `{"image": "${uri}"} x`,
  'two images without a comma': `["${uri}" "${uri}"]`,
  'a comma at the end': `["${uri}",]`,
  'single quotes': `{'image': '${uri}'}`,
  'an escape that there is not': '["\\x"]',
  'an escape that there is not, in the head of an image': '["data:image\\x/png;base64,AAAA"]',
  'a line break in a text': '["a\nb"]',
  'a line break in the head of an image': '["data:image/png\n;base64,AAAA"]',
  'bytes that are no UTF-8': Buffer.concat([Buffer.from('["'), Buffer.from([0xc3, 0x28]), Buffer.from('"]')]),
  'bytes that are no UTF-8, in the head of an image': Buffer.from('["data:image/png;name=\xff;base64,AAAA"]', 'latin1'),
  'half a character at the end of a text': Buffer.from('["\xe2\x82"]', 'latin1'),
  'UTF-16': Buffer.from(`\uFEFF{"image":"${uri}"}`, 'utf16le'),
  'a NUL after the object': '{}\0',
}

describe('a body that is not JSON is refused', () => {
  for (const [what, body] of Object.entries(faulty)) {
    test(what, () => {
      const bytes = bytesOf(body)
      assert.throws(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), 'the reference takes it')
      for (let cut = 0; cut <= bytes.length; cut++)
        assert.throws(() => scan(bytes.subarray(0, cut), bytes.subarray(cut)), refusedAs('invalid_params'), `cut at ${cut}`)
    })
  }
})

const refusedAs = (code: string) => (error: unknown) => isRefusal(error) && error.code === code

test('an image is decoded into a buffer of its own', () => {
  const { value, imageBytes } = scan(`["${uri}", "data:image/gif;base64,AAAA"]`)
  const [first, second] = value as readonly unknown[]
  assert.deepEqual(image(first).bytes, Buffer.from(png, 'base64'))
  assert.deepEqual(image(second).bytes, Buffer.alloc(3))
  assert.equal(imageBytes, image(first).bytes.length + 3)
})

test('a byte order mark before the body is skipped, and one before an image is a character', () => {
  assert.deepEqual(plainValue(scan(`\uFEFF["${uri}"]`)), expected(`["${uri}"]`))
  assert.deepEqual(plainValue(scan(`["\uFEFF${uri}"]`)), [`\uFEFF${uri}`])
})

describe('limits', () => {
  const largest = Buffer.alloc(limits.uploadBytes, 'pixel')
  const inPieces = (body: string, size = 65_536) =>
    Array.from({ length: Math.ceil(body.length / size) }, (_, at) => body.slice(at * size, (at + 1) * size))

  test('an image of 15 MB is accepted, whatever precedes it', () => {
    const { value } = scan(...inPieces(`["${uri}", "data:;base64,${largest.toString('base64')}", "${uri}"]`))
    const [before, large, behind] = value as readonly unknown[]
    assert.ok(image(large).bytes.equals(largest))
    for (const small of [before, behind]) assert.deepEqual(image(small).bytes, Buffer.from(png, 'base64'))
  })

  test('an image of one byte more is refused before its end', () => {
    const base64 = Buffer.concat([largest, Buffer.alloc(1)]).toString('base64')
    assert.throws(() => scan(...inPieces(`["data:;base64,${base64}"]`)), refusedAs('file_too_large'))
    assert.throws(() => scan(...inPieces(`["data:;base64,${base64}${'A'.repeat(MiB)}`)), refusedAs('file_too_large'))
  })

  test('a long text is replaced by one that no field accepts, and uses no memory', () => {
    const long = 'x'.repeat(3 * MiB)
    const { value } = scan(...inPieces(`{"images": ["${long}", "${long}\\"", "data:${long}"], "language": "de"}`))
    const { images, language } = value as { readonly images: readonly string[]; readonly language: string }
    assert.deepEqual([language, ...images.map((text) => text.length >= limits.ai.textBytes)], ['de', true, true, true])
  })

  test('a text of the greatest length is kept', () => {
    const text = 'x'.repeat(limits.ai.textBytes - 1)
    assert.deepEqual(scan(`["${text}"]`).value, [text])
  })

  test('the greatest number of values is accepted', () => {
    const body = `[${'0,'.repeat(limits.ai.jsonValues - 1)}0]`
    assert.deepEqual(scan(body).value, JSON.parse(body))
  })

  for (const [what, body] of Object.entries({
    'brackets without end': '['.repeat(100_000),
    'brackets that close again': `${'[['.repeat(5_000)}${']]'.repeat(5_000)}`,
    'objects in objects': `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
    'white space': ' '.repeat(MiB),
    'many values': `[${'0,'.repeat(limits.ai.jsonValues)}0]`,
    numbers: `[${'0,'.repeat(MiB)}0]`,
    'a long name': `{"${'x'.repeat(MiB)}": 1}`,
    'many texts': `[${`"${'x'.repeat(1_000)}",`.repeat(1_000)}0]`,
    'many small images': `[${'"data:;base64,AAAA",'.repeat(100_000)}0]`,
    'many damaged images': `[${'"data:;base64,A",'.repeat(100_000)}0]`,
  })) {
    test(`${what}: too many bytes beside the images are refused`, () => {
      assert.throws(() => scan(...inPieces(body)), refusedAs('invalid_params'))
    })
  }
})

/** Mulberry32: the same numbers at every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

test('5,000 random bodies, some of them damaged, in random pieces, are read as by JSON.parse', () => {
  const next = random(6)
  const below = (end: number) => Math.floor(next() * end)
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const alphabet = [
    'd',
    'data:',
    'image/png',
    ';base64,',
    ',',
    'AAAA',
    'Zm9v',
    'AA==',
    '=',
    '\\',
    '"',
    '/',
    '+',
    '\n',
    'é',
    '😀',
    '\u0000',
    'i0',
  ]
  const text = () =>
    one([
      () => Array.from({ length: below(8) }, () => one(alphabet)).join(''),
      () =>
        `data:image/${one(['png', 'jpg', 'svg+xml'])};base64,${Buffer.alloc(below(40), next().toString()).toString('base64')}`,
    ])()
  const value = (depth: number): unknown =>
    one<() => unknown>([
      () => text(),
      () => text(),
      () => one([0, -1.5, 1e300, true, false, null]),
      ...(depth > 4 ? [] : [() => Array.from({ length: below(4) }, () => value(depth + 1))]),
      ...(depth > 4 ? [] : [() => Object.fromEntries(Array.from({ length: below(4) }, () => [text(), value(depth + 1)]))]),
    ])()
  const jsonOf = (body: unknown) => {
    const json = JSON.stringify(body, null, below(3))
    if (next() < 0.3) return json.replaceAll('/', '\\/')
    // Some character in place of another: mostly no JSON any more.
    if (next() < 0.4) {
      const at = below(json.length)
      return json.slice(0, at) + one(['"', '\\', ',', '}', '[', 'A', ' ', '']) + json.slice(at + 1)
    }
    return json
  }
  let refusedCount = 0
  for (let round = 0; round < 5_000; round++) {
    const body = jsonOf(value(0))
    const bytes = Buffer.from(body)
    const cuts = [0, ...Array.from({ length: below(6) }, () => below(bytes.length)).sort((a, b) => a - b), bytes.length]
    const pieces = cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
    const reference = outcome(() => expected(bytes.toString()))
    if (reference === 'refused') refusedCount++
    // A backslash that fits no escape inside of an image damages the image, and not the body.
    const result = outcome(() => plainValue(scan(...pieces)))
    if (reference === 'refused' && JSON.stringify(result).includes('damaged')) continue
    assert.deepEqual(result, reference, body)
  }
  assert.ok(refusedCount > 500 && refusedCount < 2_500, `${refusedCount} were no JSON`)
})

function outcome(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof SyntaxError || refusedAs('invalid_params')(error)) return 'refused'
    throw error
  }
}
