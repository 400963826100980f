import type { FieldForm } from '../field-form.svelte.ts'

/** The settings as a JSON body: numbers as numbers, and `rules.style` in `rules`. */
export function jsonBody(form: FieldForm): object {
  const body: Record<string, unknown> = {}
  const fields = Object.fromEntries(form.fields)
  for (const [path, set] of Object.entries(form.params())) {
    const value = fields[path]?.numeric ? Number(set) : set
    const [name = '', inner] = path.split('.')
    body[name] = inner === undefined ? value : { ...(body[name] as object | undefined), [inner]: value }
  }
  return body
}
