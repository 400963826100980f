import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

export const root = join(import.meta.dirname, '../../../..')
export const text = (path: string): string => readFileSync(join(root, path), 'utf8')

const strings = z.record(z.string(), z.union([z.string(), z.number()]).transform(String))

const service = z.looseObject({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: strings.default({}),
  networks: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.union([z.string(), z.array(z.string())]).default([]),
  security_opt: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
})

const compose = z.looseObject({ services: z.record(z.string(), service), networks: z.record(z.string(), z.unknown()) })

/** As it stands, for its schema. */
export const composeFile = (): unknown => parse(text('compose.yaml'), { merge: true })
export const services = compose.parse(composeFile()).services

export type Service = (typeof services)[string]
export const serviceOf = (name: string): Service => service.parse(services[name])

const container = z.looseObject({
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  securityContext: z.record(z.string(), z.unknown()),
  resources: z.looseObject({ requests: strings, limits: strings }),
})
export const deployment = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        topologySpreadConstraints: z.array(z.looseObject({ topologyKey: z.string(), whenUnsatisfiable: z.string() })).default([]),
        securityContext: z.looseObject({ runAsUser: z.number(), runAsNonRoot: z.boolean() }),
        containers: z.tuple([container]),
      }),
    }),
  }),
})

const resource = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }).optional() })

export const manifests: readonly string[] = readdirSync(join(root, 'deploy/kubernetes')).filter((name) => name.endsWith('.yaml'))

/** Every document of a file of deploy/kubernetes, with anchors and merges resolved. */
export const documents = (name: string) =>
  parseAllDocuments(text(`deploy/kubernetes/${name}`)).map((document) => resource.parse(document.toJS()))

export const ofKind = (name: string, kind: string) => documents(name).filter((document) => document.kind === kind)

/** Why tests with a program are skipped: false where it is there. */
export function lacks(program: string): false | string {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return false
  } catch {
    // Its exit code says so.
    return `${program} is not installed`
  }
}
