import type { StepRow } from '../../src/recipe/step.ts'
import { steps } from '../../src/recipe/steps/index.ts'

/** Random recipes of a seed, as a client may send them. */

type Random = () => number

export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value

const whole = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))

const gravityOf = (random: Random) => pick(random, ['center', 'northwest', 'south', 'subject', { x: 0.2, y: 0.9 }])

/** Steps whose files or models a random recipe has not, or which take seconds. */
const leftOut: readonly string[] = ['watermark', 'removeBackground', 'enhance']

const variations: Readonly<Record<string, (random: Random) => object>> = {
  crop: (random) => ({
    ...(random() < 0.5 ? { x: whole(random, 0, 40), y: whole(random, 0, 40) } : { gravity: gravityOf(random) }),
    width: whole(random, 1, 60),
    height: whole(random, 1, 60),
  }),
  resize: (random) => ({
    ...(random() < 0.8 && { width: whole(random, 1, 200) }),
    height: whole(random, 1, 200),
    ...(random() < 0.7 && { fit: pick(random, ['inside', 'cover', 'contain', 'fill', 'outside']) }),
    ...(random() < 0.3 && { gravity: gravityOf(random) }),
    ...(random() < 0.2 && { enlarge: false }),
  }),
  rotate: (random) => ({ angle: pick(random, [0, 90, 180, 270, 360, whole(random, 1, 359)]) }),
  blur: (random) => ({ sigma: whole(random, 1, 5) }),
  trim: (random) => ({ ...(random() < 0.5 && { threshold: whole(random, 0, 60) }) }),
  extend: (random) => ({
    left: whole(random, 0, 20),
    bottom: whole(random, 0, 20),
    ...(random() < 0.5 && { background: '#F00' }),
  }),
  sharpen: (random) => ({ ...(random() < 0.5 && { amount: 2 }) }),
}

/** Every other step, with its example where nothing varies it. */
const step: Readonly<Record<string, (random: Random) => object>> = Object.fromEntries(
  Object.entries<StepRow>(steps)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, { example }]) => [name, variations[name] ?? (() => example as object)]),
)

const stepsOf = (random: Random, most: number) =>
  Array.from({ length: whole(random, 0, most) }, () => {
    const name = pick(random, Object.keys(step))
    return { [name]: step[name]?.(random) }
  })

/** A recipe of up to four shared steps and three outputs. */
export function randomRecipe(random: Random) {
  const outputs = Array.from({ length: whole(random, 1, 3) }, (_, nth) => ({
    name: `output-${nth}`,
    ...(random() < 0.7 && { format: pick(random, ['same', 'webp', 'jpeg', 'png', 'gif', 'tiff', 'auto']) }),
    ...(random() < 0.5 && { quality: whole(random, 1, 100) }),
    ...(random() < 0.5 && { steps: stepsOf(random, 2) }),
    ...(random() < 0.2 && { dpr: pick(random, [1, 2, 0.5]) }),
  }))
  return { ...(random() < 0.8 && { steps: stepsOf(random, 4) }), ...(random() < 0.9 && { outputs }) }
}
