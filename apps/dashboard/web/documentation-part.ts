/** A part of the documentation, as its searches read it: of a guide, an endpoint, or an error. */
export interface DocumentationPart {
  readonly href: string
  /** Title of its page. */
  readonly page: string
  /** Empty for what stands before the first heading. */
  readonly heading: string
  readonly text: string
  /** What readers type who look for it, besides. */
  readonly words?: string
}
