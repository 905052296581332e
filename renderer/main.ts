import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import { waitForBridge } from './bridge.ts'
import NotConnected from './features/app/NotConnected.vue'

const isConnected = await waitForBridge()
createApp(isConnected ? App : NotConnected)
  .use(createPinia())
  .mount('#app')
