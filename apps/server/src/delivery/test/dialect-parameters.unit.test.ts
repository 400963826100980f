import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { isRefusal } from '../../contract/api-error.ts'
import { cloudinaryRecipe } from '../cloudinary/plan.ts'
import { cloudinaryParameters, readComponent } from '../cloudinary/read-component.ts'
import { imgixRecipe } from '../imgix/plan.ts'
import { imgixParameters, readImgixParameters } from '../imgix/read-parameters.ts'

/** What the parameters of imgix and Cloudinary mean as a recipe of an original of 300 × 200, and which values are refused. */

const original = { width: 300, height: 200, orientation: 6 }
const recipes = {
  imgix: (text: string) => imgixRecipe(readImgixParameters(text).options, original).recipe,
  cloudinary: (text: string) => cloudinaryRecipe(text.split('/').map(readComponent), original).recipe,
}
type Dialect = keyof typeof recipes

const meanings: Readonly<Record<Dialect, Readonly<Record<string, object>>>> = {
  imgix: {
    'w=150': { steps: [{ resize: { width: 150, height: 100, fit: 'fill' } }] },
    'w=300': { steps: [] },
    'w=100&h=100&fit=crop&crop=top,left': {
      steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'northwest' } }],
    },
    'w=100&h=100&fit=crop&crop=faces,top': { steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'subject' } }] },
    'w=100&h=100&fit=crop&crop=focalpoint&fp-x=0.2&fp-y=0.7': {
      steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: { x: 0.2, y: 0.7 } } }],
    },
    'w=300&h=400&fit=fill&fill=solid&fill-color=tomato': {
      steps: [{ extend: { top: 100, bottom: 100, background: '#ff6347' } }],
    },
    'bri=20&sat=-50&hue=90': {
      steps: [{ modulate: { lightness: 10 } }, { modulate: { saturation: 0.5 } }, { modulate: { hue: 90 } }],
    },
    'sharp=40&usm=20&usmrad=4': { steps: [{ sharpen: { sigma: 1, amount: 2 } }, { sharpen: { sigma: 4, amount: 1 } }] },
    'blur=50': { steps: [{ blur: { sigma: 5 } }] },
    'blur=2': { steps: [] },
    'con=20&vib=30&invert=true&sepia=50&px=8': {
      steps: [
        { contrast: { amount: 20 } },
        { vibrance: { amount: 30 } },
        { negate: {} },
        { sepia: { amount: 50 } },
        { pixelate: { size: 8 } },
      ],
    },
    'mask=corners&corner-radius=10,10,10,10': { steps: [{ roundCorners: { radius: 10 } }] },
    'monochrome=ff4a4949': { steps: [{ tint: { color: '#4a4949' } }] },
    'bg=F00': { steps: [{ background: { color: '#ff0000' } }] },
    'bg=0FFF': { steps: [] },
    'flip=hv': { steps: [{ flop: {} }, { flip: {} }] },
    'orient=6': { steps: [{ rotate: { angle: 270 } }, { rotate: { angle: 90 } }] },
    'or=0': { steps: [{ rotate: { angle: 270 } }] },
    'rot=180': { steps: [{ rotate: { angle: 180 } }] },
    'fm=pjpg&q=60&cs=strip&chromasub=420': { format: 'jpeg', quality: 60 },
    'auto=format,compress&fm=jpg': { format: 'auto' },
    'fm=png&lossless=1': { format: 'png' },
    'trim=&txt=&con=0&vib=': {},
    'w64=MTUw': { steps: [{ resize: { width: 150, height: 100, fit: 'fill' } }] },
  },
  cloudinary: {
    w_150: { steps: [{ resize: { width: 150, height: 100, fit: 'fill' } }] },
    'c_fill,w_100,h_100,g_north_east': {
      steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'northeast' } }],
    },
    'c_fill,w_100,h_100,g_auto:faces': { steps: [{ resize: { width: 100, height: 100, fit: 'cover', gravity: 'subject' } }] },
    'c_crop,w_100,h_100,g_xy_center,x_30,y_0.5': { steps: [{ crop: { width: 100, height: 100, gravity: { x: 0.1, y: 0.5 } } }] },
    'c_crop,w_100,h_50,x_10,y_20': { steps: [{ crop: { x: 10, y: 20, width: 100, height: 50 } }] },
    'c_crop,w_100,h_50,g_south_east,x_10,y_20': { steps: [{ crop: { x: 190, y: 130, width: 100, height: 50 } }] },
    'c_lpad,w_300,h_300,g_north,b_rgb:3e2222': {
      steps: [{ extend: { bottom: 100, background: '#3e2222' } }, { background: { color: '#3e2222' } }],
    },
    'a_-90': { steps: [{ rotate: { angle: 270 } }] },
    'a_15,b_green': { steps: [{ rotate: { angle: 15, background: '#008000' } }, { background: { color: '#008000' } }] },
    a_vflip: { steps: [{ flip: {} }] },
    'e_blur:400/e_sharpen/e_unsharp_mask:200': {
      steps: [{ blur: { sigma: 10 } }, { sharpen: { sigma: 1, amount: 1 } }, { sharpen: { sigma: 1.5, amount: 2 } }],
    },
    'r_20/o_50/b_black': {
      steps: [{ roundCorners: { radius: 20 } }, { opacity: { percent: 50 } }, { background: { color: '#000000' } }],
    },
    'c_crop,w_100,h_100,r_max': {
      steps: [{ crop: { width: 100, height: 100, gravity: 'center' } }, { roundCorners: { radius: 'max' } }],
    },
    'e_contrast:20/e_vibrance/e_sepia/e_negate/e_pixelate:8': {
      steps: [
        { contrast: { amount: 20 } },
        { vibrance: { amount: 20 } },
        { sepia: { amount: 80 } },
        { negate: {} },
        { pixelate: { size: 8 } },
      ],
    },
    e_grayscale: { steps: [{ grayscale: {} }] },
    'e_saturation:-100/e_brightness:30/e_hue:50': {
      steps: [{ modulate: { saturation: 0 } }, { modulate: { lightness: 15 } }, { modulate: { hue: 90 } }],
    },
    e_background_removal: { steps: [{ removeBackground: {} }] },
    'f_jpg,q_60/cs_srgb,pg_1': { format: 'jpeg', quality: 60 },
    'f_auto/q_auto:eco/d_none.png': { format: 'auto', quality: 65 },
    'q_auto,fl_progressive.keep_iptc': { metadata: 'all' },
    'fl_keep_attribution,fl_immutable_cache': { metadata: 'copyright' },
    'dpr_2.0/w_50': { steps: [{ resize: { width: 100, height: 67, fit: 'fill' } }] },
  },
}
for (const [name, table] of Object.entries(meanings))
  describe(`meanings: ${name}`, () => {
    for (const [text, output] of Object.entries(table))
      test(text, () =>
        assert.equal(canonical(recipes[name as Dialect](text)), canonical(recipeSchema.parse({ outputs: [output] }))),
      )
  })

const refusals: Readonly<Record<Dialect, Readonly<Record<string, string>>>> = {
  imgix: {
    'w=-5': 'w',
    'w=0': 'w',
    'w=10001': 'w',
    'h=1e3': 'h',
    'w=9000&dpr=2': 'w',
    'dpr=0': 'dpr',
    'fit=facearea': 'fit',
    'fit=clamp': 'fit',
    'crop=nose': 'crop',
    'ar=0:1': 'ar',
    'fit=fill&ar=2:1': 'ar',
    'fp-x=2': 'fp-x',
    'rect=1,2,3': 'rect',
    'rect=1,2,0,4': 'rect',
    'flip=x': 'flip',
    'rot=x': 'rot',
    'or=9': 'or',
    'pad=60&w=100': 'pad',
    'sat=200': 'sat',
    'bg=nocolour': 'bg',
    'bg=80FFFFFF': 'bg',
    'fill=blur': 'fill',
    'fm=mp4': 'fm',
    'auto=enhance': 'auto',
    'q=high': 'q',
    'lossless=1': 'lossless',
    'cs=adobergb': 'cs',
    'txt=Hello': 'txt',
    'mask=ellipse': 'mask',
    'con=200': 'con',
    'corner-radius=1,2,3,4': 'corner-radius',
    'blend=ff0000': 'blend',
    'markrot=5': 'markrot',
    'constructor=1&duotone=1': 'duotone',
    'border=5,80ff0000': 'border',
  },
  cloudinary: {
    'w_-5': 'w',
    w_0: 'w',
    w_auto: 'w',
    w_iw_div_2: 'w',
    w_20000: 'w',
    'c_imagga_scale,w_5': 'c',
    'c_fill_pad,w_5,h_5': 'c',
    'c_thumb,g_face,w_50,h_50': 'g',
    g_custom: 'g',
    ar_x: 'ar',
    'ar_2:1,w_5,h_5,c_fill': 'ar',
    'ar_2:1': 'ar',
    a_auto_left: 'a',
    dpr_0: 'dpr',
    'dpr_2.0/dpr_3.0': 'dpr',
    'e_art:zorro': 'e',
    'e_blur:x': 'e_blur',
    q_jpegmini: 'q',
    q_101: 'q',
    f_mp4: 'f',
    'b_auto:border': 'b',
    'b_rgb:12': 'b',
    fl_getinfo: 'fl',
    pg_2: 'pg',
    bo_5px_dashed_red: 'bo',
    'l_text:Arial_20:Hi': 'l',
    r_max: 'r',
    if_w_gt_300: 'if',
    $w_5: '$',
    u_a: 'u',
    z_2: 'z',
    p_x: 'p',
    o_101: 'o',
    'r_1:2:3:4': 'r',
    constructor_5: 'constructor',
  },
}
for (const [name, table] of Object.entries(refusals))
  describe(`refusals: ${name}`, () => {
    for (const [text, parameter] of Object.entries(table))
      test(text, () =>
        assert.throws(
          () => recipes[name as Dialect](text),
          (error) => isRefusal(error) && error.code === 'invalid_params' && error.message.startsWith(`${parameter}: `),
        ),
      )
  })

test('a border is cut off where it was found, before the picture is turned', () => {
  const trimmedBox = { left: 30, top: 5, width: 200, height: 100 }
  const { recipe } = imgixRecipe(readImgixParameters('trim=auto&or=0').options, { ...original, trimmedBox })
  const steps = [{ crop: { x: 30, y: 5, width: 200, height: 100 } }, { rotate: { angle: 270 } }]
  assert.equal(canonical(recipe), canonical(recipeSchema.parse({ outputs: [{ steps }] })))
})

test('every row of the tables is tried', async () => {
  const files = ['dialect-parameters', 'dialect-sizes', 'dialect-overlays'].map(
    (name) => new URL(`${name}.unit.test.ts`, import.meta.url),
  )
  const text = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  const isImgixTried = (name: string) => new RegExp(`['?&]${name}=`).test(text)
  const isCloudinaryTried = (name: string) => new RegExp(`['/,]${name}_`).test(text)
  // These are checked by the dialect, with the answer.
  const elsewhere = ['expires', 't']
  const missingNames = [
    ...Object.keys(imgixParameters).filter((name) => !isImgixTried(name)),
    ...Object.keys(cloudinaryParameters).filter((name) => !isCloudinaryTried(name)),
  ]
  assert.deepEqual(
    missingNames.filter((name) => !elsewhere.includes(name)),
    [],
  )
})
