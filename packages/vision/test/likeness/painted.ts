import type { Raster } from '@pixelmill/codecs/pixels/raster'

/** A picture made of sums: a gradient, waves that grow finer to the right, and discs of one colour. The same on every machine. */
export function paintPicture(width: number, height: number): Raster {
  const data = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const u = x / width
      const v = y / height
      const wave = Math.sin(30 * u * u + 9 * v) * 40
      const disc = (u - 0.3) ** 2 + (v - 0.6) ** 2 < 0.03
      const box = u > 0.6 && u < 0.85 && v > 0.2 && v < 0.45
      const colour = disc
        ? [200, 60, 40]
        : box
          ? [30, 90, 200]
          : [60 + 120 * u + wave, 90 + 100 * v + wave, 150 - 80 * u + wave / 2]
      data.set(colour.map(clamp), (y * width + x) * 3)
    }
  }
  return { data, width, height, channels: 3 }
}

export const damages = ['noise', 'blurred', 'blocks', 'faded', 'mirrored'] as const
export type Damage = (typeof damages)[number]

/** @param picture RGB */
export function damagePicture({ data, width, height, channels }: Raster, damage: Damage): Raster {
  const samples = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const at = (column: number, row: number) =>
          data[(Math.min(row, height - 1) * width + Math.min(column, width - 1)) * channels + channel] as number
        samples[(y * width + x) * channels + channel] = clamp(changeSample(damage, at, x, y, width))
      }
    }
  }
  return { data: samples, width, height, channels }
}

function changeSample(damage: Damage, at: (column: number, row: number) => number, x: number, y: number, width: number): number {
  switch (damage) {
    case 'noise':
      return at(x, y) + (((x * 7919 + y * 104_729 + x * y) % 17) - 8)
    case 'blurred':
      return (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4
    case 'blocks':
      return at(x - (x % 4), y - (y % 4))
    case 'faded':
      return at(x, y) * 0.97 + 3
    case 'mirrored':
      return at(width - 1 - x, y)
  }
}

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)))
