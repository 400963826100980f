import type { Rendering } from '../rendering.ts'

/** One picture asked of every server. */
export interface Cell {
  readonly title: string
  readonly source: 'medium' | 'large' | 'png'
  readonly rendering: Rendering<'jpeg' | 'webp' | 'avif' | 'png'>
  /** Pictures whose answers are scored. */
  readonly scored: number
  /** Also measured at equal scores. */
  readonly atEqualScore?: true
}

/** The commonest requests to an image server, and one that only encodes. */
export const cells: readonly Cell[] = [
  { title: '2 MP → 512 px JPEG', source: 'medium', rendering: { format: 'jpeg', width: 512 }, scored: 6, atEqualScore: true },
  { title: '2 MP → 512 px WebP', source: 'medium', rendering: { format: 'webp', width: 512 }, scored: 6, atEqualScore: true },
  { title: '2 MP → 512 px AVIF', source: 'medium', rendering: { format: 'avif', width: 512 }, scored: 6, atEqualScore: true },
  { title: '12 MP → 1200 px JPEG', source: 'large', rendering: { format: 'jpeg', width: 1200 }, scored: 4 },
  { title: '12 MP → 1200 px WebP', source: 'large', rendering: { format: 'webp', width: 1200 }, scored: 4, atEqualScore: true },
  { title: '2 MP PNG → 512 px PNG', source: 'png', rendering: { format: 'png', width: 512 }, scored: 6 },
  { title: '2 MP → full-size WebP', source: 'medium', rendering: { format: 'webp' }, scored: 4, atEqualScore: true },
]
