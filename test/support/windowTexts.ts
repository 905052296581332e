import { loadLanguage, loadMoreTexts } from '../../renderer/say.ts'

// The page loads its language before it shows anything; a test may show either at once.
await loadMoreTexts()
await Promise.all([loadLanguage('en'), loadLanguage('es')])
