import type { Command } from '../command.ts'

/** Each command is loaded when it is called: a list of jobs has no need of the PDF, the gateway or the discovery. */
export const commands: ReadonlyMap<string, (rest: string[]) => Command | Promise<Command>> = new Map<string, (rest: string[]) => Command | Promise<Command>>([
  ['discover', async () => (await import('./discover.ts')).runDiscover],
  ['device', async () => (await import('./device.ts')).runDevice],
  ['gateway', async () => (await import('./gateway.ts')).runGateway],
  ['job', async ([verb]) => (verb === 'list' ? (await import('./jobList.ts')).runJobList : verb === 'batch' ? (await import('./jobBatch.ts')).runJobBatch : (await import('./job.ts')).runJob)],
  ['templates', async () => (await import('./templates.ts')).runTemplates],
  ['operations', async () => (await import('./operations.ts')).runOperations],
  ['sync', async () => (await import('./operations.ts')).runSync],
  ['data', async () => (await import('./data.ts')).runData],
  ['simulate', async () => (await import('./simulate.ts')).runSimulate],
  ['serve', async () => (await import('./serve.ts')).runServe],
  ['team', async () => (await import('./team.ts')).runTeam],
  ['doctor', async () => (await import('./doctor.ts')).runDoctorCommand],
  ['explain', async () => (await import('./explain.ts')).runExplain],
  ['diagnose', async () => (await import('./diagnose.ts')).runDiagnose],
  ['snapshot', async () => (await import('./snapshot.ts')).runSnapshot],
  ['bundle', async () => (await import('./bundle.ts')).runBundle],
  ['open', async () => (await import('./open.ts')).runOpen]
])
