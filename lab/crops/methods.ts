import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { focus } from '@pixelmill/engine/tasks/crops'
import { croppingAround, largestWindow } from '@pixelmill/vision/salience/crop-around'
import { salientSubject } from '@pixelmill/vision/salience/salient-subject'
import type { Rectangle } from '@pixelmill/vision/salience/subject'
import sharp from 'sharp'
import type { MattedPhotograph } from './matted-photographs.ts'

type Method = (photograph: MattedPhotograph, ratio: number) => Promise<Rectangle>

/** The service without a model crops so. */
async function service({ file, width, height }: MattedPhotograph, ratio: number): Promise<Rectangle> {
  const image = await openImage(file, await readHeader(file), codecs.png)
  const { report, files } = await focus.run(image, {}, [])
  const map = { width: report.mapWidth, height: report.mapHeight, data: files[0] ?? Buffer.alloc(0) }
  return croppingAround({ width, height }, salientSubject(map, { width, height }))(ratio)
}

async function centre(image: MattedPhotograph, ratio: number): Promise<Rectangle> {
  const middle = { x: image.width / 2, y: image.height / 2 }
  return croppingAround(image, { box: null, focus: middle, confidence: 0 })(ratio)
}

/** sharp's own strategies, located by the reported crop offset. */
const byStrategy =
  (position: string | number): Method =>
  async ({ file, width, height }, ratio) => {
    const window = largestWindow({ width, height }, ratio)
    const { info } = await sharp(file)
      .resize({ ...window, fit: 'cover', position })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return { x: Math.abs(info.cropOffsetLeft ?? 0), y: Math.abs(info.cropOffsetTop ?? 0), ...window }
  }

export const methods: Readonly<Record<string, Method>> = {
  'smart-crop without a model': service,
  centre,
  "sharp's attention": byStrategy(sharp.strategy.attention),
  "sharp's entropy": byStrategy(sharp.strategy.entropy),
}
