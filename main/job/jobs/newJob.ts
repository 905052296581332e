import { randomBytes } from 'node:crypto'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Job } from '../../../preload/contract/job/jobs.ts'
import type { Order } from '../../../preload/contract/job/orders.ts'
import type { Template } from '../../../preload/contract/job/templates.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Profile } from './engine/profile.ts'
import type { JobsOptions } from './jobsOptions.ts'
import { refuseIncomplete } from './orders/orderNeeds.ts'
import { newEntry, ofFolder, type NewEntry } from './record/journal.ts'

export interface NewJob {
  templateId: string
  device: Job['device']
  vehicleText: string
  customer: string
  /** Its vehicle and customer are used if none is given. */
  order?: Order | null
  scannedImei?: string | undefined
  /** There is no trailer or driver: its step does not ask. */
  withoutTrailer?: boolean | undefined
  prepared?: Job['prepared']
}

/**
 * The entries that the log of a new job begins with. Throws INVALID_REQUEST for an unknown checklist or profile, or an order
 * without its values.
 */
export function firstEntries(
  newJob: NewJob,
  options: Pick<JobsOptions, 'templates' | 'shipped' | 'profileId' | 'technician' | 'folderMark' | 'isTraining'>
): [NewEntry, ...NewEntry[]] {
  const {
    templateId,
    device,
    vehicleText,
    customer,
    order = null,
    scannedImei,
    withoutTrailer = false,
    prepared
  } = newJob
  const template = options.templates.find(templateId)
  if (!template) {
    const known = options.templates.list().map(({ id }) => id)
    throw new AppError('INVALID_REQUEST', message('jobs.noSuchChecklist', { id: templateId, known }))
  }
  const profile = options.shipped.profiles.get(options.profileId())
  if (!profile) throw new AppError('INVALID_REQUEST', message('jobs.noSuchProfile', { id: options.profileId() }))
  refuseIncomplete(template, order)
  const identity = template.steps.find((step) => step.kind === 'identity')
  const link = withoutTrailer ? template.steps.find((step) => step.kind === 'link') : undefined
  return [
    newEntry('jobCreated', null, {
      template,
      profile: profileOf(profile, template),
      device,
      vehicleText: vehicleText || (order?.vehicle ?? ''),
      customer: customer || (order?.customer ?? ''),
      technician: options.technician(),
      order,
      ...(prepared ? { prepared } : {}),
      ...ofFolder(options.folderMark()),
      isTraining: options.isTraining ?? false,
      // Two jobs of one instant are two.
      nonce: randomBytes(16).toString('hex'),
      isSealed: true
    }),
    ...(identity && scannedImei !== undefined
      ? [newEntry('answered', identity.id, { attempt: 0, answer: { value: scannedImei } })]
      : []),
    ...(link ? [newEntry('answered', link.id, { attempt: 0, answer: { choose: '' } })] : [])
  ]
}

/** The limits of a job: the profile with the changes of the checklist, which its name mentions. */
export function profileOf(profile: Profile, { thresholds }: Pick<Template, 'thresholds'>): Profile {
  const changed = Object.entries(thresholds ?? {}).filter(
    ([check]) => check !== 'output' && Object.hasOwn(profile, check)
  )
  if (changed.length === 0) return profile
  const limits = Object.fromEntries(
    changed.map(([check, own]) => [check, { ...(profile[check as keyof Profile] as object), ...own }])
  )
  return { ...profile, ...limits, name: message('profiles.withChecklist', { profile: profile.name }) }
}
