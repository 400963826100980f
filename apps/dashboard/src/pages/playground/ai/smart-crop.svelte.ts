import { type Answer, api } from '../../../api/client.ts'
import { cropPlatforms, defaultPlatforms, MOST_RATIO, toolForms } from '../../../api/tool-forms.ts'
import { resultName } from '../../../shown/file-names.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { ToolRun } from '../tool-run.svelte.ts'
import { extensionOf, fromDataUri, toDataUri } from './data-uri.ts'
import type { Models } from './models.svelte.ts'

export type Asked = Answer<'/v1/ai/smart-crop', 'post'>
export type Crop = Asked['crops'][number]
export type PlatformName = keyof typeof cropPlatforms

/** A crop with its picture. */
export interface CutCrop extends Crop {
  readonly url: string
  readonly fileName: string
}

export interface Crops {
  readonly answer: Asked
  readonly cuts: readonly CutCrop[]
}

const sites: Readonly<Record<string, string>> = {
  twitter: 'X',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
}
const names: Readonly<Record<string, string>> = {
  'open-graph': 'Link preview (Open Graph)',
  profile: 'Profile picture',
  custom: 'Your ratio',
}

/** `youtube-thumbnail` as a readable name. */
export function platformWords(name: string): string {
  const [site = '', ...rest] = name.split('-')
  return names[name] ?? [sites[site] ?? site.charAt(0).toUpperCase() + site.slice(1), ...rest].join(' ')
}

/** The crops to make: platforms and a custom ratio. */
class CropChoice {
  platforms = $state.raw<readonly PlatformName[]>(defaultPlatforms)
  width = $state<number>()
  height = $state<number>()

  readonly ratio = $derived(this.width && this.height ? { width: this.width, height: this.height } : undefined)
  readonly fault = $derived.by(() => {
    if ((this.width === undefined) !== (this.height === undefined)) return 'Both sides are needed.'
    const share = this.ratio ? this.ratio.width / this.ratio.height : 1
    return share > MOST_RATIO || share < 1 / MOST_RATIO ? `Must be between 1:${MOST_RATIO} and ${MOST_RATIO}:1.` : undefined
  })
  readonly isComplete = $derived(!this.fault && (this.platforms.length > 0 || this.ratio !== undefined))

  choose(name: PlatformName, isWanted: boolean): void {
    const all = Object.keys(cropPlatforms) as PlatformName[]
    this.platforms = all.filter((each) => (each === name ? isWanted : this.platforms.includes(each)))
  }
}

export const choice = new CropChoice()
export const form = new FieldForm({})
export const run = new ToolRun<Crops>(({ cuts }) => cuts.forEach(({ url }) => void URL.revokeObjectURL(url)))
export const fingerprint = (models: Models): string => JSON.stringify([choice.platforms, choice.ratio, models.whose])
export const { path } = toolForms['smart-crop']

export const bodyOf = (image: string) => ({
  image,
  platforms: [...choice.platforms],
  ...(choice.ratio && { customRatio: { ...choice.ratio } }),
  returnCroppedImage: true,
})

function cutOf(crop: Crop, sourceName: string): CutCrop {
  const blob = fromDataUri(crop.image ?? 'data:image/jpeg;base64,')
  return {
    ...crop,
    url: URL.createObjectURL(blob),
    fileName: resultName(sourceName, `${crop.platform}.${extensionOf(blob.type)}`),
  }
}

export function crop(source: File, models: Models): void {
  const provider = models.provider()
  void run.start(source, fingerprint(models), async (signal) => {
    const body = { ...bodyOf(await toDataUri(source)), ...provider }
    const answer = await api.post('/v1/ai/smart-crop', { body, signal })
    return { answer, cuts: answer.crops.map((each) => cutOf(each, source.name)) }
  })
}
