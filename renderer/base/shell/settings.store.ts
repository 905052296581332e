import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { CallInput, CallOutput } from '../../../preload/contract/index.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import { call } from '../bridge.ts'
import { chosenKeys, lettersOn } from './keys/bindings.ts'
import { unitsOf } from '../../../preload/base/messages/settings.ts'
import { language, showLanguage, timeZone, units } from '../say.ts'

const darkOutside = window.matchMedia('(prefers-color-scheme: dark)')

/** Applies theme, language and units to the page immediately. */
function apply(settings: Settings): void {
  const theme = settings.theme === 'system' ? (darkOutside.matches ? 'dark' : 'light') : settings.theme
  document.documentElement.dataset['theme'] = theme
  document.documentElement.dataset['rows'] = settings.deskRows
  units.value = unitsOf(settings)
  timeZone.value = settings.timeZone
  chosenKeys.value = settings.keys
  lettersOn.value = settings.letterKeys
  // What a screen reader speaks is the language of the texts that are there.
  void showLanguage(settings.language).then(() => (document.documentElement.lang = language.value))
}

/** The person's settings; a change shows before the core has stored it, and is undone when storing failed. */
export const useSettings = defineStore('settings', () => {
  // Until they are read, the first run must not appear.
  const settings = ref<Settings>({ ...defaultSettings, firstRun: 'done' })
  /** The height of a row in long lists. */
  const deskRowPx = computed(() => (settings.value.deskRows === 'roomy' ? 44 : 34))
  const profiles = ref<CallOutput<'settings.profiles'>['profiles']>([])
  /** The profile that checks use now; training has its own, whatever is chosen for real work. */
  const profileInUse = ref('')

  darkOutside.addEventListener('change', () => apply(settings.value))

  /** As the core has stored them. */
  let stored = settings.value
  /** Changes that the core has not answered yet, oldest first. */
  let pending: readonly CallInput<'settings.change'>[] = []

  function show(): void {
    settings.value = Object.assign({}, stored, ...pending) as Settings
    apply(settings.value)
  }

  function take(next: Settings): void {
    stored = next
    show()
  }

  async function load(): Promise<void> {
    take(await call('settings.get', {}))
  }

  async function loadProfiles(): Promise<void> {
    const answer = await call('settings.profiles', {})
    profiles.value = answer.profiles
    profileInUse.value = answer.inUse
  }

  async function change(change: CallInput<'settings.change'>): Promise<void> {
    pending = [...pending, change]
    show()
    try {
      stored = await call('settings.change', change)
    } finally {
      pending = pending.filter((one) => one !== change)
      show()
    }
  }

  return { settings, deskRowPx, profiles, profileInUse, load, loadProfiles, change, take }
})
