import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutOf } from '../imgproxy/layout.ts'
import { withOptions } from '../imgproxy/options.ts'
import { DEFAULTS } from '../imgproxy/requested.ts'

/** The sizes of results, as imgproxy’s documentation and its own tests state them. */

const layout = (url: string, width: number, height: number) =>
  layoutOf({ width, height }, withOptions(DEFAULTS, url.split('/'), new Map()))

const sizeOf = (url: string, width = 200, height = 100): string => {
  const { size } = layout(url, width, height)
  return `${size.width}x${size.height}`
}

/** What imgproxy 4 tests of a picture of 200 × 100: width and height that are asked for, and the size of the result. */
const testedSizes: Readonly<Record<string, string>> = {
  'rt:fit': `
    50:50 50x25, 50:20 40x20, 20:50 20x10, 300:300 200x100, 300:50 100x50, 100:300 100x50,
    0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
  'rt:fit/el:1': `
    50:50 50x25, 50:20 40x20, 20:50 20x10, 300:300 300x150, 300:125 250x125, 250:300 250x125,
    0:50 100x50, 50:0 50x25, 0:200 400x200, 300:0 300x150
  `,
  'rt:fit/ex:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 300x300, 300:125 300x125, 250:300 250x300,
    0:50 100x50, 50:0 50x25, 0:200 200x200, 300:0 300x100
  `,
  'rt:fit/exar:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 200x200, 300:125 240x100, 250:500 200x400,
    0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
  'rt:fill': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 200x100, 300:50 200x50, 100:300 100x100,
    0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
  'rt:fill/el:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 300x300, 300:125 300x125, 250:300 250x300,
    0:50 100x50, 50:0 50x25, 0:200 400x200, 300:0 300x150
  `,
  'rt:fill/ex:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 300x300, 300:125 300x125, 250:300 250x300,
    300:50 300x50, 100:300 100x300, 0:50 100x50, 50:0 50x25, 0:200 200x200, 300:0 300x100
  `,
  'rt:fill/exar:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 200x200, 300:125 240x100, 250:500 200x400,
    300:50 300x50, 100:300 100x300, 0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
  'rt:fill-down': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 100x100, 300:125 200x83, 250:300 83x100,
    0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
  'rt:fill-down/el:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 300x300, 300:125 300x125, 250:300 250x300,
    0:50 100x50, 50:0 50x25, 0:200 400x200, 300:0 300x150
  `,
  'rt:fill-down/ex:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 300x300, 300:125 300x125, 250:300 250x300,
    300:50 300x50, 100:300 100x300, 0:50 100x50, 50:0 50x25, 0:200 200x200, 300:0 300x100
  `,
  'rt:fill-down/exar:1': `
    50:50 50x50, 50:20 50x20, 20:50 20x50, 300:300 100x100, 300:125 200x83, 250:300 83x100,
    0:50 100x50, 50:0 50x25, 0:200 200x100, 300:0 200x100
  `,
}
for (const [options, cases] of Object.entries(testedSizes))
  test(`imgproxy’s tests: ${options}`, () => {
    for (const row of cases.split(',')) {
      const [box = '', result] = row.trim().split(' ')
      assert.equal(sizeOf(`s:${box}/${options}`), result, row)
    }
  })

/** By the documentation, of a picture of 200 × 100. */
const documentedSizes: Readonly<Record<string, string>> = {
  // A side of 0 follows from the other, and with force stays.
  'rs:force:50:0': '50x100',
  'rs:force:80:90': '80x90',
  'rs:force:300:50': '200x33',
  'rs:force:300:50:1': '300x50',
  // The same orientation is filled, another one fitted.
  'rs:auto:60:40': '60x40',
  'rs:auto:40:60': '40x20',
  'rs:auto:50:50': '50x50',
  // No side is shorter than its minimum; what was asked for cuts it then.
  'w:50/mw:80': '50x40',
  'h:20/mh:50': '100x20',
  'mw:400': '400x200',
  'mh:300': '600x300',
  'rs:fit:50:50/mh:50': '50x50',
  'z:0.5': '100x50',
  'z:2': '200x100',
  'z:2/el:1': '400x200',
  'z:0.5:0.25/w:100': '50x13',
  'w:50/dpr:2': '100x50',
  'w:150/dpr:2': '200x100',
  'w:150/dpr:2/el:1': '300x150',
  'w:100/dpr:0.5': '50x25',
  'rs:fill:50:50/dpr:4': '100x100',
  'c:50:40': '50x40',
  'c:0.5:0': '100x100',
  'c:0.1:0.1': '20x10',
  'c:300:50': '200x50',
  'c:80:80/w:40': '40x40',
  'pd:10': '220x120',
  'pd:10:20': '240x120',
  'pd:20:30:40:10': '240x160',
  'pd::::10': '210x100',
  'w:100/pd:10/dpr:2': '240x140',
  'rs:fit:300:300/ex:1/pd:5': '310x310',
  'rs:fit:300:300:0:1:so': '300x300',
  's:300:300::1': '300x300',
}
for (const [options, result] of Object.entries(documentedSizes))
  test(`a picture of 200 × 100: ${options}`, () => assert.equal(sizeOf(options), result))

/** Where a part of 50 × 40 is cut out of 200 × 100, and where a picture lies on its canvas. */
const corners: Readonly<Record<string, readonly [left: number, top: number]>> = {
  // Halves are rounded to the even pixel.
  ce: [76, 30],
  no: [76, 0],
  'soea:10:5': [140, 55],
  'nowe:10:5': [10, 5],
  'we:0.1:0': [20, 30],
  'no:-5:0': [71, 0],
  'ea:300:0': [0, 30],
  'fp:0.5:0.5': [75, 30],
  'fp:0:1': [0, 60],
}
for (const [gravity, [left, top]] of Object.entries(corners))
  test(`a part at ${gravity}`, () => {
    assert.deepEqual(layout(`c:50:40:${gravity}`, 200, 100).region?.at, { left, top })
    const border = layout(`w:200/h:100/ex:1:${gravity}`, 50, 40).border
    assert.deepEqual(border, { left, top, right: 150 - left, bottom: 60 - top })
  })

test('offsets in pixels are multiplied by the density that is reached, shares are not', () => {
  assert.deepEqual(layout('rs:fill:50:40/g:nowe:0:3/dpr:2', 200, 800).cut?.at, { left: 0, top: 6 })
  assert.deepEqual(layout('rs:fill:50:40/g:nowe:0:0.25/dpr:2', 200, 800).cut?.at, { left: 0, top: 100 })
  assert.deepEqual(layout('rs:fill:50:40/g:sm', 200, 800).cut, { width: 50, height: 40, at: 'subject' })
})
