import sharp, { type Sharp } from 'sharp'
import { type Answer, form, read } from './call.ts'

/** A call of POST /api/background-remove. @param token an API key or a login token */
export const removeBackground = async (
  url: string,
  token: string,
  image: Buffer | undefined,
  fields: Parameters<typeof form>[0] = {},
  init: RequestInit = {},
): Promise<Answer> =>
  read(
    await fetch(`${url}/api/background-remove`, {
      method: 'POST',
      body: form(fields, image ? { image } : {}),
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    }),
  )

/** A red ball in front of a grey studio wall, which every remover can separate. The ball is in the middle. */
export const studio = (width = 240, height = 160): Sharp =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <rect width="100%" height="100%" fill="#dcdcd8"/><circle cx="50%" cy="50%" r="${0.32 * Math.min(width, height)}" fill="#b02818"/></svg>`),
  ).removeAlpha()

/** The account's removals as three response headers report them. */
export const quotaOf = ({ headers }: Answer) => ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-background-${name}`))

/** Noise without a subject, so that no remover is confident. */
export const clutter = (width = 96, height = 64): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
