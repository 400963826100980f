import type { Size } from './geometry.ts'

const LARGEST = 16
const STEP = 1.5

/** The visible part of a picture: scale and offset. Lengths in CSS pixels. */
export class View {
  frame = $state.raw<Size>({ width: 0, height: 0 })
  picture = $state.raw<Size>({ width: 1, height: 1 })
  /** The zoom; undefined fits the frame, for which small pictures are not enlarged. */
  zoom = $state<number>()
  /** Offset of the middle from that of the frame. */
  #wantedPan = $state.raw({ x: 0, y: 0 })

  readonly fittingScale = $derived(Math.min(1, this.frame.width / this.picture.width, this.frame.height / this.picture.height))
  readonly scale = $derived(this.zoom ?? this.fittingScale)
  readonly size = $derived({ width: this.picture.width * this.scale, height: this.picture.height * this.scale })
  readonly pan = $derived({ x: this.#within('width', this.#wantedPan.x), y: this.#within('height', this.#wantedPan.y) })
  readonly left = $derived((this.frame.width - this.size.width) / 2 + this.pan.x)
  readonly top = $derived((this.frame.height - this.size.height) / 2 + this.pan.y)
  readonly canPan = $derived(this.size.width > this.frame.width + 1 || this.size.height > this.frame.height + 1)

  /** Limited to the picture's edge. */
  #within(side: keyof Size, value: number): number {
    const most = Math.max(0, (this.size[side] - this.frame[side]) / 2)
    return Math.max(-most, Math.min(most, value))
  }

  move(x: number, y: number): void {
    this.#wantedPan = { x: this.pan.x + x, y: this.pan.y + y }
  }

  /** Keeps the point under the pointer in place. */
  zoomTo(zoom: number, at = { x: this.frame.width / 2, y: this.frame.height / 2 }): void {
    const next = Math.min(LARGEST, Math.max(Math.min(this.fittingScale, 1), zoom))
    const factor = next / this.scale
    const from = { x: at.x - this.frame.width / 2, y: at.y - this.frame.height / 2 }
    const { x, y } = this.pan
    this.zoom = next <= this.fittingScale ? undefined : next
    this.#wantedPan = { x: from.x - (from.x - x) * factor, y: from.y - (from.y - y) * factor }
  }

  zoomIn(): void {
    this.zoomTo(this.scale * STEP)
  }

  zoomOut(): void {
    this.zoomTo(this.scale / STEP)
  }

  fit(): void {
    this.zoom = undefined
    this.#wantedPan = { x: 0, y: 0 }
  }
}
