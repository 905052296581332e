import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { shippedProfile, type Profile } from '../engine/profile.ts'
import { template, type Template } from '../../../../preload/contract/job/templates.ts'

/** Describes the form of a checklist; this file is not a checklist. */
const schemaFile = 'schema.json'

export interface Shipped {
  /** Read when the first built-in checklist is requested: most commands need none. */
  readonly templates: Map<string, Template>
  profiles: Map<string, Profile>
  standardProfile: Profile
}

/** Reads the profiles and, when they are needed, the built-in checklists. A malformed one is a bug and throws. */
export function loadShipped(resourcesFolder: string): Shipped {
  const profiles = readFolder<Profile & { id: string }>(path.join(resourcesFolder, 'profiles'), shippedProfile)
  const standardProfile = profiles.get('standard')
  if (!standardProfile) throw new Error('There is no profile "standard" among the resources')
  let templates: Map<string, Template> | undefined
  return {
    get templates() {
      return (templates ??= readFolder(path.join(resourcesFolder, 'checklists'), template))
    },
    profiles,
    standardProfile
  }
}

function readFolder<T extends { id: string }>(folder: string, schema: z.ZodType<T>): Map<string, T> {
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== schemaFile)
    .sort()
  return new Map(
    files.map((name) => {
      // Read once: compiling the schema would take longer than reading.
      const item = schema.parse(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')), { jitless: true })
      return [item.id, item]
    })
  )
}
