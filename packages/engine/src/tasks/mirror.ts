import { z } from 'zod'
import { carriedFields } from '../recipe/fields.ts'
import { defineOperation, oneOutput } from './operation.ts'

const mirror = (name: 'flip' | 'flop', summary: string, stem: string) =>
  defineOperation({
    summary,
    description:
      'Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept.',
    params: z.object(carriedFields),
    files: ['image'],
    stem,
    recipe: (output) => oneOutput([{ name, params: {} }], output),
  })

export const flip = mirror('flip', 'Mirror an image top to bottom.', 'flipped')

export const flop = mirror('flop', 'Mirror an image left to right.', 'flopped')
