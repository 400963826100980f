import type { IconName } from '../../../web/icons.ts'
import { sections } from '../../pages/admin/sections.ts'
import { type Page, pages } from '../../pages/index.ts'
import type { PagePath } from '../../pages/paths.ts'
import { addressOfTool } from '../../pages/playground/intents.ts'
import { type ToolName, tools } from '../../pages/playground/tools.ts'
import type { User } from '../../session/session.svelte.ts'

/** Headings of the results. */
export const kinds = {
  recent: 'Recent',
  page: 'Pages',
  tool: 'Tools',
  setting: 'Settings',
  batch: 'Batches',
  preset: 'Presets',
  source: 'Sources',
  guide: 'Documentation',
} as const
export type Kind = keyof typeof kinds

/** A place that the search finds. */
export interface Entry {
  readonly kind: Kind
  readonly label: string
  readonly href: string
  readonly icon: IconName
  /** What readers type who look for it, besides its label. */
  readonly words: string
}

const pageWords: Partial<Record<PagePath, string>> = {
  '/compress': 'shrink smaller optimize convert WebP AVIF folder drop many pictures',
  '/edit/new': 'steps recipe builder chain pipeline several outputs rotate blur trim border API v3 images',
  '/edit/resize': 'scale thumbnail width height dimensions cut ratio focal point builder',
  '/edit/watermark': 'logo text copyright brand overlay builder',
  '/playground': 'try all calls endpoints API convert enhance smart crop',
  '/background': 'remove background cutout transparent subject',
  '/describe': 'alt text caption accessibility file name rename tags recommend',
  '/inspect': 'info metadata EXIF GPS ICC colours palette hash size',
  '/batches': 'ZIP folder bulk many jobs',
  '/presets': 'recipes saved steps',
  '/sources': 'bucket S3 folder web URL delivery originals CDN',
  '/keys': 'token secret access sk_ program',
  '/usage': 'calls statistics limits quota month history errors',
  '/credits': 'buy money pay price balance ledger',
  '/ai': 'OpenAI Ollama vision key provider',
  '/webhooks': 'callback secret deliveries signature',
  '/account': 'profile user me',
  '/admin': 'server users operator',
}

const toolWords: Readonly<Record<ToolName, string>> = {
  convert: 'compress shrink format WebP AVIF JPEG PNG JXL quality smaller',
  resize: 'scale width height thumbnail smaller dimensions pixels',
  crop: 'cut trim region rectangle',
  flip: 'mirror vertical upside down',
  flop: 'mirror horizontal',
  watermark: 'logo mark overlay copyright brand',
  optimize: 'compress shrink smaller reduce size',
  background: 'remove background cutout transparent PNG subject isolate',
  enhance: 'upscale enlarge denoise sharpen improve quality',
  info: 'EXIF GPS metadata IPTC ICC inspect palette hash thumbhash blurhash',
  'alt-text': 'describe caption accessibility alternative text screen reader',
  rename: 'file name SEO describe',
  'smart-crop': 'social subject face focal point automatic crop Instagram',
  recommend: 'best format quality compare race',
}

type Setting = Omit<Entry, 'kind'>

const settings: readonly Setting[] = [
  { label: 'Change the password', href: '/account', icon: 'person', words: 'security reset forgotten' },
  { label: 'Name and e-mail address', href: '/account', icon: 'person', words: 'email profile rename' },
  { label: 'Sign-ins of this account', href: '/account', icon: 'person', words: 'sessions devices sign out everywhere' },
  { label: 'Delete the account', href: '/account', icon: 'person', words: 'remove leave close' },
  { label: 'Make an API key', href: '/keys', icon: 'key', words: 'new create token scope' },
  { label: 'Secret of webhooks', href: '/webhooks', icon: 'bell', words: 'rotate signing' },
  { label: 'Model of your own', href: '/ai', icon: 'sparkle', words: 'OpenAI Ollama key' },
]

const isFor = ({ access }: Page, { role }: User): boolean => access === 'signedIn' || (access === 'admin' && role === 'admin')

/** What is there for a user, before anything of their own. */
export function placesFor(user: User): readonly Entry[] {
  return [
    ...pages
      .filter((page) => isFor(page, user) && !page.path.includes(':'))
      .map(({ path, title, entry }) => ({
        kind: 'page' as const,
        label: entry?.label ?? title,
        href: path,
        icon: entry?.icon ?? ('picture' as const),
        words: pageWords[path] ?? '',
      })),
    ...tools.map(({ name, label }) => ({
      kind: 'tool' as const,
      label,
      href: addressOfTool(name),
      icon: 'arrows' as const,
      words: `${name} ${toolWords[name]}`,
    })),
    ...settings.map((setting) => ({ kind: 'setting' as const, ...setting })),
    ...(user.role === 'admin' ? administration() : []),
  ]
}

const administration = (): readonly Entry[] =>
  Object.entries(sections).map(([name, { label, icon }]) => ({
    kind: 'setting',
    label: `Server: ${label}`,
    href: `/admin/${name}`,
    icon,
    words: 'administration configuration storage renderers memory',
  }))
