import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { core, made, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

useFakeWindow()

describe('the settings', () => {
  it('put theme and language on the page at once', async () => {
    await openWindow()
    goTo('settings')
    await flushPromises()
    const choose = async (text: string) => {
      const label = page.findAll('label').find((one) => one.text() === text)
      await label?.get('input').trigger('change')
      await flushPromises()
    }
    const speak = async (language: string) => {
      await page.get('#setting-language select').setValue(language)
      await flushPromises()
    }
    await choose('Sunlight')
    expect(document.documentElement.dataset['theme']).toBe('sunlight')
    await speak('es')
    expect(page.get('h1').text()).toBe('Ajustes')
    await speak('en')
    expect(made('settings.change')).toEqual([{ theme: 'sunlight' }, { language: 'es' }, { language: 'en' }])
  })

  it('that another window changed hold in this one too', async () => {
    await openWindow()
    const now = await core.call('settings.get', {})
    core.emit('settings.changed', { ...(now.ok ? now.value : {}), language: 'es', theme: 'dark' } as never)
    // The page is in a language when its texts are.
    expect(document.documentElement.lang).toBe('en')
    await flushPromises()
    expect([document.documentElement.lang, document.documentElement.dataset['theme']]).toEqual(['es', 'dark'])
    core.emit('settings.changed', { ...(now.ok ? now.value : {}), language: 'en', theme: 'light' } as never)
    await flushPromises()
  })
})
