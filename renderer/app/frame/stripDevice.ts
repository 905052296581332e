import { computed } from 'vue'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { place, placeHref } from '../../base/shell/router.ts'
import { t } from '../../base/texts.ts'
import { useDevices } from '../../device/devices/devices.store.ts'
import { cardIcons, standingShapes } from '../../device/devices/standings.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'

/** The device in the strip: that of the page, else that of the open job, else the only one we are signed in to. */
export function useStripDevice() {
  const devices = useDevices()
  const jobs = useJobs()
  const isAnswering = computed(() => jobs.isActive && jobs.lines !== null && jobs.lines.problem === null)

  function ofList(seen: SeenDevice) {
    return {
      name: `${seen.model ?? ''} …${(seen.imei ?? '').slice(-6)}`,
      address: seen.addresses[0] ?? '',
      card: devices.cardOf(seen),
      shape: standingShapes[seen.standing],
      lostSinceMs: null,
      href: placeHref('device', seen.key)
    }
  }

  return computed(() => {
    const { screen, id } = place.value
    const shown = screen === 'device' ? (devices.byKey(id) ?? devices.byImei(id)) : undefined
    // With several trackers on the bench, the shown configuration is that of the device on the page.
    if (screen === 'device' && shown?.imei !== jobs.job?.device.imei) return shown ? ofList(shown) : null
    if (jobs.job) {
      const { imei, model, address } = jobs.job.device
      const seen = devices.byImei(imei)
      return {
        name: `${model} …${imei.slice(-6)}`,
        address: seen?.addresses[0] ?? address,
        card: seen ? devices.cardOf(seen) : undefined,
        // A device that answers the job's own requests is online, whatever discovery says.
        shape:
          jobs.lostSinceMs !== null
            ? ('unknown' as const)
            : isAnswering.value
              ? ('pass' as const)
              : seen
                ? standingShapes[seen.standing]
                : ('wait' as const),
        lostSinceMs: jobs.lostSinceMs,
        href: placeHref('job', jobs.job.id)
      }
    }
    const verified = devices.devices.filter((seen) => seen.standing === 'verified')
    const [only] = verified
    return verified.length === 1 && only ? ofList(only) : null
  })
}

/**
 * The network that matters now: the card that reaches the device, else all that listen. Null before the table is
 * loaded.
 */
export function useStripNetwork() {
  const devices = useDevices()
  const device = useStripDevice()

  return computed(() => {
    if (!devices.table) return null
    const cards = device.value?.card ? [device.value.card] : devices.table.cards.filter(({ listening }) => listening)
    const kinds = [...new Set(cards.map(({ kind }) => kind))]
    const [first] = kinds
    if (first === undefined) return { icon: null, text: t('windowApp.strip.noNetwork') }
    return { icon: cardIcons[first], text: kinds.map((kind) => t(`windowDevices.card.${kind}`)).join(', ') }
  })
}
