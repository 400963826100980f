import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choose } from '../../src/enhance/choose.ts'

const survey = (deviation: number, sigma: number, { anisotropy = 1, coarseness = 1.1, steepness = 0.4 } = {}) => ({
  noise: [1, 2, 3].map(() => ({ deviation, coarseness })),
  softness: { sigma, anisotropy },
  steepness,
})
const photograph = { megapixels: 1, shorterSide: 800, drawn: false, jpegQuality: 100 }
const drawing = { megapixels: 1, shorterSide: 800, drawn: true, jpegQuality: 100 }
const icon = { megapixels: 0.04, shorterSide: 200, drawn: false, jpegQuality: 100 }
const cases = [
  ['nothing is done to a good picture', survey(1, 0.4), 'auto', []],
  ['nor when asked to clean it', survey(1, 0.4), 'denoise', []],
  ['nor when asked to sharpen it', survey(1, 0.4), 'deblur', []],
  ['noise is taken away', survey(5, 0.4), 'auto', ['denoise']],
  ['a soft picture is sharpened', survey(0.2, 1.5), 'auto', ['deblur']],
  ['and cleaned before, as sharpening lifts noise', survey(1, 1.5), 'auto', ['denoise', 'deblur']],
  ['a shaken one is not', survey(1, 1.5, { anisotropy: 2 }), 'auto', []],
  ['nor when asked to', survey(1, 1.5, { anisotropy: 2 }), 'deblur', []],
  ['one whose edges are steps is not', survey(1, 1.1, { steepness: 0.8 }), 'auto', []],
  ['nor when asked to be', survey(1, 1.1, { steepness: 0.8 }), 'deblur', []],
  ['but noise is taken away', survey(5, 1.5, { anisotropy: 2 }), 'auto', ['denoise']],
  ['slight noise and blur are left alone unless asked', survey(2, 0.8), 'auto', []],
  ['slight noise is removed when asked', survey(2, 0.8), 'denoise', ['denoise']],
  ['or for sharper edges', survey(0.5, 0.8), 'deblur', ['deblur']],
  ['a larger picture is always to be had', survey(0, 0), 'upscale', ['upscale']],
  ['but not with larger noise', survey(5, 0.5), 'upscale', ['denoise', 'upscale']],
  ['what may be texture stays', survey(9, 0.5, { coarseness: 2 }), 'auto', []],
  ['in larger pictures too', survey(9, 0.5, { coarseness: 2 }), 'upscale', ['upscale']],
  ['unless it is called noise', survey(9, 0.5, { coarseness: 2 }), 'denoise', ['denoise']],
  ['what is fine in a soft picture is no texture', survey(2, 1.5, { coarseness: 2 }), 'auto', ['denoise', 'deblur']],
  ['a drawing is as it is meant to be', survey(9, 1.5), 'auto', [], drawing],
  ['its steps count as soft, but are not', survey(0, 1.04), 'deblur', [], drawing],
  ['unless they are softer than steps', survey(0, 1.5), 'deblur', ['deblur'], drawing],
  ['in less than a block there is nothing to clean', survey(9, 0), 'denoise', [], { ...photograph, shorterSide: 7 }],
  ['of an icon too little is known', survey(9, 1.5), 'auto', [], icon],
  ['but what is asked for is done', survey(9, 1.5), 'denoise', ['denoise'], icon],
] as const

for (const [what, findings, mode, names, subject = photograph] of cases) {
  test(what, () => {
    assert.deepEqual(
      choose(findings, subject, { mode, intensity: 2 }).map(({ name }) => name),
      names,
    )
  })
}

test('a higher intensity does more of everything', () => {
  const findings = survey(10, 1.5)
  const [light, medium, strong] = ([1, 2, 3] as const).map((intensity) => {
    const [denoise, deblur] = choose(findings, photograph, { mode: 'deblur', intensity })
    assert.ok(denoise?.name === 'denoise' && deblur?.name === 'deblur')
    // What a blur lets nothing of through is lifted by this much.
    return { noise: denoise.params.noise[0] ?? 0, finest: deblur.params.beta }
  })
  assert.ok(light && medium && strong)
  assert.ok(light.noise < medium.noise && medium.noise < strong.noise)
  assert.ok(light.finest < medium.finest && medium.finest < strong.finest)
})

test('denoising on request removes JPEG artefacts according to the quality', () => {
  const deviations = (jpegQuality: number, mode: 'denoise' | 'auto') =>
    choose(survey(0.2, 0), { ...photograph, jpegQuality }, { mode, intensity: 2 }).map(
      ({ params }) => 'noise' in params && params.noise,
    )
  assert.deepEqual(deviations(60, 'denoise'), [[5, 5, 5]])
  assert.deepEqual(deviations(30, 'denoise'), [[9.29, 9.29, 9.29]])
  assert.deepEqual(deviations(90, 'denoise'), [])
  assert.deepEqual(deviations(30, 'auto'), [])
})

test('intensity sets the strength, and large pictures never take a minute', () => {
  const [light] = choose(survey(10, 0), photograph, { mode: 'denoise', intensity: 1 })
  assert.deepEqual(light, { name: 'denoise', params: { noise: [8, 8, 8], stride: 4 } })
  const [strong] = choose(survey(10, 0), photograph, { mode: 'denoise', intensity: 3 })
  assert.deepEqual(strong, { name: 'denoise', params: { noise: [13, 13, 13], stride: 2 } })
  const [large] = choose(survey(10, 0), { ...photograph, megapixels: 20 }, { mode: 'denoise', intensity: 3 })
  assert.equal(large?.name === 'denoise' && large.params.stride, 4)
})
