import type { Assigned } from '../../../preload/contract/team/teamAssigned.ts'
import type { Order } from '../../../preload/contract/job/orders.ts'
import { readonly, ref } from 'vue'
import type { BundleAbout } from '../../../preload/contract/support/bundles.ts'
import { beginTypingAhead, endTypingAhead } from './typedAhead.ts'
import { isReadOnly } from '../ui/readOnly.ts'

/** What a new job takes over from another one. */
export interface LikeJob {
  templateId: string
  customer: string
  order: Order | null
}

/** Dialogs that can be opened from anywhere. */
export type AppDialog =
  | { what: 'find' }
  | { what: 'keys' }
  | { what: 'scan' }
  | { what: 'address' }
  | { what: 'enterTraining'; toExercises?: true }
  | { what: 'leaveTraining' }
  | { what: 'update' }
  | { what: 'openBundle'; file?: File | undefined }
  | { what: 'supportBundle'; about: BundleAbout }
  | { what: 'signIn'; deviceKey: string }
  | {
      what: 'newJob'
      deviceKey: string
      scannedImei?: string | undefined
      vehicleText?: string | undefined
      assigned?: Assigned | undefined
      like?: LikeJob | undefined
    }

/** Dialogs that only lead to work; a read-only view does not open them. */
const working: ReadonlySet<AppDialog['what']> = new Set([
  'scan',
  'address',
  'signIn',
  'newJob',
  'enterTraining',
  'leaveTraining'
])

const current = ref<AppDialog | null>(null)

/** The dialog above the screens. */
export const dialog = readonly(current)

/** Opens a dialog above the current screen. */
export function openDialog(wanted: AppDialog): void {
  if (isReadOnly.value && working.has(wanted.what)) return
  if (wanted.what === 'find' && current.value?.what !== 'find') beginTypingAhead()
  current.value = wanted
}

export function closeDialog(): void {
  endTypingAhead()
  current.value = null
}
