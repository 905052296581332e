import { expect, test, vi } from 'vitest'

test('texts of later screens come with the first of those screens, and then with every language', async () => {
  // As in a page that has loaded nothing yet.
  vi.resetModules()
  const { loadLanguage, loadLateTexts, showLanguage } = await import('../../renderer/say.ts')
  const { t } = await import('../../renderer/texts.ts')
  await loadLanguage('en', ['first'])
  expect(t('windowApp.rail.vehicles')).toBe('Vehicles')
  expect(t('windowEventLog.nextChange')).toBe('windowEventLog.nextChange')
  await loadLateTexts()
  expect(t('windowEventLog.nextChange')).toBe('Next change')
  await showLanguage('es')
  expect(t('windowEventLog.nextChange')).toBe('Cambio siguiente')
})
