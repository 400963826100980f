import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { readParameters } from '../parameters.ts'
import { orderByQuery, pictureUrls } from '../picture-urls.ts'
import { recipeQuery } from '../short-query.ts'

const parse = (recipe: object) => parseJson(recipeSchema, recipe)
const output = (steps: readonly object[], rest: object = {}) => parse({ outputs: [{ steps, format: 'auto', ...rest }] })

const shortRecipes: readonly (readonly [query: string, recipe: ReturnType<typeof parse>])[] = [
  ['', output([])],
  ['w=400', output([{ resize: { width: 400, enlarge: false } }])],
  ['w=400&enlarge=1', output([{ resize: { width: 400 } }])],
  ['w=400&h=300&g=subject', output([{ resize: { width: 400, height: 300, fit: 'cover', gravity: 'subject', enlarge: false } }])],
  ['w=400&h=300&fit=cover', output([{ resize: { width: 400, height: 300, fit: 'cover', enlarge: false } }])],
  [
    'w=4&h=3&fit=contain&g=north',
    output([{ resize: { width: 4, height: 3, fit: 'contain', gravity: 'north', enlarge: false } }]),
  ],
  [
    'w=4&h=3&g=0.3,0.65',
    output([{ resize: { width: 4, height: 3, fit: 'cover', gravity: { x: 0.3, y: 0.65 }, enlarge: false } }]),
  ],
  ['h=9&dpr=2&q=60&f=webp', output([{ resize: { height: 9, enlarge: false } }], { dpr: 2, quality: 60, format: 'webp' })],
  ['vq=70&max=9000&f=avif', output([], { format: 'avif', visualQuality: 70, maxBytes: 9_000 })],
  [
    'rot=90&flip=1&flop=1&w=5&blur=0.5&sharpen=1.5&gray=1&pixelate=3&bg=ffcc00&round=20%25&f=same',
    output(
      [
        { rotate: { angle: 90 } },
        { flip: {} },
        { flop: {} },
        { resize: { width: 5, enlarge: false } },
        { blur: { sigma: 0.5 } },
        { sharpen: { sigma: 1.5 } },
        { grayscale: {} },
        { pixelate: { size: 3 } },
        { background: { color: '#ffcc00' } },
        { roundCorners: { radius: '20%' } },
      ],
      { format: 'same' },
    ),
  ],
  // Shared steps are those of the only output, and its name is in no picture.
  ['w=5&f=png', parse({ steps: [{ resize: { width: 5, enlarge: false } }], outputs: [{ name: 'small', format: 'png' }] })],
]
for (const [query, recipe] of shortRecipes)
  test(`short: ${query}`, () => {
    assert.equal(recipeQuery(recipe, false), query)
    assert.equal(resultId('', [], readParameters(query).recipe ?? assert.fail(), 0), resultId('', [], recipe, 0))
  })

const wholeRecipes: Readonly<Record<string, ReturnType<typeof parse>>> = {
  'another order': output([{ blur: { sigma: 1 } }, { resize: { width: 5, enlarge: false } }]),
  'a step twice': output([{ flip: {} }, { flip: {} }]),
  'a step without a parameter': output([{ trim: {} }]),
  'a setting of a step': output([{ sharpen: { sigma: 1, amount: 2 } }]),
  'a background of a turn': output([{ rotate: { angle: 30, background: '#ff0000' } }]),
  'a setting of the output': output([], { metadata: 'all' }),
  'a turn by nothing': output([{ rotate: { angle: 0 } }]),
  'sizes that dpr does not multiply': parse({
    steps: [{ resize: { width: 5, enlarge: false } }],
    outputs: [{ format: 'png', dpr: 2 }],
  }),
}
for (const [name, recipe] of Object.entries(wholeRecipes))
  test(`r: ${name}`, () => {
    const query = recipeQuery(recipe, false)
    assert.match(query, /^r=[\w-]+$/)
    assert.equal(resultId('', [], readParameters(query).recipe ?? assert.fail(), 0), resultId('', [], recipe, 0))
  })

test('a URL of a source that follows client hints has nothing that a hint could change', () => {
  assert.equal(recipeQuery(output([{ resize: { width: 5, enlarge: false } }]), true), 'w=5&dpr=1')
  assert.match(recipeQuery(output([{ flip: {} }]), true), /^r=/)
})

test('URLs for several widths and formats are those of HTML', () => {
  const sign = (query: string) => `/i/shop/a%20b.jpg?${query}&s=x`
  const { url, srcset, sources, picture } = pictureUrls(orderByQuery('h=300&w=400&g=0.3,0.6', ['avif', 'jpeg']), [640, 320], sign)
  const at = (width: number, height: number, format: string) => sign(`h=${height}&w=${width}&g=0.3,0.6&f=${format}`)
  assert.equal(url, at(640, 480, 'jpeg'))
  assert.equal(srcset, `${at(320, 240, 'jpeg')} 320w, ${at(640, 480, 'jpeg')} 640w`)
  assert.deepEqual(
    sources.map(({ format }) => format),
    ['avif', 'jpeg'],
  )
  const inHtml = (text: string) => text.replaceAll('&', '&amp;')
  assert.equal(
    picture,
    `<picture>
  <source type="image/avif" srcset="${inHtml(`${at(320, 240, 'avif')} 320w, ${at(640, 480, 'avif')} 640w`)}" sizes="(max-width: 640px) 100vw, 640px">
  <img src="${inHtml(url)}" srcset="${inHtml(srcset)}" sizes="(max-width: 640px) 100vw, 640px"
    width="640" height="480" alt="" loading="lazy" decoding="async">
</picture>`,
  )
  const one = pictureUrls(orderByQuery('q=60', undefined), [100], sign)
  assert.equal(one.srcset, `${sign('q=60&w=100')} 100w`)
  for (const query of ['p=card', 'r=e30', 'w=5', 'h=5', 'dpr=2'])
    assert.throws(() => orderByQuery(query, undefined), { code: 'invalid_params' })
  assert.throws(() => orderByQuery('f=webp', ['jpeg']), { code: 'invalid_params' })
})
