import type { StepName } from './draft/draft-recipe.ts'

interface Start {
  readonly title: string
  readonly lead: string
  /** The step that an empty recipe begins with, and that is selected otherwise. */
  readonly step?: StepName
}

/** Where the builder is opened, by the last part of the address. */
export const starts: Readonly<Record<string, Start>> = {
  resize: { title: 'Resize & crop', lead: 'Set the size on the picture, then add whatever else it needs.', step: 'resize' },
  watermark: { title: 'Watermark', lead: 'Put a text or a logo on the picture, where you drag it.', step: 'watermark' },
  new: { title: 'Edit a picture', lead: 'Put steps together, and take one file or several.' },
}

export const startAt = (path: string): Start => starts[path.split('/').at(-1) ?? ''] ?? (starts.new as Start)
