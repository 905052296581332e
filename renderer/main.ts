import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './base/styles/tokens.css'
import './base/styles/base.css'
import './base/styles/layout.css'
import './base/styles/print.css'
import { askedEarly, askFirst, likelyLanguage } from './app/frame/firstRequests.ts'
import { createPinia, setActivePinia } from 'pinia'
import { createApp } from 'vue'
import App from './app/frame/App.vue'
import { waitForBridge } from './base/bridge.ts'
import { takeFirst } from './app/frame/listen.ts'
import NotConnected from './base/shell/NotConnected.vue'
import { useSettings } from './base/shell/settings.store.ts'
import { loadFirstTexts, showLanguage } from './base/say.ts'

const fontsAtMostMs = 500
// Read while the settings are asked for; in most cases it is the language that is wanted. A failure is told below.
void loadFirstTexts(likelyLanguage).catch(() => undefined)
// They come with the page: text that is drawn in another font first would move everything when they are there.
const fonts = Promise.race([
  Promise.all(['Inter Variable', 'JetBrains Mono Variable'].map((font) => document.fonts.load(`1em '${font}'`))),
  new Promise((resolve) => setTimeout(resolve, fontsAtMostMs))
]).catch(() => undefined)
const isConnected = await waitForBridge()
const pinia = createPinia()
setActivePinia(pinia)
// Nothing is shown before it can be shown in the person's language.
const chosen = isConnected ? await takeFirst(askedEarly ?? askFirst()) : undefined
await Promise.all([showLanguage(chosen?.language ?? likelyLanguage, loadFirstTexts), fonts])
const app = createApp(isConnected ? App : NotConnected).use(pinia)
if (chosen) useSettings().take(chosen)
app.mount('#app')
