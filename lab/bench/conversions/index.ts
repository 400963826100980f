import type { Conversion } from './conversion.ts'

/** The conversions to compare, cheapest first. */
export const conversions: readonly Conversion[] = [
  {
    name: 'jpeg',
    title: '2 MP JPEG → 512 px JPEG',
    size: 'medium',
    rendering: { format: 'jpeg', width: 512 },
    block: 144,
    sweep: 240,
  },
  {
    name: 'webp',
    title: '2 MP JPEG → 512 px WebP',
    size: 'medium',
    rendering: { format: 'webp', width: 512 },
    block: 96,
    sweep: 240,
  },
  {
    name: 'avif',
    title: '2 MP JPEG → 512 px AVIF',
    size: 'medium',
    rendering: { format: 'avif', width: 512 },
    block: 24,
    sweep: 96,
  },
  {
    name: 'jpeg-1200',
    title: '12 MP JPEG → 1200 px JPEG',
    size: 'large',
    rendering: { format: 'jpeg', width: 1200 },
    block: 36,
    sweep: 132,
  },
  {
    name: 'webp-1200',
    title: '12 MP JPEG → 1200 px WebP',
    size: 'large',
    rendering: { format: 'webp', width: 1200 },
    block: 36,
    sweep: 132,
  },
  {
    name: 'webp-full',
    title: '12 MP JPEG → full-size WebP',
    size: 'large',
    rendering: { format: 'webp' },
    block: 12,
    sweep: 72,
  },
]

/** An icon is so cheap to render that it shows the cost of the service around it. */
export const icon: Conversion = {
  name: 'icon',
  title: '64 × 64 PNG → WebP',
  size: 'small',
  rendering: { format: 'webp' },
  block: 600,
  sweep: 600,
}
