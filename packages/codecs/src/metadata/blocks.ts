/** What a file carries beside its pixels, each as it would be in a JPEG, without the headers of the container. */
export interface MetadataBlocks {
  /** A TIFF structure. */
  readonly exif?: Buffer | undefined
  /** An XMP packet in UTF-8. */
  readonly xmp?: Buffer | undefined
  /** IPTC datasets (IIM, version 4). */
  readonly iptc?: Buffer | undefined
  readonly icc?: Buffer | undefined
}

/** How many pixels an inch has where a picture is printed, across and down. */
export interface Density {
  readonly x: number
  readonly y: number
}

/** Where a format names the density outside of EXIF. */
export interface DensityPlace {
  read(file: Buffer): Density | undefined
  /** Adds a density to a file whose header names none; absent where the fields are those of EXIF, or nothing is added. */
  readonly write?: (file: Buffer, density: Density) => Buffer
  /** Bytes that it adds. */
  readonly bytes?: number
  /** The fields are those of EXIF, as in a TIFF. */
  readonly isExif?: true
}

/** Where a format keeps its metadata. */
export interface Container {
  /** The blocks that are found; none of a damaged file. */
  read(file: Buffer): MetadataBlocks
  /** Adds blocks to a file that has none; `width` and `height` are those of the picture. */
  write(file: Buffer, blocks: MetadataBlocks, size: { readonly width: number; readonly height: number }): Buffer
  /** IPTC datasets have a place in it; where they have none, they are written as XMP. */
  readonly iptc: boolean
}
