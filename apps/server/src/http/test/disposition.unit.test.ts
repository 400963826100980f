import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disposition } from '@pixelmill/dashboard/web/disposition'
import { format } from '@pixelmill/engine/recipe/fields'
import { originForm } from '../app.ts'

for (const [file, is] of [
  ['a b.jpg', 'inline; filename="a b.jpg"'],
  ['\u00fcber.jpg', 'inline; filename="_ber.jpg"; filename*=UTF-8\'\'%C3%BCber.jpg'],
  ['a"b\\%41\'(1).png', "inline; filename=\"a_b__41'(1).png\"; filename*=UTF-8''a%22b%5C%2541%27%281%29.png"],
  ['\ud800.webp', 'inline; filename="_.webp"; filename*=UTF-8\'\'%EF%BF%BD.webp'],
] as const)
  test(`Content-Disposition of ${JSON.stringify(file)}`, () => assert.equal(disposition('inline', file), is))

for (const [target, is] of [
  ['/i/shop/a.jpg?w=1', '/i/shop/a.jpg?w=1'],
  ['http://images.example/i/shop/a.jpg?w=1', '/i/shop/a.jpg?w=1'],
  ['HTTPS://[::1]:3000?x', '/?x'],
  ['http://images.example', '/'],
  ['*', '*'],
] as const)
  test(`the target ${target} is ${is}`, () => assert.equal(originForm(target), is))

for (const [sentText, is] of [
  ['WebP', 'webp'],
  [' JPG ', 'jpeg'],
  ['TIF', 'tiff'],
] as const)
  test(`the format ${sentText} is ${is}`, () => assert.equal(format(['webp', 'jpeg', 'tiff'], '').parse(sentText), is))
