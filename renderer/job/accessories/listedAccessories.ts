import type { AccessoryTest, KeyFob, PhotoView } from '../../../preload/contract/gateway/accessories.ts'
import type { CallOutput } from '../../../preload/contract/index.ts'
import type { KnownTrigger } from '../../../preload/contract/gateway/triggers.ts'
import { reportingAt } from '../../../preload/gateway/reporting.ts'
import { say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import type { IconName } from '../../base/ui/Icon.vue'
import type { Shape } from '../../base/ui/status.ts'

export type ListedPart = 'keys' | 'tags' | 'cameras' | 'triggers'
export type ShownTag = CallOutput<'accessories.tags'>['tags'][number]

/** One accessory of the list, with its one state. */
export interface ListedAccessory {
  part: ListedPart
  id: string
  name: string
  /** Its number or its sentence. */
  sub: string
  icon: IconName
  shape: Shape
  state: string
  /** When it was last heard of. */
  at: string | null
}

export function listKeys(keys: readonly KeyFob[], tests: readonly AccessoryTest[]): ListedAccessory[] {
  const tested = tests.find(({ kind, state }) => kind === 'tap' && state === 'waiting')
  return keys.map(({ id, assetId, assetName }) => ({
    part: 'keys',
    id,
    name:
      assetName ??
      (assetId === null ? t('windowAccessories.list.unknownKey') : t('windowVehicles.vehicle.id', { id: assetId })),
    sub: id.match(/.{1,4}/g)?.join(' ') ?? id,
    icon: 'key',
    at: null,
    ...(assetId === null
      ? { shape: 'warn' as const, state: t('windowAccessories.list.notAssigned') }
      : tested && assetName !== null && say(tested.title).includes(assetName)
        ? testing()
        : { shape: 'pass' as const, state: t('windowAccessories.list.assigned') })
  }))
}

/** A tag is heard every few minutes; after a day by the gateway's clock it is silent. */
/** A tag reports when it passes a vehicle: it has no rhythm. */
const asTag = { hasDevice: true, isRead: true, isDriving: null, rhythm: null }

export function listTags(
  tags: readonly ShownTag[],
  tests: readonly AccessoryTest[],
  gatewayMs: number
): ListedAccessory[] {
  const tested = tests.find(({ kind, state }) => kind === 'tag' && state === 'waiting')?.title.values['mac']
  return tags.map(({ mac, assetId, assetName, at }) => ({
    part: 'tags',
    id: mac,
    name:
      assetName ??
      (assetId === null ? t('windowAccessories.list.unknownTag') : t('windowVehicles.vehicle.id', { id: assetId })),
    sub: mac,
    icon: 'sky',
    at,
    ...(tested === mac
      ? testing()
      : assetId === null
        ? { shape: 'warn' as const, state: t('windowAccessories.list.notAssigned') }
        : reportingAt({ ...asTag, lastReportedAt: at }, gatewayMs).is === 'silent'
          ? { shape: 'warn' as const, state: t('windowAccessories.list.assignedSilent') }
          : { shape: 'pass' as const, state: t('windowAccessories.list.assigned') })
  }))
}

export const photoShapes: Readonly<Record<PhotoView['outcome'], Shape>> = {
  ready: 'pass',
  working: 'live',
  failed: 'fail',
  unknown: 'unknown'
}

export function cameraName(source: number): string {
  return source === 99 ? t('common.flashCamera') : t('common.cameraN', { n: source + 1 })
}

export function listCameras(photos: readonly PhotoView[]): ListedAccessory[] {
  return photos.map(({ source, outcome, meaning, takenAt }, index) => ({
    part: 'cameras',
    id: String(source ?? index),
    name: cameraName(source ?? index),
    sub: say(meaning),
    icon: 'camera',
    at: takenAt,
    shape: photoShapes[outcome],
    state: t(`windowAccessories.list.photo.${outcome}`)
  }))
}

export function listTriggers(triggers: readonly KnownTrigger[]): ListedAccessory[] {
  return triggers
    .filter(({ isForVehicle }) => isForVehicle)
    .map(({ id, name, text, problems }) => ({
      part: 'triggers',
      id: String(id ?? name),
      name,
      sub: text ? say(text) : t('windowAccessories.tr.empty'),
      icon: 'bell',
      at: null,
      ...(problems.length > 0
        ? { shape: 'warn' as const, state: t('windowAccessories.list.problem') }
        : { shape: 'pass' as const, state: t('windowAccessories.list.saved') })
    }))
}

function testing(): { shape: Shape; state: string } {
  return { shape: 'live', state: t('windowAccessories.list.testing') }
}
