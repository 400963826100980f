import { z } from 'zod'
import { carriedFields } from '../recipe/fields.ts'
import { region } from '../recipe/steps/crop.ts'
import { defineOperation, oneOutput } from './operation.ts'

export const crop = defineOperation({
  summary: 'Extract a rectangular region.',
  description: 'Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept.',
  params: z.object({ ...region, ...carriedFields }),
  files: ['image'],
  stem: 'cropped',
  recipe: ({ x, y, width, height, ...output }) => oneOutput([{ name: 'crop', params: { x, y, width, height } }], output),
})
