import type { Guide } from './guide-files.ts'

/** What readers come for, with the guides about it: the first one is where to begin. */
export interface Task {
  readonly title: string
  readonly about: string
  /** Names of guides. */
  readonly guides: readonly [first: string, ...others: string[]]
}

/** The start page has these in this order; each guide belongs to one. */
export const tasks: readonly Task[] = [
  {
    title: 'Compress a site’s images',
    about: 'Smaller files that look the same: by a call, by a folder, at a score or a size.',
    guides: ['optimize', 'cli', 'quality', 'formats', 'heic', 'metadata'],
  },
  {
    title: 'Deliver by URL',
    about: 'Signed URLs of a bucket, a folder or a web server, in any size and format, from a cache.',
    guides: ['delivery', 'sources', 'caching'],
  },
  {
    title: 'Responsive pictures',
    about: 'Widths, srcset and picture elements; several sizes from one upload.',
    guides: ['shop', 'recipes', 'steps'],
  },
  {
    title: 'Use it in a framework or program',
    about: 'Next, Nuxt, Astro and unpic; TypeScript, Python, Go, Java; uploads that resume.',
    guides: ['frameworks', 'clients', 'python', 'uploads'],
  },
  {
    title: 'Move from another service',
    about: 'Cloudinary, imgix, imgproxy, TinyPNG and others: your call there, and here.',
    guides: ['from-elsewhere', 'from-cloudinary', 'from-imgix', 'imgproxy', 'tinify'],
  },
  {
    title: 'AI: words and backgrounds',
    about: 'Alternative texts, file names, crops and cut-outs; tools for agents.',
    guides: ['ai', 'background', 'mcp'],
  },
  {
    title: 'Work through a whole folder',
    about: 'A ZIP in, a ZIP out, with progress, and a call when it is done.',
    guides: ['batch', 'webhooks'],
  },
  {
    title: 'Operate it',
    about: 'Install, secure, back up, watch and grow a server; accounts and money.',
    guides: [
      'deployment',
      'configuration',
      'accounts',
      'tls',
      'security',
      'backup',
      'storage',
      'observability',
      'performance',
      'reliability',
      'scaling',
      'scale-out',
      'billing',
    ],
  },
]

export interface GuideGroup {
  readonly heading: string
  readonly guides: readonly Guide[]
}

/** The guides by task. */
export const guideGroups = (guides: readonly Guide[]): readonly GuideGroup[] =>
  tasks.map(({ title, guides: names }) => ({
    heading: title,
    guides: names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []),
  }))

/** What readers type who look for a guide, where it has other words for it. */
export const searchedBy: Readonly<Record<string, string>> = {
  accounts: 'sign in login password forgotten reset user plan',
  ai: 'alt text accessibility caption describe tags OpenAI Ollama smart crop upscale denoise',
  backup: 'restore upgrade migrate dump rotate secret',
  background: 'remove background cutout transparent remove.bg rembg',
  batch: 'ZIP bulk folder many files',
  billing: 'Stripe payment credits price',
  caching: 'CDN Cloudflare CloudFront purge invalidate max-age',
  cli: 'command line terminal npx folder shell CI',
  clients: 'SDK library npm JavaScript TypeScript Python Go Java PHP',
  configuration: 'settings environment variables .env',
  delivery: 'responsive srcset sizes picture retina dpr lazy image URL resize on the fly CDN signed f=auto',
  deployment: 'install Docker Compose Kubernetes systemd production',
  formats: 'favicon ICO SVG WebP AVIF JPEG XL JPG PNG GIF APNG TIFF BMP PSD RAW PDF support',
  frameworks:
    'Next.js React next/image Nuxt Vue Astro Svelte SvelteKit Remix Gatsby WordPress responsive srcset component loader',
  'from-cloudinary': 'migrate',
  'from-elsewhere': 'migrate sharp ImageMagick Squoosh TinyPNG remove.bg Kraken ShortPixel imgproxy imgix Cloudinary',
  'from-imgix': 'migrate',
  heic: 'HEIF iPhone',
  imgproxy: 'migrate thumbor',
  mcp: 'agent Claude Cursor LLM tool',
  metadata: 'EXIF GPS ICC IPTC XMP copyright C2PA privacy strip',
  observability: 'monitoring Prometheus Grafana metrics logs traces OpenTelemetry',
  optimize: 'compress shrink smaller reduce file size WebP AVIF PageSpeed Lighthouse lossless',
  performance: 'speed benchmark throughput memory',
  quality: 'SSIM SSIMULACRA2 Butteraugli target size visually lossless',
  recipes: 'thumbnail resize crop watermark several sizes pipeline preset favicon',
  scaling: 'workers replicas load balancer cluster',
  security: 'threat sandbox CORS SSRF limits',
  shop: 'responsive srcset product pictures thumbnails gallery',
  sources: 'S3 bucket folder web origin R2 MinIO',
  steps: 'resize crop rotate watermark blur sharpen trim gravity focal point',
  storage: 'S3 disk bucket volume',
  tinify: 'TinyPNG TinyJPG shrink compress',
  tls: 'HTTPS certificate reverse proxy nginx Caddy',
  uploads: 'tus resumable large file handle presigned',
  webhooks: 'callback notify signature',
}
