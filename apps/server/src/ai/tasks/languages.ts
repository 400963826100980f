interface Language {
  /** Name in the prompt. */
  readonly name: string
  /** Length of its texts relative to English. */
  readonly length: number
  /** Openings such as "image of", which a screen reader has said already. */
  readonly opening: RegExp
}

/** A Chinese or Japanese character says as much as two or three letters, a Korean syllable nearly so. */
const DENSE = 0.6

/** The languages of alternative texts, by their ISO 639-1 codes. */
export const languages = {
  en: {
    name: 'English',
    length: 1,
    opening:
      /^(?:(?:this|the|an?) )?(?:image|picture|photo|photograph|graphic)(?: (?:of|(?:that |which )?(?:shows|depicts)|showing|depicting)\b|:)/i,
  },
  zh: {
    name: 'Simplified Chinese',
    length: DENSE,
    opening:
      /^(?:这|這)?(?:是)?(?:一)?(?:张|張|幅)?(?:图片|圖片|图像|圖像|照片|相片|影像)(?:中|里|裡|上)?(?:[:：，,]?(?:显示|顯示|展示|描绘|描繪|呈现|是)(?:了|着|的是)?|[:：，,])/,
  },
  es: {
    name: 'Spanish',
    length: 1,
    opening: /^(?:(?:esta|la|una|un|el) )?(?:imagen|foto|fotografía|gráfico)(?: (?:del?|(?:que )?muestra|mostrando)\b|:)/i,
  },
  fr: {
    name: 'French',
    length: 1,
    opening:
      /^(?:(?:cette|une|la|un|le) |l['’])?(?:image|photo|photographie|graphique)(?: (?:de l['’]|d['’]|(?:de la|de|du|des|(?:qui )?(?:montre|représente)|montrant|représentant)(?![\p{L}\p{M}]))|\s?:)/iu,
  },
  de: {
    name: 'German',
    length: 1,
    opening: /^(?:(?:dieses|diese|das|die|eine?) )?(?:bild|foto|fotografie|grafik|abbildung|aufnahme)(?: (?:von|zeigt|mit)\b|:)/i,
  },
  ja: {
    name: 'Japanese',
    length: DENSE,
    opening: /^(?:この)?(?:画像|写真|イメージ)(?:に?は|では|[:：、])/,
  },
  ko: {
    name: 'Korean',
    length: DENSE,
    opening: /^(?:이 ?)?(?:이미지|사진)(?:에?는|은|에서는|:)/,
  },
  pt: {
    name: 'Portuguese',
    length: 1,
    opening: /^(?:(?:esta|uma|um|a|o) )?(?:imagem|foto|fotografia|gráfico)(?: (?:d[eoa]s?|(?:que )?mostra|mostrando)\b|:)/i,
  },
  it: {
    name: 'Italian',
    length: 1,
    opening:
      /^(?:(?:questa|una|la|un|il) |(?:l|un|quest)['’])?(?:immagine|foto|fotografia|grafico)(?: (?:(?:di|del|dello|della|dei|degli|delle|(?:che )?(?:mostra|raffigura))\b|dell['’])|:)/i,
  },
} as const satisfies Record<string, Language>

export type LanguageCode = keyof typeof languages
export const languageCodes = Object.keys(languages) as [LanguageCode, ...LanguageCode[]]

/** Removes "image of" at the beginning, in any of the languages, since models do not always follow the prompt. */
export function withoutOpening(text: string, language: LanguageCode): string {
  const foundLanguage = Object.values(languages).find(({ opening }) => opening.test(text))
  const rest = foundLanguage ? text.replace(foundLanguage.opening, '').replace(/^[\s,:，：、]+/, '') : text
  if (rest === '') return text
  const [first = ''] = rest
  return first.toLocaleUpperCase(language) + rest.slice(first.length)
}
