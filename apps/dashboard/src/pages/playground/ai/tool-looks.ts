import type { Looks } from '../field-form.svelte.ts'

/** How the fields of the AI tools are displayed; the OpenAPI document defines them. */
export const enhanceLooks: Looks = {
  mode: {
    label: 'What to do',
    words: {
      auto: 'Automatic',
      denoise: 'Take away noise',
      deblur: 'Sharpen',
      upscale: 'Enlarge',
    },
  },
  intensity: { label: 'How much', segments: true, words: { 1: 'Light', 2: 'Medium', 3: 'Strong' } },
  returnPreview: { label: 'Preview', hidden: true },
}

export const languageWords: Readonly<Record<string, string>> = {
  en: 'English',
  zh: 'Chinese',
  es: 'Spanish',
  fr: 'French',
  de: 'German',
  ja: 'Japanese',
  ko: 'Korean',
  pt: 'Portuguese',
  it: 'Italian',
}

export const styleWords: Readonly<Record<string, string>> = {
  descriptive: 'Whole sentences',
  concise: 'One short phrase',
  seo: 'For search engines',
}

export const altTextLooks: Looks = {
  language: { label: 'Language', words: languageWords },
  style: { label: 'Style', words: styleWords },
}

export const renameLooks: Looks = {
  'rules.prefix': { label: 'Words in front', empty: 'such as: summer shop' },
  'rules.includeSequence': { label: 'Number at the end' },
  'rules.style': {
    label: 'Words joined',
    words: {
      kebab: 'red-bicycle',
      snake: 'red_bicycle',
      camel: 'redBicycle',
      pascal: 'RedBicycle',
      title: 'Red Bicycle',
      lower: 'redbicycle',
    },
  },
}

export const recommendLooks: Looks = {
  useCase: {
    label: 'What it is for',
    words: {
      general: 'Anything',
      web: 'A web page',
      ecommerce: 'A shop',
      'social-media': 'Social media',
      print: 'Print',
      archive: 'Keeping',
    },
  },
}
