/** Which fields of EXIF describe the photograph, and which the file that they were in. */

type Range = readonly [first: number, last: number]

const within = (ranges: readonly Range[], tag: number): boolean => ranges.some(([first, last]) => tag >= first && tag <= last)

/**
 * CIPA DC-008 (EXIF 3.0), 4.6.4 to 4.6.6, the same of ISO 12234-2 (TIFF/EP), and what Windows and raw converters write as text: titles,
 * rating, camera and lens. A tag that is not among these has no name, so nothing says that it is no place.
 */
const DESCRIBING: readonly Range[] = [
  ...([
    [0x010d, 0x0110],
    [0x011a, 0x011b],
    [0x011d, 0x011d],
    [0x0128, 0x0128],
    [0x0131, 0x0132],
    [0x013b, 0x013c],
    [0x4746, 0x4746],
    [0x4749, 0x4749],
    [0x8298, 0x829d],
  ] as const),
  ...([
    [0x8822, 0x8824],
    [0x8827, 0x8835],
    [0x9000, 0x9017],
    [0x9101, 0x9101],
    [0x9201, 0x9217],
    [0x9286, 0x9292],
    [0x9400, 0x9406],
  ] as const),
  ...([
    [0x9c9b, 0x9c9f],
    [0xa000, 0xa000],
    [0xa004, 0xa004],
    [0xa20b, 0xa217],
    [0xa300, 0xa302],
    [0xa401, 0xa40c],
    [0xa420, 0xa420],
    [0xa430, 0xa462],
    [0xa500, 0xa500],
  ] as const),
  ...([
    [0xc614, 0xc615],
    [0xc62f, 0xc630],
    [0xc68b, 0xc68b],
    [0xfde8, 0xfdea],
  ] as const),
]

export const describesPhotograph = (tag: number): boolean => within(DESCRIBING, tag)

export const ORIENTATION = 0x0112
/** Its contents are the maker's, its offsets count from the start of the old block, and it may name a place. */
const MAKER_NOTE = 0x927c
/** IPTC datasets in a field (TIFF/EP, 5.2.45). */
export const IPTC_FIELD = 0x83bb
export const ARTIST = 0x013b
export const COPYRIGHT = 0x8298

/** TIFF 6.0 and CIPA DC-008, 4.6.4: how the old pixels are stored, and where, and blocks that are read by themselves. */
const STRUCTURE: readonly number[] = [
  0x00fe,
  0x00ff,
  0x0100,
  0x0101,
  0x0102,
  0x0103,
  0x0106,
  0x010a,
  0x0111,
  ORIENTATION,
  0x0115,
  0x0116,
  0x0117,
  0x011c,
  0x0120,
  0x0121,
  0x012d,
  0x013d,
  0x013e,
  0x013f,
  0x0140,
  0x0142,
  0x0143,
  0x0144,
  0x0145,
  0x014a,
  0x0152,
  0x0153,
  0x015b,
  0x0201,
  0x0202,
  0x0211,
  0x0212,
  0x0213,
  0x0214,
  0x02bc,
  IPTC_FIELD,
  0x8649,
  0x8773,
  0x9102,
  0xa001,
  0xa002,
  0xa003,
  0xcd41,
  // GeoTIFF and GDAL: places, of pixels that are other ones now.
  0x830e,
  0x8482,
  0x85d8,
  0x87af,
  0x87b0,
  0x87b1,
  0xa480,
  0xa481,
]

/** Whether a field would be wrong in a new file. */
export const isOfOldFile = (tag: number): boolean => tag === MAKER_NOTE || STRUCTURE.includes(tag)
