/** Numbers of the format that reader and writer share, from Microsoft's wingdi.h and IBM's pmbitmap.h. */

export const FILE_HEADER_BYTES = 14
/** The header before the first file header of an OS/2 bitmap array. */
export const ARRAY_HEADER_BYTES = 14

/** Lengths of the info header, which identify its version. */
export const CORE_HEADER_BYTES = 12
export const INFO_HEADER_BYTES = 40
export const V3_HEADER_BYTES = 56
export const OS2_HEADER_BYTES = 64
export const V4_HEADER_BYTES = 108
export const V5_HEADER_BYTES = 124

/** Offsets of fields in a V4 or V5 header. */
export const MASKS_AT = 40
export const COLOUR_SPACE_AT = 56
export const ENDPOINTS_AT = 60
export const GAMMAS_AT = 96
export const INTENT_AT = 108
export const PROFILE_AT = 112

/** Compressions. In OS/2 files 3 is Huffman and 4 is RLE24. */
export const NONE = 0
export const RLE8 = 1
export const RLE4 = 2
export const BITFIELDS = 3
export const JPEG = 4
export const PNG = 5
export const ALPHA_BITFIELDS = 6

/** Colour spaces: LCS_CALIBRATED_RGB is a number, the others are text, "sRGB" and "MBED". */
export const CALIBRATED_RGB = 0
export const SRGB = 0x73524742
export const PROFILE_EMBEDDED = 0x4d424544

/** Run-length escapes, after a zero. */
export const END_OF_LINE = 0
export const END_OF_BITMAP = 1
export const DELTA = 2

/** Bytes of a row, whose pixels are packed and padded to 32 bits; beyond 2^31 for some headers. */
export const rowBytes = (width: number, bits: number) => Math.ceil((width * bits) / 32) * 4
