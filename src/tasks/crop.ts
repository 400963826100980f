import { z } from 'zod'
import { region } from '../recipe/steps/crop.ts'
import { defineOperation, oneOutput } from './operation.ts'

export const crop = defineOperation({
  summary: 'Extract a rectangular region.',
  description: 'Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept.',
  params: z.object(region),
  files: ['image'],
  stem: 'cropped',
  recipe: (params) => oneOutput([{ name: 'crop', params }]),
})
