import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { runTask } from '@pixelmill/engine/test/support/run-task'
import { cloudinaryRecipe } from '../cloudinary/plan.ts'
import { readComponent } from '../cloudinary/read-component.ts'
import type { PlannedRecipe } from '../dialects/prepare.ts'
import { imgixRecipe } from '../imgix/plan.ts'
import { readImgixParameters } from '../imgix/read-parameters.ts'

/** The sizes of results, as the documentation of the services states them, of pictures that are made by the recipes. */

const sizeOf = async ({ recipe }: PlannedRecipe, source: Buffer): Promise<string> => {
  const [image] = writtenImages(await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, source))
  return `${image?.width}x${image?.height}`
}

const sides = (size: string) => {
  const [width = 0, height = 0] = size.split('x').map(Number)
  return { width, height, orientation: 1 }
}

/** Parameters, by the size of the original, and what they give. */
type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

const imgix: Table = {
  '300x200': {
    'w=100&h=100': '100x67',
    'fit=clip&w=100&h=100': '100x67',
    'fit=clip&w=600&h=600': '600x400',
    'w=600': '600x400',
    'h=100': '150x100',
    'w=0.5': '150x100',
    'fit=max&w=100&h=100': '100x67',
    'fit=max&w=600&h=600': '300x200',
    'fit=max&w=600': '300x200',
    'fit=crop&w=300&h=100': '300x100',
    'fit=crop&w=200&h=200': '200x200',
    'fit=crop&w=600&h=600': '600x600',
    'fit=crop&w=150': '150x100',
    'fit=crop&w=100&h=100&dpr=2': '200x200',
    'fit=crop&ar=2:1&w=280': '280x140',
    'fit=crop&ar=1:1': '200x200',
    'fit=crop&crop=focalpoint&fp-x=0.2&fp-y=0.2&fp-z=2&w=100&h=80': '100x80',
    'fit=crop&max-w=100&max-h=100': '100x100',
    'fit=crop&max-w=100&h=100': '100x100',
    'fit=crop&min-w=400&h=100': '400x100',
    'fit=crop&min-h=300&w=100': '100x300',
    'fit=min&w=100&h=100': '100x100',
    'fit=min&w=600&h=600': '200x200',
    'fit=min&w=600&h=100': '300x50',
    'fit=scale&w=100&h=300': '100x300',
    'fit=fill&w=600&h=600': '600x600',
    'fit=fill&w=100&h=100': '100x100',
    'fit=fillmax&w=400&h=400': '400x400',
    'fit=fillmax&w=400&h=150': '400x150',
    'fit=fillmax&w=400': '400x267',
    'fit=fillmax&w=400&h=400&fill-max=source': '300x200',
    'fit=fillmax&w=400&h=150&fill-max=source': '300x150',
    'fit=fillmax&w=400&fill-max=source': '300x200',
    'rect=10,20,100,50': '100x50',
    'rect=250,150,100,100': '50x50',
    'rect=0.5,0.5,0.5,0.5': '150x100',
    'rect=right,bottom,100,50&w=50': '50x25',
    'pad=20': '340x240',
    'pad-top=5&pad-right=6&pad-bottom=7': '306x212',
    'pad=20&w=100&h=100': '100x80',
    'pad=10&pad-left=0&w=100&h=100&fit=crop': '100x100',
    'rot=90&w=150': '150x100',
    'rot=30': '300x200',
    'or=90': '200x300',
    'flip=hv&w=30': '30x20',
  },
  '900x270': { 'fit=crop&ar=9:1': '900x100', 'fit=crop&w=900&h=100': '900x100' },
  '532x800': { 'fit=fillmax&w=800&h=800': '800x800', 'fit=fillmax&w=800&h=800&fill-max=source': '532x800' },
}

const cloudinary: Table = {
  '1280x853': {
    'c_scale,w_150': '150x100',
    'c_scale,w_150,h_150': '150x150',
    'w_150,h_150': '150x150',
    'c_scale,w_0.25': '320x213',
    'c_scale,ar_1.0,w_150': '150x150',
    'c_fit,w_250,h_250': '250x167',
    'c_limit,w_250,h_250': '250x167',
    'c_mfit,w_250,h_250': '1280x853',
    'c_fill,w_250,h_250': '250x250',
    'c_fill,ar_1.5,w_300': '300x200',
    'c_fill,w_250,h_250,g_auto,dpr_2.0': '500x500',
    'c_fill,w_250': '250x167',
    'c_lfill,w_250,h_250': '250x250',
    'c_pad,w_250,h_250,b_brown': '250x250',
    'c_pad,ar_1.5,h_200': '300x200',
    'c_lpad,w_250,h_250': '250x250',
    'c_mpad,w_250,h_250': '1280x853',
    'c_crop,w_300,h_200': '300x200',
    'c_crop,w_300,h_200,x_1100,y_10': '180x200',
    'c_crop,w_300,h_200,g_south_east,x_10,y_10': '300x200',
    'c_crop,w_0.5,h_0.5': '640x427',
    'c_crop,h_200': '1280x200',
    'c_crop,ar_1:1': '853x853',
    'c_thumb,w_150,h_100': '150x100',
    'c_auto,w_150,h_100': '150x100',
    'c_crop,w_1000,h_800,x_0,y_0/c_fill,ar_1:1,w_200': '200x200',
    'w_100,h_50,c_fill/a_90': '50x100',
    'a_hflip.vflip/w_100': '100x67',
    'c_scale,w_iw': '1280x853',
    'c_pad,h_53,w_95,dpr_2.0/c_pad,h_53,w_95': '190x106',
  },
  '640x427': {
    'c_scale,w_800': '800x534',
    'c_fit,w_1000,h_1000': '1000x667',
    'c_limit,w_1000,h_1000': '640x427',
    'c_limit,w_1000': '640x427',
    'c_mfit,w_1000,h_1000': '1000x667',
    'c_fill,w_1000,h_1000': '1000x1000',
    'c_lfill,w_1000,h_200': '640x200',
    'c_pad,w_1000,h_1000': '1000x1000',
    'c_lpad,w_1000,h_1000': '1000x1000',
    'c_mpad,w_1000,h_1000': '1000x1000',
    'c_crop,w_1000,h_200': '640x200',
    'c_pad,ar_1:1': '640x640',
    'c_fill,ar_1:1': '427x427',
  },
}

const recipes = {
  imgix: (text: string, size: string) => imgixRecipe(readImgixParameters(text).options, sides(size)),
  cloudinary: (text: string, size: string) => cloudinaryRecipe(text.split('/').map(readComponent), sides(size)),
}
for (const [name, tables] of Object.entries({ imgix, cloudinary }))
  for (const [size, table] of Object.entries(tables))
    describe(`${name}, of ${size}`, async () => {
      const { width, height } = sides(size)
      const source = await solid(width, height, '#336699').png().toBuffer()
      for (const [text, result] of Object.entries(table))
        test(`${text} is ${result}`, async () =>
          assert.equal(await sizeOf(recipes[name as keyof typeof recipes](text, size), source), result))
    })
