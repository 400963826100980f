/** A complete program: it signs one URL of a source. */
export const signLines = (origin: string, source: string): string => `import { createHmac } from 'node:crypto'

const secret = Buffer.from(process.env.SOURCE_SECRET ?? '', 'base64url')
const text = '/i/${source}/photo.jpg?w=400&f=auto'
const hmac = createHmac('sha256', secret).update(text).digest('base64url')
const sign = text.includes('?') ? '&' : '?'
console.log(\`${origin}\${text}\${sign}s=\${hmac.slice(0, 22)}\`)`
