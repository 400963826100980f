export { canvas, libvips, sharp } from '../sharp.ts'
