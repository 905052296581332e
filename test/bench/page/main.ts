import '../../../renderer/base/styles/tokens.css'
import '../../../renderer/base/styles/base.css'
import '../../../renderer/base/styles/layout.css'
import { createApp } from 'vue'
import { showLanguage } from '../../../renderer/base/say.ts'
import ManyCharts from './ManyCharts.vue'
import OneChart from './OneChart.vue'

// The project's own components on a page of their own: `?scene=one` for tests by hand of a browser, else for the
// benchmark.
const asked = new URLSearchParams(location.search)
await showLanguage(asked.get('language') === 'es' ? 'es' : 'en')
createApp(asked.get('scene') === 'one' ? OneChart : ManyCharts).mount('#app')
