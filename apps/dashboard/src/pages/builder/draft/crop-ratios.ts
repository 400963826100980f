import type { Size } from '../../playground/geometry.ts'

/** Ratios that the frame of a crop can keep; the first is free, the last that of the picture. */
export const cropRatios = [
  { value: '', label: 'Free' },
  ...['1:1', '4:3', '3:2', '16:9', '9:16', '1.91:1'].map((value) => ({ value, label: value })),
  { value: 'original', label: 'As the picture' },
]

/** Width divided by height; undefined for a free frame. */
export function ratioOf(name: string, picture: Size): number | undefined {
  if (name === 'original') return picture.width / picture.height
  const [across, down] = name.split(':').map(Number)
  return across && down ? across / down : undefined
}
