import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPassword } from '../password-text.ts'

const refusedTexts: readonly (readonly [why: string, password: string, message: RegExp])[] = [
  ['the most common', 'password', /most common/],
  ['digits', '123456789', /sequence/],
  ['a row of keys', 'qwertyuiop', /most common/],
  ['capitals', 'PassWord1', /most common/],
  ['signs for letters', 'P@ssw0rd', /most common/],
  ['signs behind it', 'Password123!?', /most common/],
  ['in full width', 'ｐａｓｓｗｏｒｄ', /most common/],
  ['the name of the service', 'Pixelmill2', /most common/],
  ['the name of the service and two characters', 'Pixelmill42', /most common/],
  ['one character', 'aaaaaaaaaaaa', /repeat/],
  ['one character of the world', '😊'.repeat(12), /repeat/],
  ['two characters by turns', 'xyxyxyxyx', /repeat/],
  ['a short word again and again', 'secretsecretsecret', /repeat/],
  ['a common one twice', 'baseballbaseball', /most common/],
  ['the alphabet', 'abcdefghij', /sequence/],
  ['backwards', '987654321', /sequence/],
  ['too short', 'a9$kQ2z', /at least 8/],
  ['too long', 'a9$kQ2z'.repeat(40), /at most 256/],
]
for (const [why, password, message] of refusedTexts) {
  test(`refused: ${why}`, () => {
    const { success, error } = newPassword.safeParse(password)
    assert.equal(success, false)
    assert.equal(error?.issues.length, 1)
    assert.match(error?.issues[0]?.message ?? '', message)
  })
}

for (const password of [
  'correct horse',
  'correct horse battery staple',
  'dragonflies over water',
  'aaaaaaab but not only',
  'kXq3-vvPz',
  'пароль от сервера',
  '写真サービスの鍵は長い',
  'z'.repeat(20) + 'y'.repeat(20),
  'pixelmill on my shelf',
  'pixelmillbox',
]) {
  test(`taken: ${password}`, () => assert.equal(newPassword.parse(password), password.normalize('NFKC')))
}
