import type { Command } from '../command.ts'
import { runData } from './data.ts'
import { runDevice } from './device.ts'
import { runDiscover } from './discover.ts'
import { runDoctorCommand } from './doctor.ts'
import { runGateway } from './gateway.ts'
import { runJob } from './job.ts'
import { runOperations, runSync } from './operations.ts'
import { runServe } from './serve.ts'
import { runSimulate } from './simulate.ts'
import { notInThisVersion } from './notInThisVersion.ts'

export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['discover', runDiscover],
  ['device', runDevice],
  ['gateway', runGateway],
  ['job', runJob],
  ['operations', runOperations],
  ['sync', runSync],
  ['data', runData],
  ['simulate', runSimulate],
  ['serve', runServe],
  ['doctor', runDoctorCommand],
  ['diagnose', notInThisVersion('diagnose', 'Use "fitter device HOST read" and "fitter gateway call rawdata.query".')],
  ['snapshot', notInThisVersion('snapshot', 'Use "fitter device HOST read --json".')],
  ['bundle', notInThisVersion('bundle', 'Use "fitter job report ID --format json".')],
  ['open', notInThisVersion('open', 'Use "fitter job verify FILE" for a report.')]
])
