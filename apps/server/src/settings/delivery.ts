import { isAbsolute } from 'node:path'
import { type Setting, whole } from 'pixelmill/settings/setting'
import { z } from 'zod'

/** Parts of a list, separated by commas. */
const parts = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[^/\\\p{Cc}.][^/\\\p{Cc}]*)*$/u

const hexadecimal = z
  .string()
  .default('')
  .transform(parts)
  .refine((all) => all.every((text) => /^(?:[0-9a-f]{2})+$/i.test(text)), 'must be hexadecimal digits, two for each byte')
  .transform((all) => all.map((text) => Buffer.from(text, 'hex')))

const DIALECTS = ['imgproxy', 'imgix', 'cloudinary']

/** `shop=SECRET,blog=SECRET`, by the names of sources. */
const secretsOfSources = z
  .string()
  .default('')
  .transform((text) => parts(text).map((part) => /^([a-z0-9][a-z0-9-]{0,47})=(.+)$/.exec(part)))
  .refine((all) => all.every((match) => match !== null), 'must be like shop=SECRET,blog=SECRET, with names of sources')
  .transform((all) => new Map(all.flatMap((match) => (match ? [[match[1] ?? '', match[2] ?? ''] as const] : []))))

/** `name=option/option`; a name of '' where it is not. */
function presetOf(text: string): readonly [string, readonly string[]] {
  const [, name = '', options = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  return [name.trim(), options.trim().split('/')]
}

/** Images by URL, and the cache of them. */
export const deliverySettings = {
  DELIVERY_FOLDERS: {
    schema: z
      .string()
      .default('')
      .transform(parts)
      .refine((folders) => folders.every((folder) => isAbsolute(folder)), 'must be absolute paths, separated by commas'),
    otherwise: 'none',
    description:
      'Folders from which sources of administrators, and of accounts that one grants them to, may deliver images: absolute paths, with commas.',
  },
  DELIVERY_BUCKETS: {
    schema: z
      .string()
      .default('')
      .transform(parts)
      .refine((buckets) => buckets.every((bucket) => BUCKET.test(bucket)), 'must be like photos,media/public'),
    otherwise: 'none',
    description:
      'Buckets, or folders of them, that such sources may read with S3_ACCESS_KEY_ID: photos,media/public. It needs S3_BUCKET, and must not name it.',
  },
  DELIVERY_DIALECTS: {
    schema: z
      .string()
      .default('')
      .transform(parts)
      .refine((names) => names.every((name) => DIALECTS.includes(name)), `must be some of ${DIALECTS.join(', ')}, or left out`),
    otherwise: 'none',
    description:
      'imgproxy, imgix, cloudinary: answer their URLs too. See docs/imgproxy.md, docs/from-imgix.md and docs/from-cloudinary.md.',
  },
  IMGPROXY_KEY: {
    schema: hexadecimal,
    otherwise: 'needed with DELIVERY_DIALECTS=imgproxy',
    description: 'Key of signatures in hexadecimal digits; several with commas, each with its salt.',
    secret: true,
  },
  IMGPROXY_SALT: {
    schema: hexadecimal,
    otherwise: 'needed with DELIVERY_DIALECTS=imgproxy',
    description: 'Salt of signatures in hexadecimal digits.',
    secret: true,
  },
  IMGPROXY_PRESETS: {
    schema: z
      .string()
      .default('')
      .transform((text) => new Map(parts(text).map(presetOf)))
      .refine((presets) => !presets.has(''), 'must be like small=rs:fit:200:200/q:70,default=sh:0.5'),
    otherwise: 'none',
    description: 'Presets of imgproxy’s URLs: small=rs:fit:200:200/q:70,default=sh:0.5.',
  },
  IMGPROXY_BASE_URL: {
    schema: z.string().default(''),
    otherwise: 'none',
    description: 'What precedes originals that do not begin with it.',
  },
  IMGPROXY_LOCAL_FILESYSTEM_ROOT: {
    schema: z
      .string()
      .refine((text) => isAbsolute(text), 'must be an absolute path')
      .optional(),
    otherwise: 'local:/// is not answered',
    description: 'The folder that local:/// names; sources of the type folder are it, or below it.',
  },
  IMGPROXY_BASE64_URL_INCLUDES_FILENAME: {
    schema: z.stringbool('must be true or false').default(false),
    otherwise: 'false',
    description: 'Whether the last part of an encoded original’s path is only a name for search engines.',
  },
  IMGPROXY_WATERMARK_PATH: {
    schema: z
      .string()
      .refine((text) => isAbsolute(text), 'must be an absolute path')
      .optional(),
    otherwise: 'watermarks of imgproxy’s URLs are refused',
    description: 'The picture of the option watermark.',
  },
  IMGIX_TOKENS: {
    schema: secretsOfSources,
    otherwise: 'the secrets of the sources',
    description: 'What signed their URLs at imgix too: shop=TOKEN,blog=TOKEN.',
    secret: true,
  },
  CLOUDINARY_API_SECRETS: {
    schema: secretsOfSources,
    otherwise: 'the secrets of the sources',
    description: 'What signed their URLs at Cloudinary too: shop=SECRET,blog=SECRET.',
    secret: true,
  },
  DELIVERY_OPEN_SOURCES: {
    schema: z.string().default('').transform(parts),
    otherwise: 'none',
    description:
      'Sources whose URLs of imgix and Cloudinary need no signature: anyone can have any picture made of them, each of which is a call.',
  },
  DELIVERY_REFINE: {
    schema: z.enum(['on', 'off']).default('on'),
    otherwise: 'on',
    description:
      'With f=auto, on encodes a new image quickly and a popular one again in fewer bytes, while no renderer has other work. off encodes each once, at the effort balanced.',
  },
  DELIVERY_REFINE_AFTER: {
    schema: whole(1, 1_000_000).default(10),
    otherwise: '10',
    description: 'Answers from the cache of one server after which an image is popular.',
  },
  CACHE_MAX_GB: {
    schema: whole(0, 100_000).default(10),
    otherwise: '10',
    description:
      'Gibibytes of delivered images to keep in the folder for files; those used longest ago are removed. 0 keeps none. In a bucket a lifecycle rule does it: docs/caching.md.',
  },
  CACHE_MEMORY_MB: {
    schema: whole(0, 65_536).default(64),
    otherwise: '64',
    description: 'Mebibytes of delivered images of up to 256 KiB to keep in memory too.',
  },
} as const satisfies Record<string, Setting>
