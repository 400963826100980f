import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resultPaths as pathsOf } from '../paths.ts'

const resultPaths = (paths: readonly string[], extension: string, takenTexts: readonly string[] = []) =>
  pathsOf(
    paths.map((path) => ({ path, extension })),
    takenTexts,
  )

const rows: readonly (readonly [says: string, paths: readonly string[], results: readonly string[]])[] = [
  ['folders are kept and extensions replaced', ['a/b/c.png', 'd.jpeg'], ['a/b/c.webp', 'd.webp']],
  ['only the last extension goes', ['a.b.png', 'noextension', '.hidden'], ['a.b.webp', 'noextension.webp', '.hidden.webp']],
  ['equal names are numbered', ['a.png', 'a.jpg', 'a.gif'], ['a.webp', 'a-2.webp', 'a-3.webp']],
  ['in each folder by itself', ['x/a.png', 'y/a.png', 'x/a.jpg'], ['x/a.webp', 'y/a.webp', 'x/a-2.webp']],
  ['a name that has a number keeps it', ['a.png', 'a.jpg', 'a-2.png'], ['a.webp', 'a-3.webp', 'a-2.webp']],
  ['case makes no difference', ['a.png', 'A.png', 'X/b.png', 'x/B.png'], ['a.webp', 'A-2.webp', 'X/b.webp', 'x/B-2.webp']],
  [
    'nor do ß and SS, σ and ς',
    ['straße.png', 'STRASSE.png', 'σ.png', 'ς.png'],
    ['straße.webp', 'STRASSE-2.webp', 'σ.webp', 'ς-2.webp'],
  ],
  ['nor how accents are composed', ['\u00e4.png', 'a\u0308.png'], ['\u00e4.webp', '\u00e4-2.webp']],
  ['a file has no name of a folder', ['a.webp/b.png', 'a.png'], ['a.webp/b.webp', 'a-2.webp']],
  ['nor of a folder that comes later', ['a.png', 'A.WEBP/b.png'], ['a-2.webp', 'A.WEBP/b.webp']],
  [
    'names of devices get a mark',
    ['CON.png', 'a/nul.tar.gz', 'com1/x.png', 'LPT³ .png'],
    ['_CON.webp', 'a/_nul.tar.webp', '_com1/x.webp', '_LPT³.webp'],
  ],
  ['names that only begin so do not', ['console.png', 'com.png', 'com12.png'], ['console.webp', 'com.webp', 'com12.webp']],
  ['Windows drops dots and spaces at the end', ['a. /b..png', 'c .png', '.../d.png'], ['a/b.webp', 'c.webp', '_/d.webp']],
  ['what Windows forbids is replaced', ['a<b>c:d"e|f?g*h\\i.png', 'a\u0001b\u009b.png'], ['a_b_c_d_e_f_g_h_i.webp', 'a_b_.webp']],
  ['a turned text is not', ['a\u202egnp.exe.png'], ['a_gnp.exe.webp']],
  ['two that become equal are numbered', ['a?.png', 'a*.png'], ['a_.webp', 'a_-2.webp']],
  ['nothing leads out', ['../a.png', '/b.png', 'c/../../d.png', '..'], ['_/a.webp', 'b.webp', 'c/_/_/d.webp', '_.webp']],
  [
    'the manifest keeps its name',
    ['manifest.json/a.png', 'Manifest.JSON/b.png'],
    ['_manifest.json/a.webp', '_Manifest.JSON/b.webp'],
  ],
]
for (const [says, paths, results] of rows) {
  test(`${says}: ${paths.join(', ')}`, () => assert.deepEqual(resultPaths(paths, 'webp', ['manifest.json']), results))
}

test('a long name is cut between two characters, and still numbered', () => {
  const long = `${'😊'.repeat(62)}x`
  const [first = '', second = ''] = resultPaths([`${long}.jpg`, `${long}y.png`], 'webp')
  assert.equal(first, `${'😊'.repeat(60)}.webp`)
  assert.equal(second, `${'😊'.repeat(60)}-2.webp`)
  assert.ok(Buffer.byteLength(second) <= 255)
})

test('a taken name in the root is not used', () => {
  assert.deepEqual(resultPaths(['index.png', 'a/index.png'], 'webp', ['index.webp']), ['index-2.webp', 'a/index.webp'])
})

test('20,000 equal names take no quadratic time, and all differ', () => {
  const results = resultPaths(Array<string>(20_000).fill('a.png'), 'webp')
  assert.equal(new Set(results).size, 20_000)
  assert.equal(results.at(-1), 'a-20000.webp')
})
