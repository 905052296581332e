import { describe, expect, it } from 'vitest'
import { viewEvidence } from '../../../../main/support/diagnosis/evidenceView.ts'
import { judgeRegistration } from '../../../../main/support/diagnosis/links/registration.ts'
import { judgeSim } from '../../../../main/support/diagnosis/links/sim.ts'
import { checkApn } from '../../../../main/job/jobs/checks/apn.ts'
import { checkNetwork } from '../../../../main/job/jobs/checks/network.ts'
import { runCheck } from '../../../world/device/checkBench.ts'
import { deviceSays } from '../../../../main/support/diagnosis/facts/deviceSays.ts'
import { simNumberField } from '../../../../main/device/client/radio/mobileNetwork.ts'
import { device, limits, seen } from '../../../world/data/bundles/diagnosisEvidence.ts'
import { english, orNothing } from '../../../world/window/english.ts'
import { modemCases } from '../../../world/device/modemCases.ts'

describe('One judgement of the mobile network', () => {
  it.each(modemCases)(
    '$name: the step says what the diagnosis says',
    async ({ modem, step, sim, registration, says, remedy }) => {
      const sight = viewEvidence(seen({ device: device({ 'modem.information': modem }) }), limits)
      const [card, network] = [judgeSim(sight), judgeRegistration(sight)]
      expect([card.state, network.state]).toEqual([sim, registration])
      const result = await runCheck(checkNetwork, { modem: () => modem })
      expect(result.state).toBe(step)
      if (says === undefined) return
      expect(result.summary.startsWith(says)).toBe(true)
      expect(result.remedy).toBe(remedy)
      const decides = card.state === 'broken' ? card : network
      expect([english(decides.sentence), orNothing(decides.detail)]).toContain(says)
      if (decides.state === 'broken') expect(orNothing(decides.remedy)).toBe(remedy)
    }
  )

  it('an address without a clear registration is no failure of the step APN either', async () => {
    const modem = { GSM_REG: '3', GPRS_REG: '0', IP: '100.64.3.2' }
    expect(
      await runCheck(checkApn, { modem: () => modem, configuration: () => ({ APN: 'internet.example' }) })
    ).toMatchObject({
      state: 'warn',
      remedy: 'The device has an address, so it is on a network. Check whether its events arrive at the gateway.'
    })
  })
})

const [own, builtIn] = ['8957000000000000001', '8957000000000000002']
it.each<[Record<string, string | undefined>, string | undefined]>([
  [{ SIM_TYPE: 'EXTERNAL', SIM_ID: own, eSIM_ID: builtIn }, own],
  [{ SIM_TYPE: 'EMBEDDED', SIM_ID: own, eSIM_ID: builtIn }, builtIn],
  [{ SIM_TYPE: 'esim', SIM_ID: own, eSIM_ID: builtIn }, builtIn],
  [{ SIM_STATE: 'NOT INSERTED', eSIM_STATE: 'READY', SIM_ID: own, eSIM_ID: builtIn }, builtIn],
  [{ SIM_TYPE: 'EMBEDDED', SIM_ID: own }, own],
  [{ SIM_TYPE: 'EMBEDDED', SIM_ID: own, eSIM_ID: ' ' }, own],
  [{ SIM_ID: own }, own],
  [{}, undefined]
])('of %j the number of the card in use is %s, for a step and for the diagnosis', (modem, number) => {
  expect(modem[simNumberField(modem)]).toBe(number)
  const { simId } = deviceSays(
    seen({ device: device({ 'modem.information': { SIM_TYPE: undefined, SIM_ID: undefined, ...modem } }) })
  )
  expect('value' in simId ? simId.value : undefined).toBe(number)
})
