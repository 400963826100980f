import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARCHIVE_LIMITS, sourceOf } from '../../../test/support/archives.ts'
import { picture } from '../../../test/support/hostile-archives.ts'
import { zipFile } from '../../../test/support/zip.ts'
import { inspectArchive } from '../inspect.ts'
import { encodingNamed, nameDecoder } from '../names.ts'

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

/** One name each, as Python's codecs write it. */
const recognisedTexts: readonly (readonly [encoding: string, name: string, raw: Buffer])[] = [
  ['shift_jis', '日本.png', bytes('93fa967b2e706e67')],
  ['shift_jis', '猫.jpg', bytes('944c2e6a7067')],
  ['shift_jis', '新しいフォルダー/表紙.png', bytes('905682b582a283748348838b835f815b2f955c8e862e706e67')],
  ['shift_jis', 'ﾃｽﾄ.png', bytes('c3bdc42e706e67')],
  ['gbk', '照片.png', bytes('d5d5c6ac2e706e67')],
  ['gbk', '新建文件夹/图片1.jpg', bytes('d0c2bda8cec4bcfebcd02fcdbcc6ac312e6a7067')],
  ['gbk', '微信图片_20240101.jpg', bytes('cea2d0c5cdbcc6ac5f32303234303130312e6a7067')],
  ['cp1252', 'Müller.jpg', latin('Müller.jpg')],
  ['cp1252', 'São Paulo/coração.jpg', latin('São Paulo/coração.jpg')],
  ['cp1252', 'FRANÇAIS.png', latin('FRANÇAIS.png')],
  ['cp1252', 'À la carte.png', latin('À la carte.png')],
  ['cp437', 'Straße.jpg', bytes('53747261e1652e6a7067')],
  ['cp437', 'crème brûlée.jpg', bytes('63728a6d65206272966c82652e6a7067')],
  ['cp850', 'coração.jpg', bytes('636f726187c66f2e6a7067')],
  ['cp1251', 'Отпуск.jpg', bytes('cef2eff3f1ea2e6a7067')],
  ['cp866', 'Фото.jpg', bytes('94aee2ae2e6a7067')],
  ['big5', '測試圖片.jpg', bytes('b4fab8d5b9cfa4f92e6a7067')],
  ['euc-kr', '제품 이미지 목록.jpg', bytes('c1a6c7b020c0ccb9ccc1f620b8f1b7cf2e6a7067')],
]

for (const [encoding, name, raw] of recognisedTexts) {
  test(`${name} is recognised as ${encoding}, and read as that where it is asked for`, () => {
    assert.equal(nameDecoder([raw], 'auto')(raw), name)
    assert.equal(nameDecoder([raw], encodingNamed(encoding.toUpperCase()) as 'gbk')(raw), name)
  })
}

test('the names of an archive have one encoding, also those that fit in another one alone', () => {
  const mountain = bytes('8e52')
  const japan = bytes('93fa967b')
  const decode = nameDecoder([mountain, japan], 'auto')
  assert.deepEqual([mountain, japan].map(decode), ['山', '日本'])
  // GBK that is also valid UTF-8, which macOS writes without its flag.
  const model = bytes('c4a3')
  const picture = bytes('d5d5c6ac')
  assert.deepEqual([model, picture].map(nameDecoder([model, picture], 'auto')), ['模', '照片'])
  assert.equal(nameDecoder([bytes('c3a9')], 'auto')(bytes('c3a9')), 'é')
})

test('names that say how they are encoded are read so, whatever is asked for', async () => {
  const archive = zipFile([
    { ...picture, name: 'é.png' },
    { ...picture, name: bytes('93fa967b2e706e67'), flags: 0 },
  ])
  const entries = await inspectArchive(sourceOf(archive), ARCHIVE_LIMITS, 'shift_jis')
  assert.deepEqual(
    entries.map(({ path }) => path),
    ['é.png', '日本.png'],
  )
})

test('a name that is not in the encoding that was asked for is refused', async () => {
  const archive = zipFile([{ ...picture, name: latin('Müller.jpg'), flags: 0 }])
  await assert.rejects(inspectArchive(sourceOf(archive), ARCHIVE_LIMITS, 'utf-8'), {
    code: 'invalid_params',
    message: /nameEncoding: The name ".*" is not in utf-8/,
  })
})

test('other names of encodings', () => {
  assert.deepEqual(['Shift_JIS', 'CP932', 'windows-1252', ' UTF8 '].map(encodingNamed), [
    'shift_jis',
    'shift_jis',
    'cp1252',
    'utf-8',
  ])
  assert.equal(encodingNamed('nonsense'), 'nonsense')
})
