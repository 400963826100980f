import { measureAdmission } from './admission/measure-admission.ts'
import { measureAi } from './ai/measure-ai.ts'
import { measureBatch } from './batch/measure-batch.ts'
import type { Measurement } from './bench.ts'
import { measureCluster } from './cluster/measure-cluster.ts'
import { measureColdStart } from './cold-start/measure-cold-start.ts'
import { measureConversions } from './conversions/measure-conversions.ts'
import { measureIcon } from './conversions/measure-icon.ts'
import { measureDashboard } from './dashboard/measure-dashboard.ts'
import { measureDelivery } from './delivery/measure-delivery.ts'
import { measureFairness } from './fairness/measure-fairness.ts'
import { measureMemory } from './memory/measure-memory.ts'
import { measureOperations } from './operations/measure-operations.ts'
import { measureOverload } from './overload/measure-overload.ts'
import { measurePeers } from './peers/measure-peers.ts'
import { measureSimulation } from './simulation/measure-simulation.ts'
import { measureSizes } from './sizes/measure-sizes.ts'
import { measureSoak } from './soak/measure-soak.ts'

/** All measurements, in the order of the tables. */
export const measurements: readonly Measurement[] = [
  measureConversions,
  measureIcon,
  measurePeers,
  measureOperations,
  measureCluster,
  measureSizes,
  measureOverload,
  measureFairness,
  measureMemory,
  measureAdmission,
  measureBatch,
  measureAi,
  measureDelivery,
  measureDashboard,
  measureSimulation,
  measureColdStart,
  measureSoak,
]
