import { z } from 'zod'
import { flagField, fractionField, GUARD, shortenText, wordsField } from './answer-fields.ts'
import { type LanguageCode, languages, withoutOpening } from './languages.ts'

interface Style {
  /** Instruction in the prompt. */
  readonly instruction: string
  /** Characters of an English text. */
  readonly length: number
}

/** Screen readers pause after 125 characters or so; search engines cut at about 160. */
export const styles = {
  descriptive: { instruction: 'one to three full sentences', length: 350 },
  concise: { instruction: 'one phrase or short sentence', length: 125 },
  seo: {
    instruction: 'one natural sentence that leads with what people would search for, without piling up keywords',
    length: 160,
  },
} as const satisfies Record<string, Style>

export type StyleName = keyof typeof styles
export const styleNames = Object.keys(styles) as [StyleName, ...StyleName[]]

export interface AltTextOptions {
  readonly language: LanguageCode
  readonly style: StyleName
}

/** Longest alternative text, in graphemes. */
export const mostCharacters = ({ language, style }: AltTextOptions): number =>
  Math.floor(styles[style].length * languages[language].length)

const QUOTED_CHARACTERS = 500
/** Enough for both texts in any language and for the reasoning of a model. */
const MAX_TOKENS = 2_000

const systemPrompt = `You write alternative text for images, as the W3C's Web Accessibility Initiative advises. ${GUARD}
- altText: what a person who cannot see the image needs to know: the subject first, then action, setting and text that matters.
- Do not begin with "image of" or "photo of", in any language. Invent nothing. Do not guess names, identity, ethnicity, religion, health or feelings; name a person only if text in the image does.
- If the image is mainly text, give that text. Of a chart say its kind, what it shows and the main trend. Of a logo give the name.
- decorative: true only if the image says nothing (a border, spacer, texture or background) and has no text; then altText is "".
- textInImage: the text that can be read in the image, word for word in its own language, or "".
- confidence: from 0 to 1, how sure you are of altText.`

const userPrompt = (options: AltTextOptions): string =>
  `Write altText in ${languages[options.language].name}: ${styles[options.style].instruction}, at most ${mostCharacters(options)} characters.`

/** The question to the model for one image. */
export const altTextQuestion = (options: AltTextOptions, image: string) => ({
  system: systemPrompt,
  user: userPrompt(options),
  images: [image],
  schema: answerSchema(options),
  maxTokens: MAX_TOKENS,
})

export interface AltText {
  /** Empty for a decorative image, as in HTML. */
  readonly altText: string
  readonly decorative: boolean
  readonly textInImage: string | null
  readonly confidence: number
}

/** Before it is cut to its style's length. */
const LONGEST_ANSWER = 2_000

const answerSchema = (options: AltTextOptions) =>
  z
    .object({
      altText: wordsField(LONGEST_ANSWER),
      decorative: flagField,
      textInImage: wordsField(QUOTED_CHARACTERS),
      confidence: fractionField,
    })
    .refine(({ altText, decorative }) => altText !== '' || decorative, 'altText is missing')
    .transform(({ altText, textInImage, confidence, ...said }): AltText => {
      // An image with text is never decorative: people who cannot see it need the text.
      const decorative = said.decorative && (textInImage === '' || altText === '')
      return {
        altText: decorative ? '' : shortenText(withoutOpening(altText, options.language), mostCharacters(options)),
        decorative,
        textInImage: textInImage === '' ? null : textInImage,
        confidence,
      }
    })
