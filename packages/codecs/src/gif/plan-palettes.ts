import { displayedFrames, dispose, type GifFile, RESTORE, TRANSPARENT } from './gif-file.ts'
import { areaOf, type FramePlan } from './plan-frames.ts'

/** The palette of a frame, and the colours that it needs. */
export interface FramePalette {
  readonly table: ColourTable
  readonly isGlobal: boolean
  readonly needs: readonly number[]
  /** The transparent index; -1 when there is no free one. */
  readonly transparent: number
}

export interface Palettes {
  readonly global: ColourTable
  readonly frames: readonly FramePalette[]
}

const MAX_COLOURS = 256

/** A global palette for as many frames as possible; undefined when a frame needs more than 256 colours. */
export function planPalettes(gif: GifFile, plans: readonly FramePlan[]): Palettes | undefined {
  const neededColours = coloursNeeded(gif, plans)
  if (!neededColours) return undefined
  const global = globalPalette(neededColours.map(({ colours }) => colours))
  const frames: FramePalette[] = []
  for (const { colours, transparent } of neededColours) {
    const isGlobal = colours.every((colour) => global.indexOf(colour) >= 0)
    const table = isGlobal ? global : colourTable(colours)
    const usedIndices = new Set(colours.map(table.indexOf))
    const index = Array.from({ length: MAX_COLOURS }, (_, number) => number).findIndex((number) => !usedIndices.has(number))
    if (transparent && index < 0) return undefined
    frames.push({ table, isGlobal, needs: colours, transparent: index })
  }
  return { global, frames }
}

interface Needed {
  readonly colours: readonly number[]
  /** Whether there are transparent pixels. */
  readonly transparent: boolean
}

/** The colours of the changed pixels of each frame; of its whole area if they are 256, since no index is then left for transparency. */
function coloursNeeded(gif: GifFile, plans: readonly FramePlan[]): readonly Needed[] | undefined {
  const base = new Uint32Array(gif.width * gif.height)
  const neededByFrame: Needed[] = []
  for (const canvas of displayedFrames(gif)) {
    const plan = plans[neededByFrame.length]
    if (!plan) return undefined
    const area = areaOf(gif, plan, (at) => canvas[at] !== base[at])
    const table = colourTable()
    let transparent = plan.covers !== undefined
    let all = false
    for (let row = area.top; row < area.top + area.height; row++) {
      const start = row * gif.width + area.left
      for (let at = start; at < start + area.width; at++) {
        const colour = canvas[at] ?? TRANSPARENT
        if (colour === TRANSPARENT) transparent = true
        else if ((all || colour !== base[at]) && table.add(colour) < 0) return undefined
      }
      if (!all && table.colours().length === MAX_COLOURS) {
        all = true
        row = area.top - 1
      }
    }
    neededByFrame.push({ colours: table.colours(), transparent })
    const before = plan.disposal === RESTORE ? base.slice() : undefined
    base.set(canvas)
    dispose(area, plan.disposal, base, gif.width, before)
  }
  return neededByFrame
}

/** The colours of the frames that need the fewest come first: a frame with low indices only has shorter codes. */
function globalPalette(frameColours: readonly (readonly number[])[]): ColourTable {
  const commonColours: (readonly number[])[] = []
  const all = new Set<number>()
  for (const colours of frameColours) {
    if (all.size + colours.filter((colour) => !all.has(colour)).length > MAX_COLOURS) continue
    for (const colour of colours) all.add(colour)
    commonColours.push(colours)
  }
  return colourTable(commonColours.sort((a, b) => a.length - b.length).flat())
}

const SLOTS = 1024

/** Up to 256 colours, numbered in order of appearance. */
export interface ColourTable {
  /** The index of a colour, added if new; -1 when the table is full. */
  add(colour: number): number
  /** -1 if it is missing. */
  indexOf(colour: number): number
  colours(): readonly number[]
}

function colourTable(colours: Iterable<number> = []): ColourTable {
  const keys = new Uint32Array(SLOTS)
  const numbers = new Int16Array(SLOTS).fill(-1)
  const tableColours: number[] = []
  function slotOf(colour: number): number {
    let slot = Math.imul(colour, 0x9e3779b1) >>> 22
    while (numbers[slot] !== -1 && keys[slot] !== colour) slot = (slot + 1) % SLOTS
    return slot
  }
  const table: ColourTable = {
    add(colour) {
      const slot = slotOf(colour)
      if (numbers[slot] === -1) {
        if (tableColours.length === MAX_COLOURS) return -1
        keys[slot] = colour
        numbers[slot] = tableColours.length
        tableColours.push(colour)
      }
      return numbers[slot] ?? -1
    },
    indexOf: (colour) => numbers[slotOf(colour)] ?? -1,
    colours: () => tableColours,
  }
  for (const colour of colours) table.add(colour)
  return table
}
