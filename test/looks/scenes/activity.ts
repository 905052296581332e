import { openJob, prepareYard, until, vehicleOf, type Act } from './act.ts'

/** What happened, and the log of this computer. */
export const activity: Act = {
  name: 'activity',
  simulation: { devices: 2, seed: 67, history: true },
  scenes: [
    {
      name: 'activity',
      async open(theatre) {
        const { call, gateway, page } = theatre
        await prepareYard(theatre)
        const vehicle = vehicleOf(theatre)
        await call('vehicles.link', { id: vehicle, name: 'Unit 0001', assetId: gateway.state.assets[0]?.id ?? 0, assetName: 'Trailer 12' })
        await call('data.backUp', {})
        const look = (isLooking: boolean) =>
          page.evaluate((isLooking) => {
            document.hasFocus = () => isLooking
            window.dispatchEvent(new Event(isLooking ? 'focus' : 'blur'))
          }, isLooking)
        await look(false)
        await openJob(theatre)
        await until('a check ended', async () => (await call('activity.list', {})).entries.some(({ kind }) => kind === 'checkEnded'))
        await look(true)
        await until('the end of being away', async () => (await call('activity.list', {})).away !== null)
        await page.evaluate(() => (window.location.hash = '#/activity'))
        await page.getByRole('grid').waitFor()
        await page.keyboard.press('j')
        await page.keyboard.press('j')
      }
    },
    {
      name: 'activity-settings',
      open: ({ page }) => page.getByRole('button', { name: /^(Notifications and log|Notificaciones y registro)$/ }).click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    },
    {
      name: 'notifications-happened',
      open: ({ page }) => page.getByRole('button', { name: /^(Notifications|Notificaciones)/ }).first().click(),
      leave: ({ page }) => page.keyboard.press('Escape')
    }
  ]
}
