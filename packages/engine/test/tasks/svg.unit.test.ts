import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import sharp from 'sharp'
import { cleanSvg } from '../../src/svg/clean.ts'
import { isSvg } from '../../src/svg/recognise.ts'
import { runTask } from '../support/run-task.ts'

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const svg = (body: string, size = 'width="20" height="10"') => `<svg ${NAMESPACES} ${size}>${body}</svg>`
/** Other tests draw in this process. */
const allowSvg = () => sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] })
const clean = (text: string) => cleanSvg(Buffer.from(text)).toString()
const draw = async (text: string, box?: { width?: number; height?: number; fit: 'inside' | 'outside' }) => {
  const { report, files } = await runTask('svgPicture', box ? { box } : {}, Buffer.from(text)).finally(allowSvg)
  return { report, png: files[0] ?? assert.fail() }
}

test('an SVG is recognised by its root element', () => {
  for (const head of ['', '\ufeff', ' \n', '<?xml version="1.0"?>\n', '<!-- > a -->', '<!DOCTYPE svg PUBLIC "a" "b">'])
    assert.ok(isSvg(Buffer.from(head + svg(''))), head)
  for (const text of ['', '<html><svg/></html>', '<svgs/>', 'text <svg/>', `<!--${'a'.repeat(5_000)}--><svg/>`])
    assert.ok(!isSvg(Buffer.from(text)), text.slice(0, 20))
})

test('a drawing that runs and reads nothing stays as it is, to the byte', () => {
  const text = `\ufeff<?xml version="1.0" encoding="UTF-8"?><!-- made & <by> -->\n${svg(
    `<style><![CDATA[ .a > b { fill: url(#g); } ]]></style><linearGradient id='g'/><use xlink:href="#g" /><a href="https://example.com/?a=1&amp;b=2"><text>é &lt; 5 &#169;</text></a><image href="data:image/png;base64,AA=="/><rect fill="url('#g')" class='on load'/>`,
  )}\n`
  const bytes = Buffer.from(text)
  assert.equal(cleanSvg(bytes), bytes)
})

const removedParts: readonly (readonly [body: string, left: string])[] = [
  ['<script>alert(1)</script><g/>', '<g/>'],
  ['<s:script xmlns:s="http://www.w3.org/2000/svg"/><g/>', '<g/>'],
  ['<g onload="alert(1)" id="a" ONCLICK=\'b\'/>', '<g id="a"/>'],
  ['<foreignObject><p onclick="a"><script/></p></foreignObject>', ''],
  ['<a href="java&#10;script:alert(1)"><g/></a>', '<a><g/></a>'],
  ['<a xlink:href="&#106;avascript:alert(1)"/>', '<a/>'],
  ['<a><set attributeName="xlink:href" to="javascript:alert(1)"/></a>', '<a></a>'],
  ['<animate attributeName="&#104;ref" values="javascript:a"/>', ''],
  ['<image href="http://127.0.0.1/a.png"/>', '<image/>'],
  ['<image xlink:href="file:///etc/passwd"/>', '<image/>'],
  ['<use href="data:image/svg+xml;base64,AA=="/>', '<use/>'],
  ['<use href="other.svg#a"/>', '<use/>'],
  ['<feImage href="//host/a"/>', '<feImage/>'],
  ['<style>@import url("http://host/a.css"); b { fill: url( "http://host/c" ) }</style>', '<style> b { fill: none }</style>'],
  ['<g style="fill:url(http://host/a);x:url(#b)"/>', '<g style="fill:none;x:url(#b)"/>'],
  ['<style>&#64;import "http://host/a";</style>', ''],
  ['<g fill="&#117;rl(http://host)"/>', '<g/>'],
  ['<html:iframe xmlns:html="http://www.w3.org/1999/xhtml" src="a"/>', ''],
]
for (const [body, left] of removedParts) test(`removed: ${body}`, () => assert.equal(clean(svg(body)), svg(left)))

test('document types and instructions are removed', () => {
  const head =
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://host/svg11.dtd"><?xml-stylesheet href="a"?>'
  assert.equal(clean(head + svg('')), `<?xml version="1.0"?>${svg('')}`)
})

const entities = 'abcdefghij'
  .split('')
  .map((name, at, all) => `<!ENTITY ${name} "${at === 0 ? 'lol' : `&${all[at - 1]};`.repeat(10)}">`)
  .join('')
const refusedFiles: Readonly<Record<string, string>> = {
  'a file of the machine as an entity': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  'a document type of another server': `<!DOCTYPE svg [<!ENTITY % d SYSTEM "http://host/d"> %d;]>${svg('')}`,
  'entities of entities': `<!DOCTYPE svg [${entities}]>${svg('<text>&j;</text>')}`,
  'an entity that nothing declares': svg('<text>&x;</text>'),
  'elements that are nested deep': svg('<g>'.repeat(limits.svg.depth) + '</g>'.repeat(limits.svg.depth)),
  'too many elements': svg('<g/>'.repeat(limits.svg.elements)),
  'too many attributes': svg(`<g ${Array.from({ length: 501 }, (_, n) => `a${n}=""`).join(' ')}/>`),
  'attributes without quotes': svg('<g id=a/>'),
  'a tag in an attribute': svg('<g id="<script>"/>'),
  'tags that do not match': svg('<g></b>'),
  'an end that is missing': svg('').slice(0, -2),
  'a second root': svg('') + svg(''),
  'text after the root': `${svg('')}text`,
  'HTML around it': `<html>${svg('')}</html>`,
  'another encoding': `<?xml version="1.0" encoding="ISO-2022-JP"?>${svg('')}`,
  'an element of a document type': `<!ELEMENT svg ANY>${svg('')}`,
}
for (const [name, text] of Object.entries(refusedFiles))
  test(`refused: ${name}`, () => assert.throws(() => clean(text), { code: 'invalid_image' }))

test('an SVG of more bytes than are read', () => {
  assert.throws(() => clean(svg(`<!--${' '.repeat(limits.svg.bytes)}-->`)), { code: 'image_too_large' })
})

test('a drawing has the pixels that are asked for, sharp edges, and texts', async () => {
  const drawing = svg('<rect x="5" width="10" height="10" fill="#f00"/>')
  for (const [box, width, height] of [
    [undefined, 20, 10],
    [{ width: 400, fit: 'inside' }, 400, 200],
    [{ width: 400, height: 100, fit: 'inside' }, 200, 100],
    [{ width: 400, height: 100, fit: 'outside' }, 400, 200],
    [{ width: 1.4, fit: 'inside' }, 1, 1],
  ] as const) {
    const { report, png } = await draw(drawing, box)
    assert.deepEqual(report, { width, height })
    const { width: pngWidth, height: pngHeight } = await sharp(png).metadata()
    assert.deepEqual([pngWidth, pngHeight], [width, height])
  }
  const { data } = await sharp((await draw(drawing, { width: 400, fit: 'inside' })).png)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const alphaAt = (x: number) => data[(100 * 400 + x) * 4 + 3]
  assert.deepEqual([alphaAt(98), alphaAt(101), alphaAt(298), alphaAt(301)], [0, 255, 255, 0])
  const inkOf = async (text: string) => {
    const { png } = await draw(svg(`<text x="2" y="36" font-size="40">${text}</text>`, 'width="200" height="50"'))
    return (await sharp(png).stats()).channels[3]?.mean ?? 0
  }
  // A face that is missing would draw the same box for both.
  assert.ok((await inkOf('MMM')) > 1.5 * (await inkOf('iii')))
})

test('pictures that would be too large, and drawings that cannot be read', async () => {
  for (const [text, box] of [
    [svg(''), { width: 10_000, height: 10_000, fit: 'outside' }],
    [svg('<rect width="1" height="1"/>', 'width="30000" height="30000"'), undefined],
    [svg('', 'width="1" height="1000"'), { width: 100, fit: 'inside' }],
  ] as const)
    await assert.rejects(draw(text, box), { code: 'image_too_large' })
  await assert.rejects(draw(svg('', 'width="0" height="0"')), { code: 'invalid_image' })
})

test('after a drawing, libvips takes no other file for SVG', async () => {
  const drawing = Buffer.from(svg('<g/>'))
  try {
    await runTask('svgPicture', {}, drawing)
    await assert.rejects(sharp(drawing).metadata())
  } finally {
    allowSvg()
  }
})
