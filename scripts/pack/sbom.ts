import type { ThirdParty } from './third-parties.ts'

interface Own {
  readonly name: string
  readonly version: string
  readonly license: string
}

const purlOf = ({ name, version }: Pick<Own, 'name' | 'version'>): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** A simple name is an SPDX identifier, anything else an expression. */
const licenseOf = (license: string): object =>
  /^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }

const componentOf = (part: Own): object => ({
  type: 'library',
  'bom-ref': purlOf(part),
  name: part.name,
  version: part.version,
  licenses: [licenseOf(part.license)],
  purl: purlOf(part),
})

/** What a package consists of, and needs, as a bill of materials: CycloneDX 1.6. */
export function sbom(own: Own, parties: readonly ThirdParty[]): string {
  const components = parties.map((party) => ({
    ...componentOf(party),
    properties: [{ name: 'pixelmill:place', value: party.isBundled ? 'in this package' : 'installed beside it' }],
  }))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf(own) },
    components,
    dependencies: [{ ref: purlOf(own), dependsOn: parties.map(purlOf) }],
  }
  return `${JSON.stringify(bill, undefined, 2)}\n`
}
