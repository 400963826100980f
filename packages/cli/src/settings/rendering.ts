import { availableParallelism } from 'node:os'
import { heicWriters } from '@pixelmill/codecs/programs'
import { z } from 'zod'
import { type Setting, whole } from './setting.ts'

const SWITCH = ['on', 'off'] as const
const cores = availableParallelism()

/** The renderers, and the limits of an image. */
export const renderingSettings = {
  RENDERERS: {
    schema: whole(1, 256).default(cores),
    otherwise: 'the number of cores',
    description:
      'Renderer processes for short work. Long work and batches start as many of their own at a lower priority. One is kept; the others start on demand and end after five minutes without work.',
  },
  RENDER_QUEUE: {
    schema: whole(1, 10_000).default(72),
    otherwise: '72',
    description: 'Images that may wait for a renderer, seven eighths of one account; above that the answer is server_busy.',
  },
  RENDER_TIMEOUT_S: {
    schema: whole(1, 3_600).default(60),
    otherwise: '60',
    description:
      'Seconds that one image may take, else conversion_failed. For long work these are CPU seconds, in up to four times as much time. Operations such as enhancing get more for large images.',
  },
  RENDER_MEMORY_MB: {
    schema: whole(1_024, 65_536).default(3_072),
    otherwise: '3072',
    description:
      'Mebibytes of private memory of one renderer (Linux); an 80-megapixel AVIF takes 2,500, Node itself reserves 600.',
  },
  HEIC: {
    schema: z.enum(SWITCH, `must be one of ${SWITCH.join(', ')}`).default('on'),
    otherwise: 'on',
    description: 'Whether HEIC images are accepted; set off if patents on HEVC forbid it.',
  },
  HEIC_WRITER: {
    schema: z.enum(['auto', ...heicWriters], `must be one of auto, ${heicWriters.join(', ')}`).default('auto'),
    otherwise: 'auto: heif-enc if it is on the PATH, else elheif',
    description: 'HEIC encoder: heif-enc, elheif (one fixed quality), or none, which sends JPEG, or PNG for transparency.',
  },
  C2PA_CERTIFICATE: {
    schema: z.string().optional(),
    otherwise: 'C2PA manifests of sources are removed',
    description:
      'PEM file with a certificate for C2PA and those that vouch for it: images made of ones with a manifest get a new one. See docs/metadata.md.',
  },
  C2PA_PRIVATE_KEY: {
    schema: z.string().optional(),
    otherwise: 'none',
    description: 'PEM file with the private key of that certificate, without a passphrase.',
  },
} as const satisfies Record<string, Setting>
