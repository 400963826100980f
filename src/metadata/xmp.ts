import { createRequire } from 'node:module'
import type { Attr, Element, Node } from '@xmldom/xmldom'

const require = createRequire(import.meta.url)
/** Loaded at the first packet: most pictures are answered without. */
const xml = (): typeof import('@xmldom/xmldom') => require('@xmldom/xmldom') as typeof import('@xmldom/xmldom')

/** Prefixes of the namespaces that are told apart here (XMP, part 2; IPTC Photo Metadata 2023.2; PLUS; CIPA DC-010). */
export const namespaces = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  dc: 'http://purl.org/dc/elements/1.1/',
  xmp: 'http://ns.adobe.com/xap/1.0/',
  xmpRights: 'http://ns.adobe.com/xap/1.0/rights/',
  xmpNote: 'http://ns.adobe.com/xmp/note/',
  photoshop: 'http://ns.adobe.com/photoshop/1.0/',
  plus: 'http://ns.useplus.org/ldf/xmp/1.0/',
  iptc: 'http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/',
  iptcExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  dcterms: 'http://purl.org/dc/terms/',
} as const

/** A property of a packet, by namespace and name. */
export type Keeps = (namespace: string, name: string) => boolean

/** Packets that are larger are left out: edit histories of many years have some hundred kilobytes. */
const MOST_BYTES = 1024 * 1024
const DEEPEST = 40
/** A packet has no document type: it could only define entities. */
const DOCTYPE = /<!(DOCTYPE|ENTITY)/i

const isElement = (node: Node): node is Element => node.nodeType === 1
const elementsIn = (node: Node): readonly Element[] => [...(node.childNodes ?? [])].filter(isElement)
const attributesOf = (element: Element): readonly Attr[] => [...element.attributes]
const XMLNS = 'http://www.w3.org/2000/xmlns/'
/** Of what is no property. */
const SYNTAX: readonly string[] = [XMLNS, namespaces.rdf]

/**
 * The packet with those properties that are kept; undefined where none is, or the packet is damaged.
 * @param mayContain whether a property is kept with this name anywhere inside
 */
export function filterXmp(packet: Buffer, keeps: Keeps, mayContain: Keeps): Buffer | undefined {
  const kept = descriptionsIn(packet).flatMap((description) => {
    const isKept = ({ namespaceURI, localName }: Element | Attr) =>
      namespaceURI !== null && !SYNTAX.includes(namespaceURI) && keeps(namespaceURI, localName ?? '')
    // The serialiser declares the namespaces that are left.
    for (const attribute of attributesOf(description)) if (!isKept(attribute)) description.removeAttributeNode(attribute)
    const contains = (element: Element): boolean =>
      [...attributesOf(element), ...elementsIn(element)].every((node) =>
        mayContain(node.namespaceURI ?? '', node.localName ?? ''),
      ) && elementsIn(element).every(contains)
    for (const child of elementsIn(description)) if (!isKept(child) || !contains(child)) description.removeChild(child)
    const isEmpty = description.attributes.length === 0 && elementsIn(description).length === 0
    if (isEmpty) return []
    removeIndents(description)
    description.setAttributeNS(namespaces.rdf, 'rdf:about', '')
    return [new (xml().XMLSerializer)().serializeToString(description)]
  })
  return kept.length > 0 ? packetOf(kept.join('')) : undefined
}

/** White space between elements, which may be most of a packet: a JPEG has room for 64 KB. */
function removeIndents(element: Element): void {
  const inside = elementsIn(element)
  if (inside.length === 0) return
  for (const node of [...element.childNodes]) if (!isElement(node)) element.removeChild(node)
  inside.forEach(removeIndents)
}

/** The texts of each property by `namespace name`, those inside it in order. */
export function xmpTexts(packet: Buffer): ReadonlyMap<string, readonly string[]> {
  const properties = descriptionsIn(packet).flatMap((description) => [
    ...attributesOf(description).map(({ namespaceURI, localName, value }) => ({ namespaceURI, localName, texts: [value] })),
    ...elementsIn(description).map((element) => ({ ...pick(element), texts: leavesOf(element) })),
  ])
  const known = properties.filter(({ namespaceURI, texts }) => namespaceURI !== XMLNS && texts.length > 0)
  return new Map(known.map(({ namespaceURI, localName, texts }) => [`${namespaceURI} ${localName}`, texts]))
}

const pick = ({ namespaceURI, localName }: Element) => ({ namespaceURI, localName })

/** The texts inside an element, and of a value that is a link its address. */
function leavesOf(element: Element): readonly string[] {
  const inside = elementsIn(element)
  const link = element.getAttributeNS(namespaces.rdf, 'resource')
  if (link) return [link]
  const text = element.textContent?.trim() ?? ''
  return inside.length > 0 ? inside.flatMap(leavesOf) : text === '' ? [] : [text]
}

/** The `rdf:Description` elements directly inside `rdf:RDF`; none of a packet that is no XML, too large or too deep. */
function descriptionsIn(packet: Buffer): readonly Element[] {
  const text = packet.toString('utf8').replaceAll('\0', '').trim()
  if (packet.length > MOST_BYTES || DOCTYPE.test(text) || isDeep(text)) return []
  try {
    const document = new (xml().DOMParser)({ onError: failing }).parseFromString(text, 'application/xml')
    const [rdf] = document.getElementsByTagNameNS(namespaces.rdf, 'RDF')
    return rdf
      ? elementsIn(rdf).filter(({ namespaceURI, localName }) => namespaceURI === namespaces.rdf && localName === 'Description')
      : []
  } catch (error) {
    if (error instanceof xml().ParseError) return []
    throw error
  }
}

function failing(level: 'warning' | 'error' | 'fatalError', message: string): void {
  if (level !== 'warning') throw new (xml().ParseError)(message)
}

const TAG = /<(\/?)[A-Za-z_][^<>]*>/g

function isDeep(text: string): boolean {
  let depth = 0
  for (const [tag, slash] of text.matchAll(TAG)) {
    if (slash) depth--
    else if (!tag.endsWith('/>') && ++depth > DEEPEST) return true
  }
  return false
}

/** XMP, part 1, 7.3: the packet begins and ends with processing instructions. */
export const packetOf = (descriptions: string): Buffer =>
  Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${namespaces.rdf}">${descriptions}${END}`,
  )

const END = '</rdf:RDF></x:xmpmeta><?xpacket end="w"?>'

const descriptionOf = (attributes: readonly string[], content: string): string =>
  `<rdf:Description rdf:about=""${attributes.map((each) => ` ${each}`).join('')}>${content}</rdf:Description>`

/** A property with texts: one of several languages, an ordered or unordered list, or a text alone. */
export interface XmpProperty {
  readonly prefix: 'dc' | 'photoshop'
  readonly name: string
  readonly kind: 'Alt' | 'Seq' | 'Bag' | 'text'
  readonly texts: readonly string[]
}

/** A packet with these properties in addition. @param packet as filterXmp returns it */
export function addToXmp(packet: Buffer | undefined, properties: readonly XmpProperty[]): Buffer | undefined {
  if (properties.length === 0) return packet
  const prefixes = [...new Set(properties.map(({ prefix }) => prefix))]
  const attributes = prefixes.map((prefix) => `xmlns:${prefix}="${namespaces[prefix]}"`)
  const content = properties.map(contentOf).join('')
  return withDescription(packet, descriptionOf(attributes, content))
}

/** A packet with a further `rdf:Description`. @param packet as filterXmp returns it */
export const withDescription = (packet: Buffer | undefined, description: string): Buffer =>
  packet ? Buffer.concat([packet.subarray(0, packet.length - END.length), Buffer.from(description + END)]) : packetOf(description)

function contentOf({ prefix, name, kind, texts }: XmpProperty): string {
  const items = texts.map((text) => `<rdf:li${kind === 'Alt' ? ' xml:lang="x-default"' : ''}>${escaped(text)}</rdf:li>`).join('')
  const value = kind === 'text' ? escaped(texts.join('; ')) : `<rdf:${kind}>${items}</rdf:${kind}>`
  return `<${prefix}:${name}>${value}</${prefix}:${name}>`
}

/** XML 1.0, 2.2: most control characters cannot be written. */
const escaped = (text: string): string =>
  text
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
