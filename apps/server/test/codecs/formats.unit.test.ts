import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { codecs, recognise } from '@pixelmill/codecs'
import {
  acceptedFiles,
  formatList,
  type ImageFormat,
  imageFormats,
  isImageName,
  targetFormats,
  writtenFormats,
} from '@pixelmill/codecs/image-formats'
import { everyFormat, photo } from '@pixelmill/codecs/test/support/pictures'
import { looksLikePicture } from '@pixelmill/dashboard/src/pages/batches/looks-like-picture'
import { isDeclarable } from '@pixelmill/engine/crops/inline-image'

const root = join(import.meta.dirname, '../../../..')
const testedValue = await everyFormat()

test('every format of the table has a codec, under its own name', () => {
  assert.deepEqual(Object.keys(codecs).toSorted(), Object.keys(imageFormats).toSorted())
})

for (const [key, codec] of Object.entries(codecs)) {
  const { name, title, mime, extension, extensions, subtypes } = codec
  const writable = () => codec.encode(photo(64, 48), { quality: 75, megapixels: 0.1, animation: undefined })

  test(`${title}: its row in the table of formats is the codec's`, () => {
    assert.equal(name, key)
    const { beginning: _, place: __, ...row }: ImageFormat = imageFormats[name]
    assert.deepEqual(row, { title, mime, extension, extensions, subtypes })
    assert.ok(extensions.some((end) => end === extension) && subtypes.some((subtype) => mime === `image/${subtype}`))
  })

  test(`${title}: a file of it is recognised by the server and by the dashboard`, async () => {
    const { bytes } = await writable()
    assert.equal(recognise(bytes)?.name, name)
    assert.ok(await looksLikePicture('without-extension', new Blob([new Uint8Array(bytes)])))
  })

  test(`${title}: its names and media types are accepted where callers declare them`, () => {
    for (const end of extensions) {
      assert.ok(isImageName(`a.${end}`) && isImageName(`A.${end.toUpperCase()}`), end)
      assert.ok(acceptedFiles.split(',').includes(`.${end}`), end)
    }
    for (const subtype of subtypes) assert.ok(isDeclarable(`image/${subtype}`), subtype)
  })

  test(`${title}: every operation is tried with it`, () => {
    // sharp writes most formats; a format that it does not write has a test file of its own.
    assert.ok(
      name in testedValue || existsSync(join(root, `apps/server/src/images/test/${name}.test.ts`)),
      'add it to everyFormat() in packages/codecs/test/support/pictures.ts',
    )
  })

  for (const page of ['README.md', 'docs/background.md', 'docs/batch.md', 'packages/cli/README.md'])
    test(`${title}: ${page} names it`, () => assert.match(readFileSync(join(root, page), 'utf8'), new RegExp(`\\b${title}\\b`)))
}

for (const name of writtenFormats) {
  test(`${name}: the guides of the doors in which it can be asked for name it`, () => {
    assert.match(readFileSync(join(root, 'docs/delivery.md'), 'utf8'), new RegExp(`\\| \`f\` \\|[^|]*\`${name}\``))
    assert.match(
      readFileSync(join(root, 'docs/tinify.md'), 'utf8'),
      new RegExp(`\\| \`convert\` \\|[^|]*\\b${imageFormats[name].title}\\b`),
    )
  })
}

test('the names of other files are no images', () => {
  for (const name of ['a.txt', 'a.jpgx', 'jpeg', 'a.svg', 'a.png.zip']) assert.ok(!isImageName(name), name)
})

test('sentences list all formats', () => {
  for (const { title } of Object.values(imageFormats)) assert.match(formatList('and'), new RegExp(`\\b${title}\\b`))
  assert.match(formatList('or'), /^JPEG, PNG, .* or \w+$/)
  // The order is that of the specification, and of answers to a name that is not among them.
  assert.deepEqual(writtenFormats, ['webp', 'avif', 'jpeg', 'png', 'gif', 'tiff', 'jxl', 'qoi', 'ico'])
  for (const name of targetFormats) assert.ok(writtenFormats.includes(name))
})
