import { message } from '../../../preload/contract/messages.ts'
import type { Template } from '../../../preload/contract/templates.ts'
import type { Profile } from '../profile.ts'

/** The limits of a job: those of the profile, but for those that the checklist sets. Its name says so. */
export function profileOf(profile: Profile, { thresholds }: Pick<Template, 'thresholds'>): Profile {
  const changed = Object.entries(thresholds ?? {}).filter(([check]) => check !== 'output' && Object.hasOwn(profile, check))
  if (changed.length === 0) return profile
  const limits = Object.fromEntries(changed.map(([check, own]) => [check, { ...(profile[check as keyof Profile] as object), ...own }]))
  return { ...profile, ...limits, name: message('profiles.withChecklist', { profile: profile.name }) }
}
