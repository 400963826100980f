import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'

/** Why an image of several could not be made. */
export const itemError = z.object({ code: z.string(), message: z.string() }).meta(component('ItemError'))
