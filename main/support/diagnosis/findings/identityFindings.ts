import { message } from '../../../../preload/contract/messages.ts'
import { imeiFault } from '../../../../preload/contract/base/imei.ts'
import { lastDigits, sameSim } from '../../../base/reading/simNumber.ts'
import type { Found } from '../linkVerdict.ts'
import { cardOf } from '../../../device/client/radio/mobileNetwork.ts'
import { isWrongVehicle, judgeVehicle } from '../links/vehicle.ts'
import type { EvidenceView } from '../evidenceView.ts'

/** Signs of the wrong device, vehicle or SIM: nobody should change anything until that is clear. */
export function findOfIdentity(sight: EvidenceView): Found[] {
  return [...ofDevice(sight), ...ofModem(sight), ...ofVehicle(sight), ...ofSim(sight)].map((found) => ({
    ...found,
    tone: 'fail'
  }))
}

function ofDevice({ evidence: { device } }: EvidenceView): Found[] {
  if (device?.state !== 'another') return []
  return [
    {
      id: 'anotherDevice',
      sentence: device.why ?? message('device.hidesName'),
      remedy: message('findings.leaveAlone'),
      witness: 'device',
      readAt: null,
      link: 'vehicle'
    }
  ]
}

/** A modem that does not belong to the device: a board was exchanged, or something else answers. */
function ofModem({ modem, evidence }: EvidenceView): Found[] {
  const own = modem.value?.IMEI?.trim()
  if (!own || evidence.imei === null || !/^\d{15}$/.test(own) || own === evidence.imei) return []
  const said =
    imeiFault(own) === 'placeholder'
      ? { sentence: message('findings.modemPlaceholder', { imei: own }), remedy: message('findings.restartForImei') }
      : { sentence: message('findings.modemOther', { imei: own }), remedy: message('findings.checkIdentity') }
  return [
    {
      id: 'modemOther',
      ...said,
      witness: 'device',
      readAt: modem.readAt,
      link: 'vehicle'
    }
  ]
}

/** The chain reports it too, unless it is broken before. */
function ofVehicle(sight: EvidenceView): Found[] {
  if (!isWrongVehicle(sight)) return []
  const { sentence, remedy, witness, readAt, sinceAt } = judgeVehicle(sight)
  return [{ id: 'vehicleOther', sentence, remedy, witness: witness ?? 'gateway', readAt, sinceAt, link: 'vehicle' }]
}

function ofSim({ modem, gateway, evidence }: EvidenceView): Found[] {
  const here = modem.value && cardOf(modem.value).id
  if (!here) return []
  const there = gateway?.record?.value?.simIds ?? []
  if (there.length > 0 && !there.some((id) => sameSim(id, here))) {
    return [
      {
        id: 'simDiffers',
        sentence: message('findings.simDiffers', {
          digits: lastDigits(here, 4),
          others: lastDigits(there[0] ?? '', 4)
        }),
        remedy: message('findings.tellSim'),
        witness: 'both',
        readAt: modem.readAt,
        link: 'sim'
      }
    ]
  }
  const { simId, from } = evidence.expected
  if (simId === null || sameSim(simId, here)) return []
  return [
    {
      id: 'simChanged',
      sentence: message('findings.simChanged', { digits: lastDigits(here, 4), others: lastDigits(simId, 4) }),
      remedy: from ?? message('findings.tellSim'),
      witness: 'device',
      readAt: modem.readAt,
      link: 'sim'
    }
  ]
}
