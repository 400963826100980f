import type { Size } from '@pixelmill/codecs/pixels/size'

interface Platform extends Size {
  /** Where the size is from. */
  readonly source: string
}

/** Platforms do not document sizes in one place: these are what most of seven public size guides of 2026 agree on. */
const GUIDES = 'size guides of 2026'
/** The same guides quote the platform's own help. */
const FACEBOOK = 'Facebook on images of shared links, by size guides of 2026'
const YOUTUBE = 'YouTube Help, by size guides of 2026'

const story = { width: 1080, height: 1920, source: GUIDES }
const link = { width: 1200, height: 630, source: FACEBOOK }

/** Target sizes in pixels. To add one, add a row; the reference lists them. */
export const platforms = {
  square: { width: 1080, height: 1080, source: GUIDES },
  'instagram-square': { width: 1080, height: 1080, source: GUIDES },
  'instagram-portrait': { width: 1080, height: 1350, source: GUIDES },
  'instagram-landscape': { width: 1080, height: 566, source: GUIDES },
  'instagram-grid': { width: 1080, height: 1440, source: GUIDES },
  'instagram-story': story,
  'instagram-reel': story,
  twitter: { width: 1600, height: 900, source: GUIDES },
  'twitter-card': { width: 1200, height: 628, source: GUIDES },
  'twitter-header': { width: 1500, height: 500, source: GUIDES },
  facebook: link,
  'facebook-square': { width: 1080, height: 1080, source: GUIDES },
  // Twice the size on a desktop.
  'facebook-cover': { width: 1640, height: 624, source: GUIDES },
  'facebook-event': { width: 1920, height: 1005, source: GUIDES },
  'facebook-story': story,
  'youtube-thumbnail': { width: 1280, height: 720, source: YOUTUBE },
  'youtube-banner': { width: 2560, height: 1440, source: YOUTUBE },
  linkedin: { width: 1200, height: 627, source: GUIDES },
  'linkedin-cover': { width: 1584, height: 396, source: GUIDES },
  'linkedin-company-cover': { width: 1128, height: 191, source: GUIDES },
  pinterest: { width: 1000, height: 1500, source: GUIDES },
  tiktok: story,
  threads: { width: 1080, height: 1350, source: GUIDES },
  'whatsapp-status': story,
  'open-graph': link,
  profile: { width: 400, height: 400, source: GUIDES },
} as const satisfies Record<string, Platform>

type PlatformName = keyof typeof platforms

/** Aliases that callers send. */
export const aliases = {
  x: 'twitter',
  'x-card': 'twitter-card',
  'x-header': 'twitter-header',
  instagram: 'instagram-square',
  youtube: 'youtube-thumbnail',
  'tiktok-video': 'tiktok',
  'facebook-post': 'facebook',
  'facebook-link': 'facebook',
  'instagram-reels': 'instagram-reel',
  'linkedin-post': 'linkedin',
  'pinterest-pin': 'pinterest',
  og: 'open-graph',
} as const satisfies Record<string, PlatformName>

/** Used when no platform is named: the examples of the specification. */
export const DEFAULT_PLATFORMS = [
  'instagram-square',
  'twitter',
  'facebook',
  'youtube-thumbnail',
] as const satisfies readonly PlatformName[]

const sizes: ReadonlyMap<string, Size> = new Map([
  ...Object.entries(platforms),
  ...Object.entries(aliases).map(([alias, name]) => [alias, platforms[name]] as const),
])

/** The size for a platform, by name or alias; undefined for an unknown one. */
export const sizeFor = (name: string): Size | undefined => sizes.get(name)
