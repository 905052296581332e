import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { sourceResourcesFolder } from '../app/core.ts'
import type { Measures } from '../support/diagnosis/diagnosis.ts'
import { diagnosisLimits } from '../support/diagnosis/limits.ts'
import { tolerancesOf } from '../support/diagnosis/tolerances.ts'
import { loadShipped } from '../job/jobs/checklists/shipped.ts'
import { databaseFileName } from '../data/store/file/fileNames.ts'
import { openStore } from '../data/store/index.ts'
import type { CommandContext } from './context.ts'

export function standardMeasures(): Measures {
  const { standardProfile: profile } = loadShipped(sourceResourcesFolder)
  return { limits: diagnosisLimits(profile), tolerances: profile.comparison }
}

/**
 * The profile and tolerances chosen on this computer; the delivered ones without a data folder, or while another Fitter
 * uses it.
 */
export function readMeasures({ common, terminal }: CommandContext): Measures {
  const shipped = loadShipped(sourceResourcesFolder)
  const standard = { profile: shipped.standardProfile.id, tolerances: {} }
  const settings = readSettings()
  const profile = shipped.profiles.get(settings.profile) ?? shipped.standardProfile
  return { limits: diagnosisLimits(profile), tolerances: tolerancesOf(profile, settings.tolerances) }

  function readSettings(): { profile: string; tolerances: Record<string, number | undefined> } {
    if (!fs.existsSync(path.join(common.dataFolder, databaseFileName))) return standard
    try {
      const store = openStore(common.dataFolder)
      const { profile: id, tolerances: chosen } = store.settings.get()
      store.close()
      return { profile: id, tolerances: chosen }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      terminal.say(message('terminal.settingsNotRead', { why: error.sentence }))
      return standard
    }
  }
}
