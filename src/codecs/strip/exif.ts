/** The Orientation tag (0x0112, type SHORT) in either byte order. */
const ORIENTATION_TAGS = [Buffer.from([0x01, 0x12, 0x00, 0x03]), Buffer.from([0x12, 0x01, 0x03, 0x00])]

/** Whether an EXIF block may turn the picture: then dropping it would change what is seen. */
export const mayOrient = (exif: Buffer): boolean => ORIENTATION_TAGS.some((tag) => exif.includes(tag))
