import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceResourcesFolder } from '../../../main/app/dataFolder.ts'
import type { OutputLimits } from '../../../main/job/outputs/limits.ts'
import { tempFolder } from '../tempFolder.ts'

/**
 * The delivered resources with other limits of outputs in each profile, so that a silent device costs a test no
 * minutes.
 */
export function hurriedResources(limits: Partial<OutputLimits> = { quitWithinS: 3, countdownS: 0.3 }): string {
  const folder = tempFolder()
  for (const name of readdirSync(sourceResourcesFolder))
    if (name !== 'profiles') symlinkSync(join(sourceResourcesFolder, name), join(folder, name))
  const [from, to] = [join(sourceResourcesFolder, 'profiles'), join(folder, 'profiles')]
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    const profile = JSON.parse(readFileSync(join(from, name), 'utf8')) as { output?: object }
    writeFileSync(
      join(to, name),
      JSON.stringify(profile.output ? { ...profile, output: { ...profile.output, ...limits } } : profile)
    )
  }
  return folder
}
