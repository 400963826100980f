import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { recognise } from './src/codecs/index.ts'
import { hasGainMap } from './src/metadata/gain-maps.ts'
import { recipeSchema } from './src/recipe/recipe.ts'
import { runTask } from './test/support/run-task.ts'

const dir = process.argv[2]!,
  out = process.argv[3]!
mkdirSync(out, { recursive: true })
const ops: Record<string, any> = {
  convert: { outputs: [{ format: 'jpeg', quality: 90 }] },
  resize: { outputs: [{ format: 'jpeg', quality: 90, steps: [{ resize: { width: 640 } }] }] },
  crop: { outputs: [{ format: 'jpeg', quality: 90, steps: [{ crop: { width: 160, height: 120, gravity: 'center' } }] }] },
  rotate: { outputs: [{ format: 'jpeg', quality: 90, steps: [{ rotate: { angle: 90 } }] }] },
  watermark: {
    outputs: [{ format: 'jpeg', quality: 90, steps: [{ watermark: { text: 'Pixelmill', scale: 0.3, opacity: 60 } }] }],
  },
  avif: { outputs: [{ format: 'avif', quality: 90 }] },
  webp: { outputs: [{ format: 'webp' }] },
}
const only = process.argv[4]
for (const name of readdirSync(dir).filter((f) => /\.(jpe?g|avif|heic)$/i.test(f) && (!only || f.includes(only)))) {
  const b = readFileSync(`${dir}/${name}`)
  const c = recognise(b)
  if (!c || !hasGainMap(b, c.name)) {
    console.log('-', name, c?.name)
    continue
  }
  const line: string[] = []
  for (const [op, r] of [...Object.entries(ops), ['optimize', null] as const]) {
    const t = performance.now()
    try {
      const { files, report } = r
        ? await runTask('recipe', { recipe: recipeSchema.parse(r), files: [], accepts: [], allows: [] }, b)
        : await runTask('optimize', { quality: 80, metadata: 'none', icc: 'srgb', hdr: 'keep' }, b)
      const one: any = 'outputs' in report ? (report as any).outputs[0] : report
      line.push(
        `${op}=${one.hdr}/${(files[0]!.length / 1024).toFixed(0)}k/${(performance.now() - t).toFixed(0)}ms${op === 'optimize' && files[0]!.length > b.length ? ' LARGER' : ''}`,
      )
      if (one.hdr === 'kept')
        writeFileSync(
          `${out}/${name.replace(/\W+/g, '_')}.${op}.${recognise(files[0]!)!.extension ?? recognise(files[0]!)!.name}`,
          files[0]!,
        )
    } catch (e: any) {
      line.push(`${op}!${e.message}`)
    }
  }
  console.log(name.slice(-46), (b.length / 1024).toFixed(0) + 'k', line.join(' '))
}
