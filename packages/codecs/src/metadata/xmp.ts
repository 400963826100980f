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
  crs: 'http://ns.adobe.com/camera-raw-settings/1.0/',
  crd: 'http://ns.adobe.com/camera-raw-defaults/1.0/',
  exifEX: 'http://cipa.jp/exif/1.0/',
  getty: 'http://xmp.gettyimages.com/gift/1.0/',
} as const

/** A property of a packet, by namespace and name. */
export type Keeps = (namespace: string, name: string) => boolean

/** Packets that are larger are left out: edit histories of many years have some hundred kilobytes. */
const MOST_BYTES = 1024 * 1024
const DEEPEST = 40
/** A packet has no document type: it could only define entities. */
const DOCTYPE = /<!(DOCTYPE|ENTITY)/i

/** Types of nodes (DOM, 4.4). */
const TEXT = 3
const CDATA = 4

const isElement = (node: Node): node is Element => node.nodeType === 1
const elementsIn = (node: Node): readonly Element[] => [...(node.childNodes ?? [])].filter(isElement)
const attributesOf = (element: Element): readonly Attr[] => [...element.attributes]
const XMLNS = 'http://www.w3.org/2000/xmlns/'
const XML = 'http://www.w3.org/XML/1998/namespace'
/** Of what is no property. */
const SYNTAX: readonly string[] = [XMLNS, namespaces.rdf]

/** What of a packet is kept. */
export interface XmpFilter {
  /** A property. */
  readonly keeps: Keeps
  /** A property that contains this name, at any depth. */
  mayContain(namespace: string, name: string): boolean
  /** A property with this text in it, or of a list the entry. */
  mayRead(text: string, namespace: string, property: string): boolean
}

/** The packet with those properties that are kept; undefined where none is, or the packet is damaged. */
export function filterXmp(packet: Buffer, filter: XmpFilter): Buffer | undefined {
  const descriptions = descriptionsIn(packet).flatMap((description) => {
    const isKept = ({ namespaceURI, localName }: Element | Attr) =>
      namespaceURI !== null && !SYNTAX.includes(namespaceURI) && filter.keeps(namespaceURI, localName ?? '')
    // The serialiser declares the namespaces that are left.
    for (const attribute of attributesOf(description)) {
      const { value, namespaceURI, localName } = attribute
      const isClear = isKept(attribute) && filter.mayRead(value, namespaceURI ?? '', localName ?? '')
      if (!isClear) description.removeAttributeNode(attribute)
    }
    for (const child of elementsIn(description)) if (!isKept(child) || !isClean(child, filter)) description.removeChild(child)
    const isEmpty = description.attributes.length === 0 && elementsIn(description).length === 0
    if (isEmpty) return []
    removeIndents(description)
    description.setAttributeNS(namespaces.rdf, 'rdf:about', '')
    return [new (xml().XMLSerializer)().serializeToString(description)]
  })
  return descriptions.length > 0 ? packetOf(descriptions.join('')) : undefined
}

/** Whether a property may stay; of a list of texts, after its other entries are removed. */
function isClean(property: Element, filter: XmpFilter): boolean {
  const mayRead = (text: string) => filter.mayRead(text, property.namespaceURI ?? '', property.localName ?? '')
  const [list, ...more] = elementsIn(property)
  const entries = list && more.length === 0 ? elementsIn(list) : []
  const isList = entries.length > 1 && entries.every((entry) => elementsIn(entry).length === 0)
  const clean = (element: Element): boolean => {
    const inside = elementsIn(element)
    const text = inside.length === 0 ? (element.textContent ?? '') : ''
    const attributes = attributesOf(element).filter(({ namespaceURI }) => namespaceURI !== XMLNS)
    return (
      mayRead(text) &&
      attributes.every(({ value }) => mayRead(value)) &&
      [...attributes, ...inside].every((node) => filter.mayContain(node.namespaceURI ?? '', node.localName ?? '')) &&
      inside.every(clean)
    )
  }
  if (!isList) return clean(property)
  for (const entry of entries) if (!clean(entry)) list?.removeChild(entry)
  return clean(property) && (list ? elementsIn(list).length > 0 : true)
}

/** Comments, and white space between elements, which may be most of a packet: a JPEG has room for 64 KB. */
function removeIndents(element: Element): void {
  const inside = elementsIn(element)
  const isText = ({ nodeType }: Node) => nodeType === TEXT || nodeType === CDATA
  for (const node of [...element.childNodes])
    if (!isElement(node) && (inside.length > 0 || !isText(node))) element.removeChild(node)
  inside.forEach(removeIndents)
}

/** The texts of each property by `namespace name`, those inside it in order. */
export function xmpTexts(packet: Buffer): ReadonlyMap<string, readonly string[]> {
  const properties = descriptionsIn(packet).flatMap((description) => [
    ...attributesOf(description).map(({ namespaceURI, localName, value }) => ({ namespaceURI, localName, texts: [value] })),
    ...elementsIn(description).map((element) => ({ ...pick(element), texts: leavesOf(element) })),
  ])
  const ownProperties = properties.filter(({ namespaceURI, texts }) => namespaceURI !== XMLNS && texts.length > 0)
  return new Map(ownProperties.map(({ namespaceURI, localName, texts }) => [`${namespaceURI} ${localName}`, texts]))
}

const pick = ({ namespaceURI, localName }: Element) => ({ namespaceURI, localName })

/** The texts inside an element, those of a structure's fields that are attributes, and of a value that is a link its address. */
function leavesOf(element: Element): readonly string[] {
  const inside = elementsIn(element)
  const link = element.getAttributeNS(namespaces.rdf, 'resource')
  if (link) return [link]
  const fields = attributesOf(element).filter(({ namespaceURI }) => namespaceURI && ![...SYNTAX, XML].includes(namespaceURI))
  const text = inside.length > 0 ? '' : (element.textContent?.trim() ?? '')
  return [...fields.map(({ value }) => value), ...inside.flatMap(leavesOf), ...(text === '' ? [] : [text])]
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
  readonly prefix: keyof typeof namespaces
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
  const items = texts
    .map((text) => `<rdf:li${kind === 'Alt' ? ' xml:lang="x-default"' : ''}>${escapeXml(text)}</rdf:li>`)
    .join('')
  const value = kind === 'text' ? escapeXml(texts.join('; ')) : `<rdf:${kind}>${items}</rdf:${kind}>`
  return `<${prefix}:${name}>${value}</${prefix}:${name}>`
}

/** XML 1.0, 2.2: most control characters cannot be written. */
const escapeXml = (text: string): string =>
  text
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
