const SLOTS = 1024
const MAX_COLOURS = 256

/** Up to 256 colours, numbered as they come. */
export interface ColourTable {
  /** The number of a colour, a new one if need be; -1 where there is no room left. */
  add(colour: number): number
  /** -1 where it is not there. */
  indexOf(colour: number): number
  colours(): readonly number[]
}

export function colourTable(colours: Iterable<number> = []): ColourTable {
  const keys = new Uint32Array(SLOTS)
  const numbers = new Int16Array(SLOTS).fill(-1)
  const known: number[] = []
  function slotOf(colour: number): number {
    let slot = Math.imul(colour, 0x9e3779b1) >>> 22
    while (numbers[slot] !== -1 && keys[slot] !== colour) slot = (slot + 1) % SLOTS
    return slot
  }
  const table: ColourTable = {
    add(colour) {
      const slot = slotOf(colour)
      if (numbers[slot] === -1) {
        if (known.length === MAX_COLOURS) return -1
        keys[slot] = colour
        numbers[slot] = known.length
        known.push(colour)
      }
      return numbers[slot] ?? -1
    },
    indexOf: (colour) => numbers[slotOf(colour)] ?? -1,
    colours: () => known,
  }
  for (const colour of colours) table.add(colour)
  return table
}
