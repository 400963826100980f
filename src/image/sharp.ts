export { canvas, libvips, sharp } from '../codecs/sharp.ts'
