import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import { writeHeics } from '@pixelmill/codecs/test/photographs/write-heics'
import sharp from 'sharp'
import type { PlannedRequest } from '../load/load-plan.ts'

/** An endless load from one account. */
export interface Attack {
  readonly name: string
  readonly request: PlannedRequest
  /** Concurrent requests. */
  readonly atOnce: number
  /** Whether it waits as Retry-After says; otherwise it retries at once. */
  readonly waits?: true
  /** A setting of the server; 60 by default. */
  readonly timeoutSeconds?: number
}

/** The request of the other account, sent one at a time. */
export interface SmallWork {
  readonly name: string
  readonly request: PlannedRequest
}

const upload = (operation: string, image: string, fields: Readonly<Record<string, string>> = {}): PlannedRequest => ({
  path: `/api/v1/${operation}`,
  files: { image },
  fields,
})

/** Makes the files of both accounts in a folder. */
export async function planFairness(photographs: Photographs, folder: string) {
  mkdirSync(folder, { recursive: true })
  const write = async (name: string, bytes: Promise<Buffer> | Buffer) => {
    const file = join(folder, name)
    writeFileSync(file, await bytes)
    return file
  }
  const { medium, large, small } = photographs.files
  const medium1 = medium[0] ?? ''
  const large1 = large[0] ?? ''
  const icon = small[0] ?? ''
  const huge = await write('24mp.jpg', sharp(large1).resize(6_000, 4_000, { fit: 'cover' }).jpeg({ quality: 90 }).toBuffer())
  const dot = await write('8px.png', sharp(icon).resize(8, 8).png().toBuffer())
  const frame = await sharp(medium1).resize(400, 300, { fit: 'cover' }).png().toBuffer()
  const film = await write(
    'film.gif',
    sharp(
      Array.from({ length: 100 }, () => frame),
      { join: { animated: true } },
    )
      .gif()
      .toBuffer(),
  )
  const [heic = ''] = await writeHeics([medium1], folder)
  const icons = upload('convert', icon, { format: 'png', width: '32' })
  const attacks: readonly Attack[] = [
    { name: '8 optimizes of 24 MP', request: upload('optimize', huge), atOnce: 8 },
    { name: '200 icons at once, tried again at once', request: icons, atOnce: 200 },
    { name: '200 icons at once, waiting as Retry-After says', request: icons, atOnce: 200, waits: true },
    { name: '60 full-size WebP of 2 MP at once', request: upload('convert', medium1, { format: 'webp' }), atOnce: 60 },
    { name: '8 HEIC of 2 MP, written as HEIC', request: upload('resize', heic, { width: '1500', height: '1500' }), atOnce: 8 },
    { name: '8 AVIF of 12 MP', request: upload('convert', large1, { format: 'avif' }), atOnce: 8 },
    { name: '8 GIFs of 100 frames, resized', request: upload('resize', film, { width: '300', height: '300' }), atOnce: 8 },
    { name: '8 optimizes of 24 MP that time out after 1 s', request: upload('optimize', huge), atOnce: 8, timeoutSeconds: 1 },
  ]
  const smallWork: readonly SmallWork[] = [
    { name: 'PNG of 8 pixels', request: upload('convert', dot, { format: 'png' }) },
    { name: '2 MP JPEG → 512 px', request: upload('convert', medium1, { format: 'jpeg', width: '512' }) },
  ]
  return { attacks, smallWork }
}
