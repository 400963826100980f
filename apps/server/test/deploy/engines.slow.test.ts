import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { stringify } from 'yaml'
import { z } from 'zod'
import { documents, lacks, ofKind, root, text } from './files.ts'

/** What runs shards and Ray on Kubernetes. */

const JOB = 'engines/indexed-job.yaml'
const RAY = 'engines/rayjob.yaml'

const container = z.looseObject({ name: z.string(), image: z.string(), args: z.array(z.string()).optional() })
const pod = z.looseObject({ spec: z.looseObject({ containers: z.tuple([container]) }) })
const indexedSchema = z.looseObject({ spec: z.looseObject({ completions: z.number(), template: pod }) })

/** The fields that KubeRay's RayJob has and this one uses: its resource is not among Kubernetes' own. */
const group = { rayStartParams: z.record(z.string(), z.string()), template: pod }
const worker = z.strictObject({
  ...group,
  groupName: z.string(),
  replicas: z.int(),
  minReplicas: z.int(),
  maxReplicas: z.int(),
})
const rayJob = z.object({
  spec: z.strictObject({
    entrypoint: z.string(),
    shutdownAfterJobFinishes: z.literal(true),
    ttlSecondsAfterFinished: z.int(),
    backoffLimit: z.int(),
    rayClusterSpec: z.strictObject({
      rayVersion: z.string(),
      authOptions: z.strictObject({ mode: z.literal('token') }),
      enableInTreeAutoscaling: z.literal(true),
      headGroupSpec: z.strictObject(group),
      workerGroupSpecs: z.tuple([worker]),
    }),
  }),
})
const ray = () => rayJob.parse(ofKind(RAY, 'RayJob')[0]).spec.rayClusterSpec
const shards = () => indexedSchema.parse(ofKind(JOB, 'Job')[0]).spec

/** As Kubernetes has them, without a field that it does not know. */
function validate(manifest: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'engines-'))
  try {
    const path = join(folder, 'manifest.yaml')
    writeFileSync(path, manifest)
    execFileSync('kubernetes-validate', ['--strict', path], { stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the indexed job is as Kubernetes has it', { skip: lacks('kubernetes-validate') }, () => {
  validate(text(`deploy/kubernetes/${JOB}`))
})

test('the pods of the RayJob are as Kubernetes has them', { skip: lacks('kubernetes-validate') }, () => {
  const { headGroupSpec, workerGroupSpecs } = ray()
  for (const { template } of [headGroupSpec, ...workerGroupSpecs])
    validate(
      stringify(
        { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'ray' }, spec: template.spec },
        { aliasDuplicateObjects: false },
      ),
    )
})

test('the shards are options that the command has, and as many as the job completes', () => {
  const { completions, template } = shards()
  const [{ args = [] }] = template.spec.containers
  const [program, ...words] = args.slice(1).map((word) => word.replace('$(JOB_COMPLETION_INDEX)', String(completions - 1)))
  assert.ok(words.includes(`--of=${completions}`))
  const run = (...options: readonly string[]) =>
    spawnSync(process.execPath, [program ?? '', ...options], { cwd: root, encoding: 'utf8' })
  // An option that does not exist is refused before the recipe, which is a file of the pod, is looked for.
  assert.match(run(...words).stderr, /\/recipe\/recipe\.json cannot be read/)
  assert.doesNotMatch(run(...words, '--no-such').stderr, /recipe\.json/)
})

test('the recipes are recipes, and the program of the RayJob is Python', { skip: lacks('python3') }, () => {
  const data = z.looseObject({ data: z.record(z.string(), z.string()) })
  for (const name of [JOB, RAY]) {
    const files = data.parse(documents(name)[0]).data
    recipeSchema.parse(JSON.parse(files['recipe.json'] ?? ''))
    const program = files['convert.py']
    if (program !== undefined) execFileSync('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', program])
  }
})

test('Ray is the version that is tested, in the image, in the cluster and in .ci/run', () => {
  const { rayVersion, headGroupSpec, workerGroupSpecs } = ray()
  assert.match(text('engines/ray/Dockerfile'), new RegExp(`^FROM rayproject/ray:${rayVersion}-py\\d+$`, 'm'))
  assert.ok(text('.ci/run').includes(`ray[data]==${rayVersion}`))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const { template } of [headGroupSpec, ...workerGroupSpecs])
    assert.equal(template.spec.containers[0].image, `pixelmill-ray:${version}`)
  assert.equal(shards().template.spec.containers[0].image, `pixelmill:${version}`)
  // As PEP 440 writes a release candidate.
  const pythonVersion = version.replace('-rc.', 'rc')
  assert.match(text('engines/ray/pyproject.toml'), new RegExp(`^version = "${pythonVersion}"$`, 'm'))
})

test('hadolint finds nothing in the Dockerfile of Ray', { skip: lacks('hadolint') }, () => {
  execFileSync('hadolint', ['--failure-threshold', 'info', 'engines/ray/Dockerfile'], { cwd: root, stdio: 'pipe' })
})
