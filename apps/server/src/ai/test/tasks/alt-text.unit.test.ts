import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wireSchema } from '../../client/question.ts'
import { type AltTextOptions, altTextQuestion, mostCharacters, styleNames } from '../../tasks/alt-text.ts'
import { type LanguageCode, languageCodes, languages } from '../../tasks/languages.ts'

const IMAGE = 'data:image/jpeg;base64,/9j/4AAQ'
const plain: AltTextOptions = { language: 'en', style: 'descriptive' }
const read = (saidValue: Record<string, unknown>, wish = plain) => altTextQuestion(wish, IMAGE).schema.safeParse(saidValue).data
const length = (text: string) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length

test('the limits are 350, 160 and 125 characters, and 0.6 of that where a sign is worth more', () => {
  const lengths = (language: LanguageCode) => styleNames.map((style) => mostCharacters({ language, style }))
  for (const language of languageCodes)
    assert.deepEqual(lengths(language), ['zh', 'ja', 'ko'].includes(language) ? [210, 75, 96] : [350, 125, 160], language)
})

test('the model is told the language, the style and the length, and asked for four fields in the strictest form', () => {
  for (const language of languageCodes) {
    const question = altTextQuestion({ language, style: 'seo' }, IMAGE)
    assert.ok(question.user.includes(languages[language].name), language)
    assert.ok(question.user.includes(` ${mostCharacters({ language, style: 'seo' })} characters`), language)
    assert.deepEqual(question.images, [IMAGE])
  }
  assert.deepEqual(wireSchema(altTextQuestion(plain, IMAGE).schema), {
    type: 'object',
    properties: {
      altText: { type: 'string' },
      decorative: { type: 'boolean' },
      textInImage: { type: 'string' },
      confidence: { type: 'number' },
    },
    required: ['altText', 'decorative', 'textInImage', 'confidence'],
    additionalProperties: false,
  })
})

test('a long text is cut behind a word, in characters as a reader counts them, in every language and style', () => {
  const texts: Partial<Record<LanguageCode, string>> = {
    zh: '红色的自行车靠在墙上',
    ja: '赤い自転車が壁に',
    ko: '빨간 자전거가 ',
  }
  for (const language of languageCodes)
    for (const style of styleNames) {
      const saidText = (texts[language] ?? 'Ein schöner Hund 👩‍👩‍👧‍👦, ').repeat(60)
      const { altText = '' } = read({ altText: saidText }, { language, style }) ?? {}
      const most = mostCharacters({ language, style })
      assert.ok(length(altText) <= most && length(altText) > most * 0.6, `${language} ${style}: ${length(altText)} of ${most}`)
      assert.match(altText, /[^\s,]…$/u)
      const keptText = altText.slice(0, -1)
      assert.ok(saidText.startsWith(keptText))
      // Languages with spaces end in a whole word.
      if (!texts[language]) assert.match(saidText.slice(keptText.length), /^[\s,]/u)
    }
})

const openings: readonly (readonly [LanguageCode, said: string, kept: string])[] = [
  ['en', 'An image of a dog.', 'A dog.'],
  ['en', 'This picture shows two cats.', 'Two cats.'],
  ['en', 'Photo: cats', 'Cats'],
  ['zh', '这张图片显示了一只狗', '一只狗'],
  ['zh', '一张照片，展示一只狗', '一只狗'],
  ['es', 'Una foto de un perro', 'Un perro'],
  ['fr', "Une image d'un chien", 'Un chien'],
  ['fr', 'L’image montre un chat', 'Un chat'],
  ['de', 'Das Bild zeigt einen Hund', 'Einen Hund'],
  ['ja', 'この画像には犬が写っています', '犬が写っています'],
  ['ko', '이 사진은 개를 보여준다', '개를 보여준다'],
  ['pt', 'Uma imagem de um cão', 'Um cão'],
  ['it', "Un'immagine di un cane", 'Un cane'],
  // The model's own language, where it was asked for another.
  ['de', 'image of a dog', 'A dog'],
]
for (const [language, saidText, keptText] of openings)
  test(`${language}: "${saidText}" says only what is seen`, () => {
    assert.equal(read({ altText: saidText }, { language, style: 'concise' })?.altText, keptText)
  })

for (const [language, saidText] of [
  ['en', 'Photographer at work'],
  ['en', 'Images of saints on a wall'],
  ['de', 'Bildschirm mit Tabelle'],
  ['fr', 'Photo dédicacée'],
  ['zh', '图书馆'],
  ['ja', '写真家の男性'],
  ['ko', '사진기 한 대'],
  ['en', 'Image of'],
] as const)
  test(`${language}: "${saidText}" stays as it is`, () => {
    assert.equal(read({ altText: saidText }, { language, style: 'concise' })?.altText, saidText)
  })

test('a decorative image has an empty text, unless there is text in it', () => {
  const wavy = { decorative: true, textInImage: '', confidence: 0.8 }
  assert.deepEqual(read({ ...wavy, altText: 'A wavy line' }), { altText: '', ...wavy, textInImage: null })
  assert.deepEqual(read({ ...wavy, altText: 'A sale banner', textInImage: 'SALE' }), {
    altText: 'A sale banner',
    decorative: false,
    textInImage: 'SALE',
    confidence: 0.8,
  })
})

test('an answer without a text is none', () => {
  for (const saidValue of [
    {},
    { altText: '' },
    { altText: ' \u200b\u202e ' },
    { altText: 5 },
    { type: 'object', properties: {} },
  ])
    assert.equal(read(saidValue), undefined, JSON.stringify(saidValue))
})

const confidences: readonly (readonly [said: unknown, read: number])[] = [
  ...([
    [0, 0],
    [0.123, 0.12],
    [1, 1],
    [95, 0.95],
    [1_000, 1],
    [-3, 0],
  ] as const),
  ...([
    ['0.7', 0.7],
    ['80%', 0.8],
    ['high', 0.5],
    [null, 0.5],
    [undefined, 0.5],
    [{}, 0.5],
  ] as const),
]
test('confidence is from 0 to 1 whatever a model makes of it', () => {
  for (const [saidItem, confidence] of confidences)
    assert.equal(read({ altText: 'A dog', confidence: saidItem })?.confidence, confidence, String(saidItem))
  // To make a number of these, JavaScript joins them, list by list, until the stack ends.
  const deep: unknown = JSON.parse(`${'['.repeat(30_000)}1${']'.repeat(30_000)}`)
  assert.equal(read({ altText: 'A dog', confidence: deep })?.confidence, 0.5)
})

test('words of a model lose what cannot be seen, and keep what can', () => {
  const saidText = '“\u202eA <b>dog</b>\u0000 \u{e0041}&\nan emoji 👩‍👩‍👧: Z\u0301\u0301a\u00ad”'
  assert.equal(read({ altText: saidText })?.altText, 'A <b>dog</b> & an emoji 👩‍👩‍👧: Ź\u0301a')
  const heap = `A dog${'\u0301'.repeat(5_000)} runs`
  assert.equal(read({ altText: heap })?.altText, 'A do runs')
})

test('a megabyte of words is cut without delay', () => {
  for (const piece of ['word ', 'x', '\u0301', '👩\u200d', '"', ' ', 'image of '])
    assert.ok(length(read({ altText: `A ${piece.repeat(200_000)}`, textInImage: piece.repeat(200_000) })?.altText ?? '') <= 350)
})
