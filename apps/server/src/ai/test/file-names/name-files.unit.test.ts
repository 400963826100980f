import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { extensionOf, type NamingRules, nameFiles, type WordStyle, wordStyleNames } from '../../tasks/name-files.ts'

const plain: NamingRules = { includeSequence: false, style: 'kebab' }

interface Described {
  readonly subject?: string
  readonly alternatives?: readonly string[]
  readonly originalName?: string
}

const files = (describedValues: readonly Described[]) =>
  describedValues.map((each, index) => ({
    index,
    subject: 'red bicycle',
    alternatives: [],
    originalName: 'a.jpg',
    extension: 'jpg',
    ...each,
  }))

const namesOf = (describedValues: readonly Described[], rules: Partial<NamingRules> = {}, total = describedValues.length) =>
  nameFiles(files(describedValues), total, { ...plain, ...rules }).map(({ newName }) => newName)

const single: readonly (readonly [what: string, described: Described, name: string])[] = [
  ['words', { subject: 'Red Bicycle' }, 'red-bicycle.jpg'],
  ['a device of Windows', { subject: 'CON' }, 'image-con.jpg'],
  ['another device', { subject: 'aux' }, 'image-aux.jpg'],
  ['a path', { subject: '../../etc/passwd' }, 'etc-passwd.jpg'],
  ['a path of Windows', { subject: 'C:\\boot.ini' }, 'c-boot-ini.jpg'],
  ['a hidden file', { subject: '.htaccess' }, 'htaccess.jpg'],
  ['text that runs backwards', { subject: 'a\u202egpj.exe' }, 'a-gpj-exe.jpg'],
  ['dots and spaces at the end', { subject: 'dog. . .  ' }, 'dog.jpg'],
  ['control characters', { subject: 'a\u0007bell\r\nSet-Cookie: x' }, 'a-bell-set-cookie-x.jpg'],
  ['HTML', { subject: '<img src=x onerror=alert(1)>' }, 'img-src-x-onerror-alert-1.jpg'],
  ['letters with marks', { subject: 'Größe in Ürümqi' }, 'groesse-in-ueruemqi.jpg'],
  ['Cyrillic', { subject: 'красный велосипед' }, 'krasniy-velosiped.jpg'],
  ['Japanese, with another subject', { subject: '赤い自転車', alternatives: ['red bike'] }, 'red-bike.jpg'],
  ['Japanese, with a name', { subject: '赤い自転車', originalName: 'Fahrrad rot.png' }, 'fahrrad-rot.jpg'],
  ['nothing that can be written', { subject: '赤い自転車', originalName: '自転車.jpg' }, 'image.jpg'],
  ['nothing but a number', { subject: '42', originalName: '1.jpg' }, 'image.jpg'],
  ['one endless word', { subject: 'x'.repeat(500) }, `${'x'.repeat(80)}.jpg`],
]
for (const [what, describedItem, name] of single)
  test(`${what} become a safe name`, () => assert.deepEqual(namesOf([describedItem]), [name]))

const styles: Readonly<Record<WordStyle, readonly string[]>> = {
  kebab: ['shop-red-bicycle-01.jpg', 'shop-com1-02.jpg'],
  snake: ['shop_red_bicycle_01.jpg', 'shop_com1_02.jpg'],
  camel: ['shopRedBicycle01.jpg', 'shopCom102.jpg'],
  pascal: ['ShopRedBicycle01.jpg', 'ShopCom102.jpg'],
  title: ['Shop Red Bicycle 01.jpg', 'Shop Com1 02.jpg'],
  lower: ['shopredbicycle01.jpg', 'shopcom102.jpg'],
}
for (const style of wordStyleNames)
  test(`${style}: prefix, words and number in one style`, () => {
    assert.deepEqual(namesOf([{}, { subject: 'com1' }], { style, prefix: 'Shop', includeSequence: true }), styles[style])
  })

test('no style makes a device of Windows', () => {
  for (const style of wordStyleNames)
    for (const subject of ['con', 'nul', 'com1', 'lpt 9', 'p rn'])
      assert.doesNotMatch(namesOf([{ subject }], { style })[0] ?? '', /^(con|prn|aux|nul|com\d|lpt\d)\./i, `${style} ${subject}`)
})

test('equal names get numbers, whatever their case and accents', () => {
  assert.deepEqual(namesOf([{}, { subject: 'RED bicycle' }, { subject: 'réd bicyclé' }, { subject: 're\u0301d bicycle' }]), [
    'red-bicycle.jpg',
    'red-bicycle-2.jpg',
    'red-bicycle-3.jpg',
    'red-bicycle-4.jpg',
  ])
  const twenty = namesOf(Array.from({ length: 20 }, () => ({ subject: 'x'.repeat(90) })))
  assert.equal(new Set(twenty).size, 20)
  assert.ok(twenty.every((name) => name.length <= 84))
})

test('a number is the place in the request, though others failed, and has as many digits as the last', () => {
  const all = files([{}, {}, {}])
  const rules = { ...plain, includeSequence: true }
  assert.deepEqual(
    nameFiles(
      all.filter(({ index }) => index !== 1),
      3,
      rules,
    ).map(({ newName }) => newName),
    ['red-bicycle-01.jpg', 'red-bicycle-03.jpg'],
  )
  assert.deepEqual(namesOf([{}], { includeSequence: true }, 120), ['red-bicycle-001.jpg'])
})

test('of alternatives any may be taken instead: none is equal to another name of the request', () => {
  const alternatives = ['bike', 'Red Bicycle', 'old bike', '自転車']
  const namedValues = nameFiles(files([{ alternatives }, { alternatives }, { subject: 'bike' }]), 3, plain)
  assert.deepEqual(
    namedValues.map(({ newName, alternatives }) => [newName, ...alternatives]),
    [['red-bicycle.jpg', 'bike-2.jpg', 'old-bike.jpg'], ['red-bicycle-2.jpg', 'bike-3.jpg', 'old-bike-2.jpg'], ['bike.jpg']],
  )
})

test('a long prefix is shortened to leave place for the number', () => {
  const [name = ''] = namesOf([{}], { prefix: 'Щ'.repeat(40), includeSequence: true })
  assert.match(name, /-01\.jpg$/)
  assert.ok(name.length <= 84)
})

const extensions: readonly (readonly [originalName: string, format: keyof typeof codecs, extension: string])[] = [
  ['a.jpg', 'jpeg', 'jpg'],
  ['a.JPEG', 'jpeg', 'jpeg'],
  ['a.jfif', 'jpeg', 'jfif'],
  ['a.tar.TIF', 'tiff', 'tif'],
  ['a.heif', 'heic', 'heif'],
  ['a.hif', 'heic', 'hif'],
  ['a.dib', 'bmp', 'dib'],
  ['a.apng', 'png', 'png'],
  ['evil.php', 'png', 'png'],
  ['evil.php.png', 'jpeg', 'jpg'],
  ['png', 'png', 'png'],
  ['', 'webp', 'webp'],
  ['a.jpg ', 'gif', 'gif'],
  ['a.constructor', 'avif', 'avif'],
]
for (const [originalName, format, extension] of extensions)
  test(`${format} called "${originalName}" ends in .${extension}`, () =>
    assert.equal(extensionOf(originalName, codecs[format]), extension))
