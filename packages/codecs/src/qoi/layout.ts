/** Numbers of the format that reader and writer share: the Quite OK Image Format, specification version 1.0. */

/** The magic `qoif`, width and height as 32 bits, big-endian, the number of channels and the colour space. */
export const HEADER_BYTES = 14
export const MAGIC = 'qoif'

/** Seven bytes of 0 and one of 1 mark the end. */
export const END_BYTES = 8

/** sRGB with linear alpha, or all channels linear. */
export const colourSpaces = { srgb: 0, linear: 1 } as const

/** The tags of chunks: two bits, or all eight. */
export const tags = { index: 0x00, diff: 0x40, luma: 0x80, run: 0xc0, rgb: 0xfe, rgba: 0xff } as const

/** Pixels of the longest run: 63 and 64 would be the tags of eight bits. */
export const LONGEST_RUN = 62

/** Colours that were seen before, by their hash. */
export const SEEN_COLOURS = 64
