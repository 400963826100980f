import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalEmail } from '../email.ts'

const acceptedTexts: readonly (readonly [why: string, typed: string, normal: string])[] = [
  ['as it is', 'ada@example.com', 'ada@example.com'],
  ['capitals and spaces', '  Ada@Example.COM\n', 'ada@example.com'],
  ['a plus sign is part of the address', 'ada+shop@example.com', 'ada+shop@example.com'],
  ['every sign of an atom', "o'neil!#$%&*/=?^_`{|}~-x@example.com", "o'neil!#$%&*/=?^_`{|}~-x@example.com"],
  ['letters of the world', 'ДЖОН@Почта.РФ', 'джон@почта.рф'],
  ['composed', 'zoe\u0308@example.com', 'zo\u00eb@example.com'],
  ['letters in full width are the same letters', 'ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
  ['so are ligatures, circled and mathematical letters', 'ﬁⓐ𝐝a@example.com', 'fiada@example.com'],
  ['a domain in Punycode is the domain', 'z@xn--bcher-kva.example', 'z@bücher.example'],
  ['a Turkish capital', 'İZ@example.com', 'i̇z@example.com'],
  ['capitals of Cherokee, which a domain is written in', 'Ꭰ@ᎠᎡ.example', 'ꭰ@ꭰꭱ.example'],
  ['254 characters', `${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
]
for (const [why, typedText, normal] of acceptedTexts) {
  test(`an address: ${why}`, () => {
    assert.equal(normalEmail(typedText), normal)
    assert.equal(normalEmail(normal), normal, 'the one spelling is its own')
  })
}

test('whatever letter is in it, an address has one spelling, and that in small letters', () => {
  for (let point = 0x20; point < 0x1_f000; point++) {
    const letter = String.fromCodePoint(point)
    for (const typedText of [`a${letter}@example.com`, `ada@b${letter}b.com`]) {
      const normal = normalEmail(typedText)
      if (normal === undefined) continue
      assert.equal(normalEmail(normal), normal, `U+${point.toString(16)}`)
      // The table of accounts checks it.
      assert.equal(normal.toLowerCase(), normal, `U+${point.toString(16)}`)
    }
  }
})

const refusedTexts: readonly (readonly [why: string, typed: string])[] = [
  ['nothing', ''],
  ['no at sign', 'ada.example.com'],
  ['no local part', '@example.com'],
  ['no domain', 'ada@'],
  ['two at signs', 'ada@home@example.com'],
  ['a space inside', 'ada lovelace@example.com'],
  ['two dots', 'ada..l@example.com'],
  ['a dot at the end', 'ada.@example.com'],
  ['one label', 'ada@localhost'],
  ['a domain with an empty label', 'ada@example..com'],
  ['a domain that begins with a hyphen', 'ada@-example.com'],
  ['an IPv4 address, which the URL standard would make of it', 'ada@1.2'],
  ['a domain that is a fraction', 'ada@½.example'],
  ['an address in brackets', 'ada@[127.0.0.1]'],
  ['percent signs in a domain, which the URL standard would decode', 'ada@ex%61mple.com'],
  ['NUL, which PostgreSQL cannot keep', 'ada\u0000@example.com'],
  ['a line break, for a header of a letter', 'ada@example.com\r\nBcc: all@example.com'],
  ['a display name', 'Ada <ada@example.com>'],
  ['quotes', '"ada"@example.com'],
  ['an invisible character', 'ada\u200b@example.com'],
  ['a lone surrogate', 'ada\ud800@example.com'],
  ['255 characters', `${'a'.repeat(243)}@example.com`],
  ['a label of 64 characters', `a@${'b'.repeat(64)}.com`],
]
for (const [why, typedText] of refusedTexts) test(`no address: ${why}`, () => assert.equal(normalEmail(typedText), undefined))
